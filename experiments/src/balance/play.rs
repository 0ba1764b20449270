//! How agents play, side by side: [`PlayFindings`].

use serde::{Deserialize, Serialize};

use super::{PlayedRun, label};
use crate::game_habits::{Habit, HabitKind};
use crate::game_statistics::is_regular;
use crate::measures::{BlockMean, NamedEstimate};
use crate::report::cells::{number, percent};
use crate::report::chart::{Bar, bars};
use crate::report::{Section, Table, brief};
use crate::stats::{Estimate, Interval};

/// How an agent plays at a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayFindings {
    /// The game spec.
    pub game: String,
    /// The number of players.
    pub players: usize,
    /// The agent.
    pub agent: String,
    /// Whether it played among strategies, and not with itself alone.
    pub among_strategies: bool,
    /// Its habits, a seat and game.
    pub habits: Vec<PlayHabit>,
}

/// A habit of an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayHabit {
    /// Its mean.
    #[serde(flatten)]
    pub mean: NamedEstimate,
    /// Whether it is a share, 0 to 1.
    pub share: bool,
}

impl PlayHabit {
    fn shown(&self) -> fn(Option<f64>) -> String {
        if self.share { percent } else { number_of_two }
    }
}

/// A number with two decimals: many habits are small numbers.
fn number_of_two(value: Option<f64>) -> String {
    match value {
        Some(value) if value.abs() < 10.0 => format!("{value:.2}"),
        other => number(other),
    }
}

/// The habits of each agent of a run.
///
/// # Errors
/// If its records cannot be read.
pub(super) fn habits_of(run: &PlayedRun<'_>, among_strategies: bool) -> Result<Vec<PlayFindings>, String> {
    let schedule = run.measured();
    let player = run.arena.player(&schedule).map_err(|error| error.to_string())?;
    let mut means: Vec<Vec<BlockMean>> = vec![Vec::new(); schedule.agents.len()];
    let (mut habits, mut block): (&[Habit], u64) = (&[], 0);
    for played in run.games(&*player)? {
        let played = played?;
        let job = schedule.job(played.record.index);
        if std::mem::replace(&mut block, job.block) != job.block {
            means.iter_mut().flatten().for_each(BlockMean::close);
        }
        let Some(statistics) = played.statistics.filter(|_| is_regular(&played.record)) else { continue };
        habits = statistics.habits.habits();
        for (seat, &agent) in job.seats.iter().enumerate() {
            let means = &mut means[agent];
            means.resize(habits.len(), BlockMean::default());
            for (place, mean) in means.iter_mut().enumerate() {
                statistics.habits.value(place, seat).into_iter().for_each(|value| mean.push(value));
            }
        }
    }
    means.iter_mut().flatten().for_each(BlockMean::close);
    let found = schedule.agents.iter().zip(&means).map(|(agent, means)| PlayFindings {
        game: schedule.game.clone(),
        players: schedule.players,
        agent: agent.to_string(),
        among_strategies,
        habits: habits.iter().zip(means).map(|(habit, mean)| named(habit, mean)).collect(),
    });
    Ok(found.filter(|found| !found.habits.is_empty()).collect())
}

fn named(habit: &Habit, mean: &BlockMean) -> PlayHabit {
    let share = habit.kind == HabitKind::Share;
    let estimate = if share { mean.share_estimate() } else { mean.estimate() };
    PlayHabit { mean: NamedEstimate { name: habit.name.to_owned(), mean: estimate }, share }
}

/// How the agents of each table play among themselves: those of the study in which most play, of equals the last one.
pub(super) fn widest(studies: &[Vec<PlayFindings>]) -> Vec<PlayFindings> {
    let table = |it: &PlayFindings| (it.among_strategies, it.game.clone(), it.players);
    let mut found: Vec<&[PlayFindings]> = Vec::new();
    for agents in studies.iter().flat_map(|study| study.chunk_by(|one, other| table(one) == table(other))) {
        match found.iter_mut().find(|known| table(&known[0]) == table(&agents[0])) {
            Some(known) if known.len() > agents.len() => {}
            Some(known) => *known = agents,
            None => found.push(agents),
        }
    }
    found.concat()
}

/// What tells the strongest agent of each table from the weakest one, in sentences.
pub(super) fn comparisons(found: &[PlayFindings]) -> Vec<String> {
    let sections = play_sections(found);
    let compared = sections.into_iter().filter(|section| section.chart.is_some());
    compared.map(|section| format!("{}. {}", section.heading, section.text)).collect()
}

/// A section for each table whose agents tell how they play: the agents are the columns of one table.
pub(super) fn play_sections(found: &[PlayFindings]) -> Vec<Section> {
    let is_beside = |one: &PlayFindings, other: &PlayFindings| {
        (&one.game, one.players, one.among_strategies) == (&other.game, other.players, other.among_strategies)
    };
    found.chunk_by(is_beside).map(section).collect()
}

