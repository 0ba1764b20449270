//! What becomes of the seats' advantages as agents grow stronger: [`SkillStep`], and the curves of a report.

use serde::{Deserialize, Serialize};

use super::{PairedGames, SeatFindings, TableStudy, id, label};
use crate::measures::mean;
use crate::report::cells::{number, percent, value, with_interval};
use crate::report::chart::{ChartLine, ChartPoint, Ticks, curves};
use crate::report::{Chapter, Section, Table, TableBuilder, brief};
use crate::stats::Estimate;

/// From one agent of a table to the next one: what the first seat gains, game by game on the same deals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkillStep {
    /// The game spec.
    pub game: String,
    /// The number of players.
    pub players: usize,
    /// The agent.
    pub from: String,
    /// The next one.
    pub to: String,
    /// The pairs of games.
    pub games: u64,
    /// The first seat's wins a game with the next agent, less those with the agent.
    #[serde(with = "mean")]
    pub win_share: Option<Estimate>,
    /// The same of its lead in points.
    #[serde(with = "mean")]
    pub lead: Option<Estimate>,
}

impl SkillStep {
    /// Whether the first seat's share is another one beyond doubt, of so many steps of which that is asked.
    fn moves_among(&self, steps: usize) -> bool {
        self.win_share.is_some_and(|change| change.differs_among(steps))
    }

    /// Whether the first seat's share stands still, in a sentence.
    fn sentence(&self) -> String {
        let (from, to) = (brief(&self.from), brief(&self.to));
        let (share, lead) = (with_interval(self.win_share, percent), with_interval(self.lead, number));
        let furthest = self.win_share.and_then(|it| it.interval).map(|it| it.low.abs().max(it.high.abs()));
        let verdict = match furthest {
            Some(_) if self.moves_among(1) => "it does not stand still yet".to_owned(),
            Some(most) => format!("it stands still, to within {}", percent(Some(most))),
            None => "too few games tell whether it stands still".to_owned(),
        };
        format!(
            "From {from} to {to} the first seat's share changes by {share} and its lead by {lead}: {verdict}."
        )
    }
}

/// The steps from each agent of a table to the next one.
pub(super) fn skill_steps(study: &TableStudy) -> Vec<SkillStep> {
    let agent = |place: usize| study.seats[place].summary.agents[0].spec.clone();
    let step = |(place, games): (usize, &PairedGames)| {
        let found = |name: &str| games.differences().find(|it| it.0 == name).and_then(|it| it.1);
        SkillStep {
            game: study.game.to_string(),
            players: study.players,
            from: agent(place),
            to: agent(place + 1),
            games: games.games,
            win_share: found("first seat's win share"),
            lead: found("first seat's lead"),
        }
    };
    study.steps.iter().enumerate().map(step).collect()
}

/// At how many tables the share stands still between the last two agents, and at which ones it does not.
pub(super) fn stillness(steps: &[SkillStep]) -> Option<String> {
    let last = last_steps(steps);
    let moving: Vec<String> =
        last.iter().filter(|it| it.moves_among(last.len())).map(|it| label(&it.game, it.players)).collect();
    match last.len() {
        0 => None,
        1 => Some(last[0].sentence()),
        all if moving.is_empty() => Some(format!(
            "Between the two strongest agents the first seat's share stands still, as far as these games tell, at all {all} tables."
        )),
        all => Some(format!(
            "Between the two strongest agents the first seat's share stands still, as far as these games tell, at {} of {all} \
             tables; it does not at {}.",
            all - moving.len(),
            moving.join(", ")
        )),
    }
}

/// What agents of growing strength make of the seats.
pub(super) fn chapter(seats: &[SeatFindings], steps: &[SkillStep]) -> Option<Chapter> {
    let games = steps.chunk_by(|one, other| id(&one.game) == id(&other.game));
    let answer = |steps: &[SkillStep]| Some(format!("{}: {}", id(&steps[0].game), stillness(steps)?));
    let sections = [each_table(seats, steps), each_step(steps)].into_iter().chain(skill_curves(seats, steps));
    (!steps.is_empty()).then(|| Chapter {
        heading: "Does the figure stand still as players grow stronger?".to_owned(),
        answers: games.filter_map(answer).collect(),
        sections: sections.collect(),
    })
}

/// The agents of a table's steps, in their order.
fn agents_of<'a>(seats: &'a [SeatFindings], steps: &[SkillStep]) -> Vec<&'a SeatFindings> {
    let names = steps.iter().take(1).map(|it| &it.from).chain(steps.iter().map(|it| &it.to));
    let of = |agent: &String| {
        let is_its = |it: &&SeatFindings| {
            (&it.game, it.players, &it.agent) == (&steps[0].game, steps[0].players, agent)
        };
        seats.iter().find(is_its)
    };
    names.filter_map(of).collect()
}

/// The steps of each table.
fn tables(steps: &[SkillStep]) -> impl Iterator<Item = &[SkillStep]> {
    steps.chunk_by(|one, other| (&one.game, one.players) == (&other.game, other.players))
}

