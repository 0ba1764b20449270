//! Balance: how even a game is for its seats, how its games go, and which strategy its rules favor, variant by variant.

use std::fs;
use std::path::Path;

use azulejo::{Changes, GameSpec};
use azulejo_agents::AgentSpec;
use azulejo_agents::heuristic::Heuristic;
use serde::{Deserialize, Serialize};

use crate::measures::{Mean, Named};
use crate::report::chart::{Bar, Stack, bars, stacks};
use crate::report::{Report, RunReport, Section, Table, brief, interval, number, percent};
use crate::summary::{AgentSummary, Summary};

/// The agents of a game's strategies: the plain evaluation first.
pub fn strategies<G: Heuristic>() -> Vec<AgentSpec> {
    let named = G::STRATEGIES.iter().map(|it| format!("greedy:strategy={}", it.name));
    let specs = ["greedy".to_owned()].into_iter().chain(named);
    specs.map(|spec| spec.parse().expect("strategies have plain names")).collect()
}

/// A variant with changed numbers.
///
/// # Errors
/// One line that says what is wrong with them, or that the variant has changed numbers already.
pub fn changed(game: GameSpec, changes: &Changes) -> Result<GameSpec, String> {
    if game.variant() != game {
        return Err(format!(
            "'{game}' has changed rules already: leave out --set, or name the variant alone"
        ));
    }
    game.with_changes(changes).map_err(|error| error.to_string())
}

/// The studies of one variant with one number of players.
#[derive(Clone, Debug)]
pub struct TableStudy {
    /// The variant whose numbers this one has changed, if it has.
    pub base: Option<GameSpec>,
    /// The variant.
    pub game: GameSpec,
    /// The number of players.
    pub players: usize,
    /// For each agent its games with itself at all seats.
    pub seats: Vec<RunReport>,
    /// All strategies against each other.
    pub strategies: Option<RunReport>,
}

/// What a study found about the seats, as `summary.json` has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeatFindings {
    /// The game spec.
    pub game: String,
    /// The number of players.
    pub players: usize,
    /// The agent at all seats.
    pub agent: String,
    /// The number of games.
    pub games: u64,
    /// For each seat its wins a game.
    pub win_shares: Vec<Mean>,
    /// For each seat its points less the mean of the others'.
    pub leads: Vec<Mean>,
    /// For each seat its points.
    pub points: Vec<Mean>,
    /// What is told of games as a whole.
    pub figures: Vec<Named>,
    /// Where the points of all seats come from.
    pub sources: Vec<Named>,
}

/// What a study found about a strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StrategyFindings {
    /// The game spec.
    pub game: String,
    /// The number of players.
    pub players: usize,
    /// The strategy's agent.
    pub agent: String,
    /// Its wins for each seat and game.
    pub win_share: Mean,
    /// Its rating among the strategies.
    pub rating: Mean,
    /// Its points.
    pub points: Option<f64>,
    /// What becomes of it.
    pub standing: Standing,
}

/// A strategy among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Nothing is rated above it.
    Best,
    /// Some strategy is rated above it, but the intervals meet.
    Close,
    /// The intervals of its rating and of the best one do not meet, but it beats some strategy.
    Behind,
    /// Every other strategy is rated above it.
    Last,
}

/// Everything that a balance study found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// The command that makes the study again.
    pub command: String,
    /// The seats, by variant, players and agent.
    pub seats: Vec<SeatFindings>,
    /// The strategies, by variant and players.
    pub strategies: Vec<StrategyFindings>,
    /// What changed numbers change.
    pub differences: Vec<Difference>,
}

/// What changed numbers change: the changed variant less its base.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The changed variant.
    pub game: String,
    /// The variant that it is compared with.
    pub base: String,
    /// The number of players.
    pub players: usize,
    /// The agent, or the strategy's agent.
    pub agent: String,
    /// What is different.
    pub name: String,
    /// By how much.
    #[serde(flatten)]
    pub difference: Mean,
}

impl Findings {
    /// What the studies found that this command made.
    pub fn new(studies: &[TableStudy], command: String) -> Self {
        Findings {
            command,
            seats: studies.iter().flat_map(|study| study.seats.iter().filter_map(seat_findings)).collect(),
            strategies: studies.iter().flat_map(strategy_findings).collect(),
            differences: studies.iter().flat_map(|study| differences(study, studies)).collect(),
        }
    }