fn section(agents: &[PlayFindings]) -> Section {
    let (first, last) = (&agents[0], &agents[agents.len() - 1]);
    let places: Vec<usize> = (0..first.habits.len()).collect();
    let habit = |agent: &PlayFindings, place: usize| agent.habits.get(place).cloned();
    let table = Table::of(&places).text("a seat and game", |&place| first.habits[place].mean.name.clone());
    let table = agents.iter().fold(table, |table, agent| {
        table.shown_estimate(brief(&agent.agent), |&place| {
            let shown = first.habits[place].shown();
            (habit(agent, place).and_then(|it| it.mean.mean), shown)
        })
    });
    let differences: Vec<(String, Estimate)> = places
        .iter()
        .filter_map(|&place| {
            let (from, to) = (habit(first, place)?, habit(last, place)?);
            Some((from.mean.name.clone(), relative(from.mean.mean?, to.mean.mean?)?))
        })
        .collect();
    let compares = agents.len() > 1 && !first.among_strategies;
    let bar = |(name, estimate): &(String, Estimate)| Bar { label: name.clone(), estimate: *estimate };
    let found: Vec<Bar> = differences.iter().map(bar).collect();
    let about = format!("{} against {}", brief(&last.agent), brief(&first.agent));
    let kind = if first.among_strategies { "how the strategies play" } else { "how they play" };
    Section {
        heading: format!("{}: {kind}", label(&first.game, first.players)),
        text: if compares { sentence(first, last, &differences) } else { String::new() },
        chart: compares.then(|| bars(&about, "% more than the first agent", &found, Some(0.0))),
        table: table.build(),
    }
}

/// By how many percent of the first one the second is larger, taken to be independent; `None` without intervals.
fn relative(from: Estimate, to: Estimate) -> Option<Estimate> {
    let (before, after) = (from.half_width()?, to.half_width()?);
    let base = from.value.abs();
    if base < 1e-9 {
        return None;
    }
    let ratio = to.value / base;
    // The error of a ratio to first order.
    let half = 100.0 * after.hypot(before * ratio) / base;
    let value = 100.0 * (to.value - from.value) / base;
    Some(Estimate { value, interval: Some(Interval { low: value - half, high: value + half }) })
}

/// What the last agent does more or less often than the first one beyond doubt, the largest differences first.
fn sentence(first: &PlayFindings, last: &PlayFindings, differences: &[(String, Estimate)]) -> String {
    const NAMED: usize = 4;
    let is_sure = |it: &&(String, Estimate)| it.1.interval.is_some_and(|it| it.low > 0.0 || it.high < 0.0);
    let mut sure: Vec<&(String, Estimate)> = differences.iter().filter(is_sure).collect();
    sure.sort_by(|one, other| other.1.value.abs().total_cmp(&one.1.value.abs()));
    let told = sure.iter().take(NAMED).map(|(name, it)| {
        let habit = |agent: &PlayFindings| {
            let habit = agent.habits.iter().find(|habit| habit.mean.name == *name);
            habit.map_or(String::new(), |it| it.shown()(it.mean.mean.map(|mean| mean.value)))
        };
        let more = if it.value > 0.0 { "more" } else { "less" };
        format!("{name} {more} ({}, not {})", habit(last), habit(first))
    });
    let told: Vec<String> = told.collect();
    let (last, first) = (brief(&last.agent), brief(&first.agent));
    match told.len() {
        0 => format!("{last} does nothing beyond doubt more or less often than {first}."),
        _ => format!("What tells {last} from {first} most: {}.", told.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(value: f64, half: f64) -> Option<Estimate> {
        Some(Estimate { value, interval: Some(Interval { low: value - half, high: value + half }) })
    }

    fn agent(agent: &str, columns: f64, center: f64) -> PlayFindings {
        let habit = |name: &str, mean, share| PlayHabit {
            mean: NamedEstimate { name: name.to_owned(), mean },
            share,
        };
        PlayFindings {
            game: "azul".to_owned(),
            players: 2,
            agent: agent.to_owned(),
            among_strategies: false,
            habits: vec![
                habit("complete columns", around(columns, 0.1), false),
                habit("drafts from the center", around(center, 0.02), true),
            ],
        }
    }

    #[test]
    fn agents_are_columns_of_one_table_and_sure_differences_are_told() {
        let agents =
            [agent("greedy", 1.0, 0.40), agent("mcts:sims=9", 1.1, 0.41), agent("neural:sims=32", 1.5, 0.39)];
        let sections = play_sections(&agents);
        assert_eq!(sections.len(), 1);
        assert_eq!(
            sections[0].text,
            "What tells neural:sims=32 from greedy most: complete columns more (1.50, not 1.00)."
        );
        let names: Vec<&str> = sections[0].table.columns.iter().map(|it| it.name.as_str()).collect();
        assert!(names.contains(&"greedy") && names.contains(&"neural:sims=32"), "{names:?}");
        let cells: Vec<Vec<&str>> = sections[0].table.rows().collect();
        assert_eq!((cells[1][0], cells[1][1]), ("drafts from the center", "40.0 %"));
        assert!(sections[0].chart.is_some());
        let alone = play_sections(&agents[..1]);
        assert_eq!((alone[0].chart.clone(), alone[0].text.as_str()), (None, ""));
    }

    #[test]
    fn of_several_studies_of_a_table_the_one_with_most_agents_tells() {
        let named = |name: &str| agent(name, 1.0, 0.4);
        let few = vec![named("mcts")];
        let most = vec![named("greedy"), named("neural:sims=4"), named("neural:sims=32")];
        let other = vec![PlayFindings { players: 3, ..named("greedy") }];
        let found = widest(&[few.clone(), most.clone(), other.clone(), few]);
        assert_eq!(found, [most, other].concat());
        let told = comparisons(&found);
        assert_eq!(
            told,
            [
                "azul 2: how they play. neural:sims=32 does nothing beyond doubt more or less often than greedy."
            ]
        );
    }

    #[test]
    fn ratios_have_the_errors_of_both() {
        let found = relative(around(2.0, 0.1).unwrap(), around(3.0, 0.1).unwrap()).unwrap();
        assert!((found.value - 50.0).abs() < 1e-9);
        let half = found.half_width().unwrap();
        assert!((half - 50.0 * (0.01f64 + 0.0225).sqrt()).abs() < 1e-9, "{half}");
        assert_eq!(relative(around(0.0, 0.1).unwrap(), around(3.0, 0.1).unwrap()), None);
    }
}