/// Seat 0's share by table and agent.
fn each_table(seats: &[SeatFindings], steps: &[SkillStep]) -> Section {
    let tables: Vec<&[SkillStep]> = tables(steps).collect();
    let mut agents: Vec<&str> = Vec::new();
    for agent in tables.iter().flat_map(|steps| agents_of(seats, steps)) {
        if !agents.contains(&agent.agent.as_str()) {
            agents.push(&agent.agent);
        }
    }
    let share = |steps: &[SkillStep], agent: &str| {
        let found = agents_of(seats, steps).into_iter().find(|it| it.agent == agent);
        found.and_then(|it| it.win_shares[0])
    };
    let even = |steps: &[SkillStep]| percent(Some(1.0 / steps[0].players as f64));
    let table = Table::of(&tables)
        .text("table", |steps| label(&steps[0].game, steps[0].players))
        .number("even", |steps| even(steps));
    let table = agents
        .iter()
        .fold(table, |table, &agent| table.number(brief(agent), |steps| value(share(steps, agent), percent)));
    Section {
        heading: "Wins of seat 0, agent by agent".to_owned(),
        text: "The agents stand in the order of their strength.".to_owned(),
        chart: None,
        table: table.build(),
    }
}

/// What each step from one agent to the next one changes.
fn each_step(steps: &[SkillStep]) -> Section {
    let table = Table::of(steps)
        .text("table", |it| label(&it.game, it.players))
        .text("from", |it| brief(&it.from).to_owned())
        .text("to", |it| brief(&it.to).to_owned())
        .number("games", |it| it.games.to_string())
        .estimate("change of seat 0's wins", percent, |it| it.win_share)
        .estimate("of its lead", number, |it| it.lead);
    Section {
        heading: "From each agent to the next one".to_owned(),
        text: "Game by game on the same deals.".to_owned(),
        chart: None,
        table: table.build(),
    }
}

/// The step to the last agent of each table.
fn last_steps(steps: &[SkillStep]) -> Vec<&SkillStep> {
    tables(steps).filter_map(<[SkillStep]>::last).collect()
}

/// The curves of each table that several agents play: shares of the win, then leads.
pub(super) fn skill_curves(seats: &[SeatFindings], steps: &[SkillStep]) -> Vec<Section> {
    let of_table = |steps: &[SkillStep]| {
        let (agents, last) = (agents_of(seats, steps), &steps[steps.len() - 1]);
        [shares(&agents, last), leads(&agents, last)]
    };
    tables(steps).flat_map(of_table).collect()
}

/// What tells agents apart below a curve: the number of simulations where one kind of agent has it, else the agent.
fn efforts(agents: &[&SeatFindings]) -> Vec<String> {
    let simulations = |it: &&SeatFindings| {
        let spec = brief(&it.agent);
        let (_, number) = spec.split_once("sims=").filter(|_| spec.contains(':'))?;
        Some(number.chars().take_while(char::is_ascii_digit).collect::<String>())
    };
    let short: Vec<String> =
        agents.iter().map(|it| simulations(it).unwrap_or_else(|| brief(&it.agent).to_owned())).collect();
    let is_told_apart = (1..short.len()).all(|place| !short[..place].contains(&short[place]));
    if is_told_apart { short } else { agents.iter().map(|it| brief(&it.agent).to_owned()).collect() }
}

/// A line for each seat, from the first agent to the last.
fn lines(agents: &[&SeatFindings], of: impl Fn(&SeatFindings, usize) -> Option<Estimate>) -> Vec<ChartLine> {
    let line = |seat: usize| {
        let point = |(place, it): (usize, &&SeatFindings)| {
            Some(ChartPoint { at: place as f64, estimate: of(it, seat)? })
        };
        ChartLine {
            label: format!("seat {seat}"),
            points: agents.iter().enumerate().filter_map(point).collect(),
        }
    };
    (0..agents.first().map_or(0, |it| it.players)).map(line).collect()
}

/// Adds a column for each seat but the first.
fn with_others<'a, 'b>(
    table: TableBuilder<'a, &'b SeatFindings>,
    players: usize,
    cell: impl Fn(&SeatFindings, usize) -> String,
) -> TableBuilder<'a, &'b SeatFindings> {
    (1..players).fold(table, |table, seat| table.number(&format!("of seat {seat}"), |it| cell(it, seat)))
}

const ACROSS: &str = "agents in the order given; numbers are simulations";

fn shares(agents: &[&SeatFindings], last: &SkillStep) -> Section {
    let even = 1.0 / last.players as f64;
    let about = "Wins of each seat, agent by agent";
    let in_percent = |it: &SeatFindings, seat: usize| it.win_shares[seat].map(|share| share.scaled(100.0));
    let found = lines(agents, in_percent);
    let chart =
        curves(about, (ACROSS, "% of wins"), Ticks::Names(&efforts(agents)), &found, Some(100.0 * even));
    let table = Table::of(agents)
        .text("agent", |it| brief(&it.agent).to_owned())
        .number("games", |it| it.games.to_string())
        .estimate("wins of seat 0", percent, |it| it.win_shares[0]);
    Section {
        heading: format!("{}: wins as agents grow stronger", label(&last.game, last.players)),
        text: format!("{} Even is {}.", last.sentence(), percent(Some(even))),
        chart: Some(chart),
        table: with_others(table, last.players, |it, seat| value(it.win_shares[seat], percent)).build(),
    }
}