    /// Reads `summary.json` in a study's directory.
    ///
    /// # Errors
    /// One line that names the file, if it is missing or something else.
    pub fn read(directory: &Path) -> Result<Self, String> {
        let path = directory.join("summary.json");
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Writes `summary.json`, `report.html` and `report.md` into a study's directory.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&self, directory: &Path) -> std::io::Result<()> {
        let report = self.report();
        fs::write(directory.join("summary.json"), serde_json::to_string_pretty(self)? + "\n")?;
        fs::write(directory.join("report.html"), report.to_html())?;
        fs::write(directory.join("report.md"), report.to_markdown())
    }

    /// The report.
    pub fn report(&self) -> Report {
        let mut sections = vec![first_seat(self), courses(self)];
        let mut ids: Vec<&str> = self.seats.iter().map(|seat| id(&seat.game)).collect();
        ids.dedup();
        sections.extend(ids.into_iter().map(|id| points(self, id)));
        let mut games: Vec<&str> = self.strategies.iter().map(|it| it.game.as_str()).collect();
        games.dedup();
        sections.extend(games.into_iter().filter_map(|game| strategies_of(self, game)));
        if !self.differences.is_empty() {
            sections.push(what_if(self));
        }
        let lead = "How even the seats are, how games go, and which strategy the rules favor. Seat 0 begins; intervals are \
                    95 %. What is told holds for the agents that played: others may use the rules differently.";
        let commands = vec![self.command.clone()];
        Report { title: "Balance".to_owned(), lead: vec![lead.to_owned()], commands, sections }
    }
}

fn share(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> Mean {
    Mean { mean: value, low, high }
}

fn seat_findings(run: &RunReport) -> Option<SeatFindings> {
    let Summary { game, players, games, agents, seats, measures, .. } = &run.summary;
    let measures = measures.as_ref()?;
    Some(SeatFindings {
        game: game.clone(),
        players: *players,
        agent: agents.first()?.spec.clone(),
        games: *games,
        win_shares: seats.iter().map(|seat| share(seat.win_share, seat.low, seat.high)).collect(),
        leads: measures.seats.iter().map(|seat| seat.advantage).collect(),
        points: measures.seats.iter().map(|seat| seat.score).collect(),
        figures: measures.figures.clone(),
        sources: measures.agents.first()?.sources.clone(),
    })
}

fn strategy_findings(study: &TableStudy) -> Vec<StrategyFindings> {
    let Some(run) = &study.strategies else { return Vec::new() };
    let agents = &run.summary.agents;
    let rating = |agent: &AgentSummary| agent.rating.unwrap_or(f64::NEG_INFINITY);
    let Some(best) = agents.iter().max_by(|a, b| rating(a).total_cmp(&rating(b))) else { return Vec::new() };
    let standing =
        |agent: &AgentSummary| match agents.iter().filter(|other| rating(other) < rating(agent)).count() {
            _ if agent.spec == best.spec => Standing::Best,
            0 => Standing::Last,
            _ if agent.rating_high >= best.rating_low => Standing::Close,
            _ => Standing::Behind,
        };
    let findings = agents.iter().map(|agent| StrategyFindings {
        game: run.summary.game.clone(),
        players: run.summary.players,
        agent: agent.spec.clone(),
        win_share: share(agent.win_share, agent.win_share_low, agent.win_share_high),
        rating: share(agent.rating, agent.rating_low, agent.rating_high),
        points: agent.mean_score,
        standing: standing(agent),
    });
    findings.collect()
}

fn differences(study: &TableStudy, studies: &[TableStudy]) -> Vec<Difference> {
    let base = studies.iter().find(|other| Some(other.game) == study.base && other.players == study.players);
    let Some(base) = base else { return Vec::new() };
    let difference = |agent: &str, name: &str, now: Mean, before: Mean| Difference {
        game: study.game.to_string(),
        base: base.game.to_string(),
        players: study.players,
        agent: agent.to_owned(),
        name: name.to_owned(),
        difference: now.less(before),
    };
    let mut found = Vec::new();
    let pairs = study.seats.iter().zip(&base.seats);
    for (now, before) in pairs.filter_map(|(now, before)| Some((seat_findings(now)?, seat_findings(before)?)))
    {
        let mut add = |name: &str, now_mean, before_mean| {
            found.push(difference(&now.agent, name, now_mean, before_mean));
        };
        add("first seat's win share", now.win_shares[0], before.win_shares[0]);
        add("first seat's lead", now.leads[0], before.leads[0]);
        for (now, before) in now.figures.iter().zip(&before.figures) {
            add(&now.name, now.mean, before.mean);
        }
        for (now, before) in now.sources.iter().zip(&before.sources) {
            add(&format!("points from {}", now.name), now.mean, before.mean);
        }
    }
    let before = strategy_findings(base);
    for (now, before) in strategy_findings(study).into_iter().zip(before) {
        found.push(difference(&now.agent, "win share among strategies", now.win_share, before.win_share));
    }
    found
}

/// A short name of a table: `azul:gray 3`.
fn label(game: &str, players: usize) -> String {
    format!("{} {players}", variant(game))
}

/// A variant's spec; with changed rules it is `azul changed`.
fn variant(game: &str) -> String {
    match game.split_once("rules=") {
        Some((variant, _)) => format!("{} changed", variant.trim_end_matches([':', ','])),
        None => game.to_owned(),
    }
}

/// What tells tables apart in charts, which have little room: variants of one game go without its name, and agents are
/// named where there are several.
fn names(tables: &[&SeatFindings]) -> Vec<String> {
    let alike = |of: fn(&SeatFindings) -> &str| tables.iter().all(|table| of(table) == of(tables[0]));
    let (one_game, one_agent) = (alike(|table| id(&table.game)), alike(|table| &table.agent));
    let name = |table: &&SeatFindings| {
        let label = label(&table.game, table.players);
        let short = label.split_once(':').filter(|_| one_game).map_or(&*label, |(_, options)| options);
        if one_agent { short.to_owned() } else { format!("{short} {}", table.agent) }
    };
    tables.iter().map(name).collect()
}

/// The game's id in a spec.
fn id(spec: &str) -> &str {
    spec.split(':').next().unwrap_or(spec)
}

fn first_seat(findings: &Findings) -> Section {
    let header = [
        "table",
        "agent",
        "games",
        "wins of seat 0",
        "95 %",
        "lead of seat 0",
        "95 %",
        "leads of the others",
        "points",
    ];
    let (mut table, mut found) = (Table::new(&header), Vec::new());
    let names = names(&findings.seats.iter().collect::<Vec<_>>());
    for (seats, name) in findings.seats.iter().zip(names) {
        let (wins, lead) = (seats.win_shares[0], seats.leads[0]);
        let others: Vec<String> = seats.leads[1..].iter().map(|lead| number(lead.mean)).collect();
        let points = seats.points.iter().filter_map(|points| points.mean).sum::<f64>() / seats.players as f64;
        table.push([
            label(&seats.game, seats.players),
            seats.agent.clone(),
            seats.games.to_string(),
            percent(wins.mean),
            interval(wins.low, wins.high, percent),
            number(lead.mean),
            interval(lead.low, lead.high, number),
            others.join(", "),
            number(Some(points)),
        ]);
        let ends = lead.low.zip(lead.high);
        found.extend(lead.mean.map(|value| Bar { label: name, value, interval: ends }));
    }
    Section {
        heading: "Going first".to_owned(),
        text: "Seat 0's wins, and its points less the mean of the others'. Even wins are 50, 33.3 and 25 % for 2, 3 and 4 \
               players."
            .to_owned(),
        chart: Some(bars("Lead of the first seat", "points", &found, Some(0.0))),
        table,
    }
}

fn courses(findings: &Findings) -> Section {
    let mut header = vec!["table", "agent"];
    let names: Vec<&str> = findings
        .seats
        .first()
        .map_or(Vec::new(), |seats| seats.figures.iter().map(|figure| figure.name.as_str()).collect());
    header.extend(&names);
    let mut table = Table::new(&header);
    for seats in &findings.seats {
        let cell = |figure: &Named| {
            let share = ["winner was behind", "close end", "shared win"].contains(&figure.name.as_str());
            let show = if share { percent } else { number };
            show(figure.mean.mean)
        };
        let start = [label(&seats.game, seats.players), seats.agent.clone()];
        table.push(start.into_iter().chain(seats.figures.iter().map(cell)));
    }
    Section {
        heading: "How games go".to_owned(),
        text: "Lead changes and deficits are counted at the ends of rounds; an end is close if the winner is at most 5 points \
               ahead. Intervals are in summary.json."
            .to_owned(),
        chart: None,
        table,
    }
}

fn points(findings: &Findings, game: &str) -> Section {
    let tables: Vec<&SeatFindings> = findings.seats.iter().filter(|seats| id(&seats.game) == game).collect();
    let sources: Vec<String> = tables
        .first()
        .map_or(Vec::new(), |seats| seats.sources.iter().map(|source| source.name.clone()).collect());
    let names = names(&tables);
    let mut header = vec!["source".to_owned()];
    header.extend(names.iter().cloned());
    let mut table = Table { header, rows: Vec::new() };
    let mean = |seats: &SeatFindings, place: usize| seats.sources[place].mean.mean;
    for (place, name) in sources.iter().enumerate() {
        let cells = tables.iter().map(|seats| number(mean(seats, place)));
        table.push([name.clone()].into_iter().chain(cells));
    }
    let rows: Vec<Stack> = tables
        .iter()
        .zip(names)
        .map(|(seats, label)| Stack {
            label,
            parts: (0..sources.len()).map(|place| mean(seats, place).unwrap_or(0.0)).collect(),
        })
        .collect();
    Section {
        heading: format!("{game}: where the points come from"),
        text: "Mean points of each source; what takes points extends to the left.".to_owned(),
        chart: Some(stacks("Where the points come from", "points", &sources, &rows)),
        table,
    }
}

/// The strategies in a variant.
fn strategies_of(findings: &Findings, game: &str) -> Option<Section> {
    let all: Vec<&StrategyFindings> = findings.strategies.iter().filter(|it| it.game == game).collect();
    let first = all.first()?.players;
    let agents = all.iter().filter(|it| it.players == first).map(|it| it.agent.as_str());
    let mut table =
        Table::new(&["table", "strategy", "rating", "95 %", "win share", "95 %", "points", "standing"]);
    for it in &all {
        table.push([
            label(&it.game, it.players),
            strategy(&it.agent).to_owned(),
            number(it.rating.mean),
            interval(it.rating.low, it.rating.high, number),
            percent(it.win_share.mean),
            interval(it.win_share.low, it.win_share.high, percent),
            number(it.points),
            format!("{:?}", it.standing).to_lowercase(),
        ]);
    }
    let mut bars_of = Vec::new();
    for agent in agents {
        for it in all.iter().filter(|it| it.agent == agent) {
            bars_of.extend(it.rating.mean.map(|value| Bar {
                label: format!("{} {}", strategy(agent), it.players),
                value,
                interval: it.rating.low.zip(it.rating.high),
            }));
        }
    }
    Some(Section {
        heading: format!("{}: strategies", variant(game)),
        text: "Named strategies are the same evaluation with other weights, all against all; plain is the evaluation as it is. \
               Ratings are Elo points among the strategies of a table; a strategy is behind if its interval does not reach the \
               best one's, last if all others are rated above it."
            .to_owned(),
        chart: Some(bars("Ratings of the strategies", "Elo points", &bars_of, Some(0.0))),
        table,
    })
}

/// The strategy's name in an agent's spec.
fn strategy(agent: &str) -> &str {
    if agent == "greedy" { "plain" } else { brief(agent) }
}

fn what_if(findings: &Findings) -> Section {
    let mut table = Table::new(&["changed", "table", "agent", "difference", "95 %"]);
    let mut found = Vec::new();
    for it in &findings.differences {
        let share = ["share", "behind", "close end", "shared win"].iter().any(|word| it.name.ends_with(word))
            || it.name.starts_with("win share")
            || it.name == "winner was behind";
        let show = if share { percent } else { number };
        let Mean { mean, low, high } = it.difference;
        let table_name = label(&it.base, it.players);
        let ends = interval(low, high, show);
        table.push([it.name.clone(), table_name.clone(), strategy(&it.agent).to_owned(), show(mean), ends]);
        if it.name.starts_with("points from") || it.name == "first seat's lead" {
            found.extend(mean.map(|value| Bar {
                label: format!("{} {table_name}", it.name.trim_start_matches("points from ")),
                value,
                interval: low.zip(high),
            }));
        }
    }
    Section {
        heading: "What the changed numbers change".to_owned(),
        text: "The changed variant less the one it is made of, in games that have nothing to do with each other. The agents keep \
               their weights."
            .to_owned(),
        chart: Some(bars("Differences in points", "points", &found, Some(0.0))),
        table,
    }
}