fn leads(agents: &[&SeatFindings], last: &SkillStep) -> Section {
    let found = lines(agents, |it, seat| it.leads[seat]);
    let chart = curves(
        "Lead of each seat, agent by agent",
        (ACROSS, "points"),
        Ticks::Names(&efforts(agents)),
        &found,
        Some(0.0),
    );
    let table = Table::of(agents).text("agent", |it| brief(&it.agent).to_owned()).estimate(
        "lead of seat 0",
        number,
        |it| it.leads[0],
    );
    Section {
        heading: format!("{}: leads as agents grow stronger", label(&last.game, last.players)),
        text: "A seat's points less the mean of the others'.".to_owned(),
        chart: Some(chart),
        table: with_others(table, last.players, |it, seat| value(it.leads[seat], number)).build(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Interval;

    fn around(value: f64, half: f64) -> Option<Estimate> {
        Some(Estimate { value, interval: Some(Interval { low: value - half, high: value + half }) })
    }

    fn step(game: &str, (from, to): (&str, &str), share: Option<Estimate>) -> SkillStep {
        let (game, from, to) = (game.to_owned(), from.to_owned(), to.to_owned());
        SkillStep { game, players: 2, from, to, games: 100, win_share: share, lead: around(0.5, 1.0) }
    }

    fn seats(game: &str, agent: &str, share: f64) -> SeatFindings {
        SeatFindings {
            game: game.to_owned(),
            players: 2,
            agent: agent.to_owned(),
            games: 100,
            win_shares: vec![around(share, 0.02), around(1.0 - share, 0.02)],
            leads: vec![around(2.0, 1.0), around(-2.0, 1.0)],
            points: vec![around(50.0, 1.0); 2],
            figures: Vec::new(),
            sources: Vec::new(),
        }
    }

    #[test]
    fn the_last_step_of_each_table_says_whether_the_figure_stands_still() {
        let steps = [
            step("azul", ("greedy", "neural:sims=4"), around(0.1, 0.02)),
            step("azul", ("neural:sims=4", "neural:sims=8"), around(-0.004, 0.01)),
        ];
        let still = stillness(&steps).unwrap();
        assert_eq!(
            still,
            "From neural:sims=4 to neural:sims=8 the first seat's share changes by -0.4 % [-1.4 %, 0.6 %] and its lead by 0.5 \
             [-0.5, 1.5]: it stands still, to within 1.4 %."
        );
        assert!(steps[0].sentence().ends_with("it does not stand still yet."));
        let moving = step("queens-garden", ("greedy", "mcts"), around(0.1, 0.02));
        let several = stillness(&[&steps[..], &[moving]].concat()).unwrap();
        assert!(several.ends_with("at 1 of 2 tables; it does not at queens-garden 2."), "{several}");
        assert_eq!(stillness(&[]), None);
    }

    #[test]
    fn each_table_has_its_curves_with_the_agents_below_them() {
        let agents = ["greedy", "neural:sims=4", "neural:sims=8"];
        let found: Vec<SeatFindings> = agents.iter().map(|agent| seats("azul", agent, 0.55)).collect();
        let steps: Vec<SkillStep> =
            agents.windows(2).map(|both| step("azul", (both[0], both[1]), around(0.0, 0.1))).collect();
        let sections = skill_curves(&found, &steps);
        assert_eq!(sections.len(), 2);
        let svg = &sections[0].chart.as_ref().unwrap().svg;
        assert_eq!(svg.matches("<polygon").count(), 2, "a band for each seat: {svg}");
        assert_eq!(efforts(&found.iter().collect::<Vec<_>>()), ["greedy", "4", "8"]);
        let others = [seats("azul", "mcts:sims=100", 0.5), seats("queens-garden", "greedy", 0.5)];
        let all = chapter(&[&others[..], &found].concat(), &steps).unwrap();
        let cells: Vec<Vec<&str>> = all.sections[0].table.rows().collect();
        assert_eq!(
            cells,
            [["azul 2", "50.0 %", "55.0 %", "55.0 %", "55.0 %"]],
            "agents without steps are left out"
        );
        assert_eq!(all.sections.len(), 4);
        assert!(
            all.answers[0].starts_with("azul: From neural:sims=4 to neural:sims=8 "),
            "{:?}",
            all.answers
        );
        assert_eq!(sections[0].table.rows().count(), 3);
        let two = [seats("azul", "mcts:sims=8", 0.5), seats("azul", "neural:sims=8", 0.5)];
        assert_eq!(efforts(&two.iter().collect::<Vec<_>>()), ["mcts:sims=8", "neural:sims=8"]);
    }
}
