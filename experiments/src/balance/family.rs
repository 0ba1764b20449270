//! One page of several studies, for who designs games: [`FamilyPage`].

use std::io;
use std::path::{Path, PathBuf};

use super::even::EvenFindings;
use super::play::{PlayFindings, play_sections};
use super::report::{best_strategy, id, label, points, strategies_of};
use super::skill::{SkillStep, skill_curves, stillness};
use super::sweep::{sweep_sections, swept};
use super::{BalanceFindings, SeatFindings, StrategyFindings, VariantDifference};
use crate::atomic_file::{Durability, directory_of, replace};
use crate::report::cells::{number, percent, value, with_interval};
use crate::report::chart::{Bar, bars};
use crate::report::{Report, Section, Table, brief, split_change, unrepeated};
use crate::stats::Estimate;

/// What several studies of balance found, as one page: the answers first, then the intervals, then how it was measured.
#[derive(Clone, Debug, Default)]
pub struct FamilyPage {
    studies: Vec<(String, BalanceFindings)>,
}

impl FamilyPage {
    /// The first line of such a page in Markdown.
    pub const HEADING: &'static str = "# The balance of the family";

    /// Reads the studies in these directories, which are named as they are given. Where several have games of a table, agents
    /// stand in the order of the directories; the one with the most games is told of, the last one of equals.
    ///
    /// # Errors
    /// One line that names the file, if one is missing or something else.
    pub fn read(directories: &[PathBuf]) -> Result<Self, String> {
        let studies = directories.iter().map(|directory| {
            let name = directory.display().to_string();
            Ok((name, BalanceFindings::read(directory)?))
        });
        Ok(FamilyPage { studies: studies.collect::<Result<_, String>>()? })
    }

    /// The page's files for a path without an ending.
    pub fn files(path: &Path) -> [PathBuf; 2] {
        ["md", "html"].map(|ending| path.with_extension(ending))
    }

    /// Writes the page as Markdown and, with charts, as HTML.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let (report, [markdown, html]) = (self.report(), FamilyPage::files(path));
        std::fs::create_dir_all(directory_of(&markdown))?;
        replace(&markdown, report.to_markdown(), Durability::Process)?;
        replace(&html, report.to_html(), Durability::Process)
    }

    /// The rows of one kind of all studies.
    fn all<T: Clone>(&self, of: impl Fn(&BalanceFindings) -> &Vec<T>) -> Vec<T> {
        self.studies.iter().flat_map(|(_, found)| of(found).clone()).collect()
    }

    /// The seats of all tables under the rules as they are: tables in the order in which they come first, agents within them.
    fn seats(&self) -> Vec<SeatFindings> {
        let all = self.all(|found| &found.seats);
        let usual: Vec<&SeatFindings> = all.iter().filter(|it| split_change(&it.game).1.is_none()).collect();
        let mut tables: Vec<(&str, usize)> = Vec::new();
        for it in &usual {
            let table = (it.game.as_str(), it.players);
            if !tables.contains(&table) {
                tables.push(table);
            }
        }
        // A designer asks by game first.
        tables.sort_by_key(|(game, _)| tables_order(&all, id(game)));
        let of_table = |table: (&str, usize)| {
            let mut agents: Vec<SeatFindings> = Vec::new();
            for it in usual.iter().filter(|it| (it.game.as_str(), it.players) == table) {
                // The same agent in several studies: the one with more games.
                match agents.iter_mut().find(|known| known.agent == it.agent) {
                    Some(known) if known.games >= it.games => {}
                    Some(known) => *known = (*it).clone(),
                    None => agents.push((*it).clone()),
                }
            }
            agents
        };
        tables.into_iter().flat_map(of_table).collect()
    }

    /// The report.
    pub fn report(&self) -> Report {
        let seats = self.seats();
        let foremost = foremost(&seats);
        let (steps, sweep) = (self.all(|found| &found.steps), self.all(|found| &found.sweep));
        let even = self.all(|found| &found.even);
        let mut sections = vec![going_first(&foremost)];
        sections.extend(standing_still(&steps));
        sections.extend(handicaps(&even));
        sections.push(courses(&foremost));
        sections.extend(self.changes());
        sections.extend(skill_curves(&seats, &steps));
        sections.extend(even.iter().map(EvenFindings::section));
        sections.extend(sweep_sections(&sweep, ""));
        let merged = BalanceFindings { seats: foremost.clone(), ..self.merged() };
        let mut ids: Vec<&str> = foremost.iter().map(|it| id(&it.game)).collect();
        ids.dedup();
        sections.extend(ids.into_iter().map(|id| points(&merged, id)));
        sections.extend(play_sections(&merged.play));
        let mut games: Vec<&str> = merged.strategies.iter().map(|it| it.game.as_str()).collect();
        games.dedup();
        sections.extend(games.into_iter().filter_map(|game| strategies_of(&merged, game)));
        sections.push(self.sources());
        Report {
            title: FamilyPage::HEADING.trim_start_matches("# ").to_owned(),
            lead: answers(&foremost, &steps, &even, &swept_answers(&sweep), best_strategy(&merged)),
            sections,
            notes: self.notes(),
            commands: Vec::new(),
            unrepeated: unrepeated(seats.iter().map(|it| it.agent.as_str())),
        }
    }

    /// What the studies found of play and strategies.
    fn merged(&self) -> BalanceFindings {
        let merged = BalanceFindings::new(&[], None, Vec::new(), String::new());
        let usual = |game: &str| split_change(game).1.is_none();
        let mut strategies: Vec<StrategyFindings> = Vec::new();
        for it in self.all(|found| &found.strategies).into_iter().filter(|it| usual(&it.game)) {
            let is_same = |known: &StrategyFindings| {
                (&known.game, known.players, &known.agent) == (&it.game, it.players, &it.agent)
            };
            // Studies of changes have the games of the rules as they are, too.
            if !strategies.iter().any(is_same) {
                strategies.push(it);
            }
        }
        let play = self.all(|found| &found.play).into_iter().filter(|it| usual(&it.game));
        let mut play: Vec<PlayFindings> = play.collect();
        let tables: Vec<PlayFindings> = play.clone();
        let table = |it: &PlayFindings| (it.among_strategies, it.game.clone(), it.players);
        play.sort_by_key(|it| tables.iter().position(|first| table(first) == table(it)));
        BalanceFindings { strategies, play, ..merged }
    }

    /// What single changes of the rules change beyond doubt.
    fn changes(&self) -> Option<Section> {
        let sure = |it: &VariantDifference| {
            it.difference.and_then(|it| it.interval).is_some_and(|it| it.low > 0.0 || it.high < 0.0)
        };
        let told = ["first seat's win share", "first seat's lead", "rounds", "close end"];
        let named =
            |it: &VariantDifference| told.contains(&it.name.as_str()) || it.name.starts_with("points from");
        let all = self.all(|found| &found.differences);
        let found: Vec<VariantDifference> = all.into_iter().filter(|it| sure(it) && named(it)).collect();
        let change = |it: &VariantDifference| split_change(&it.game).1.unwrap_or_default();
        let table = Table::of(&found)
            .text("change", change)
            .text("table", |it| label(&it.base, it.players))
            .text("agent", |it| brief(&it.agent).to_owned())
            .text("what", |it| it.name.clone())
            .shown_estimate("difference", |it| (it.difference, it.cell()));
        (!found.is_empty()).then(|| Section {
            heading: "What single changes of the rules change".to_owned(),
            text: "What differs beyond doubt, game by game on the same deals.".to_owned(),
            chart: None,
            table: table.build(),
        })
    }

    /// Where every figure comes from.
    fn sources(&self) -> Section {
        let table = Table::of(&self.studies)
            .text("study", |(name, _)| name.clone())
            .text("made by", |(name, found)| format!("`{} --out {name}`", found.command))
            .build();
        Section {
            heading: "The studies and their commands".to_owned(),
            text: "Each command plays its study again; its summary.json has all figures.".to_owned(),
            chart: None,
            table,
        }
    }

    fn notes(&self) -> Vec<String> {
        let names: Vec<&str> = self.studies.iter().map(|(name, _)| name.as_str()).collect();
        vec![
            "Seat 0 begins. Intervals are 95 %. What is told holds for the agents that played, those of most games at each table unless \
             others are named; how it is measured is told in docs/balance.md."
                .to_owned(),
            format!("This page is written by `azulejo report --family docs/balance-of-the-family {}`.", names.join(" ")),
        ]
    }
}

/// Where a game stands among all tables.
fn tables_order(seats: &[SeatFindings], game: &str) -> usize {
    seats.iter().position(|it| id(&it.game) == game).unwrap_or(usize::MAX)
}

/// Of each table the agent with the most games, the last one of equals.
fn foremost(seats: &[SeatFindings]) -> Vec<SeatFindings> {
    let is_beside =
        |one: &SeatFindings, other: &SeatFindings| (&one.game, one.players) == (&other.game, other.players);
    let most = |table: &[SeatFindings]| table.iter().max_by_key(|it| it.games).cloned();
    seats.chunk_by(is_beside).filter_map(most).collect()
}

/// How far seat 0's share is from an even one.
fn excess(it: &SeatFindings) -> Option<Estimate> {
    let even = 1.0 / it.players as f64;
    let shift = |share: f64| 100.0 * (share - even);
    let share = it.win_shares[0]?;
    let interval =
        share.interval.map(|it| crate::stats::Interval { low: shift(it.low), high: shift(it.high) });
    Some(Estimate { value: shift(share.value), interval })
}

/// The answers, in the order of the questions.
fn answers(
    foremost: &[SeatFindings],
    steps: &[SkillStep],
    even: &[EvenFindings],
    sweeps: &[String],
    strategy: Option<String>,
) -> Vec<String> {
    let first = is_it_good(foremost).into_iter().chain(stillness(steps));
    let handicaps = even.iter().map(EvenFindings::sentence);
    first.chain(handicaps).chain(sweeps.iter().cloned()).chain(strategy).collect()
}

/// One sentence for each key of a sweep.
fn swept_answers(rows: &[super::SweepRow]) -> Vec<String> {
    rows.chunk_by(|one, other| one.key == other.key).filter_map(swept).collect()
}

/// At how many tables of each game going first is good beyond doubt, and by how much where it is so least and most.
fn is_it_good(foremost: &[SeatFindings]) -> Vec<String> {
    let excess = |it: &SeatFindings| excess(it).unwrap_or(Estimate { value: 0.0, interval: None });
    let is_sure = |it: &&SeatFindings| excess(it).low().is_some_and(|low| low > 0.0);
    let told = |tables: &[SeatFindings]| {
        let compare = |a: &&SeatFindings, b: &&SeatFindings| excess(a).value.total_cmp(&excess(b).value);
        let (least, most) = (tables.iter().min_by(compare)?, tables.iter().max_by(compare)?);
        let shown = |it: &SeatFindings| {
            let (beyond, agent) = (with_interval(Some(excess(it)), number), brief(&it.agent));
            format!("{beyond} percentage points at {} ({agent})", label(&it.game, it.players))
        };
        let sure = tables.iter().filter(is_sure).count();
        let range =
            if tables.len() == 1 { shown(most) } else { format!("{} to {}", shown(least), shown(most)) };
        let (game, all) = (id(&most.game), tables.len());
        Some(format!(
            "{game}: going first is an advantage beyond doubt at {sure} of {all} tables; seat 0 wins more than its even share by {range}."
        ))
    };
    foremost.chunk_by(|one, other| id(&one.game) == id(&other.game)).filter_map(told).collect()
}

fn going_first(foremost: &[SeatFindings]) -> Section {
    let bar = |it: &SeatFindings| Some(Bar { label: label(&it.game, it.players), estimate: excess(it)? });
    let found: Vec<Bar> = foremost.iter().filter_map(bar).collect();
    let others = |it: &SeatFindings| {
        it.win_shares[1..].iter().map(|share| value(*share, percent)).collect::<Vec<_>>().join(", ")
    };
    let table = Table::of(foremost)
        .text("table", |it| label(&it.game, it.players))
        .text("agent", |it| brief(&it.agent).to_owned())
        .number("games", |it| it.games.to_string())
        .number("even", |it| percent(Some(1.0 / it.players as f64)))
        .estimate("wins of seat 0", percent, |it| it.win_shares[0])
        .number("of the others", others)
        .estimate("lead of seat 0", number, |it| it.leads[0]);
    Section {
        heading: "Is it good to go first?".to_owned(),
        text: "By how many percentage points seat 0 wins more than its even share, with the agent of each table that played most games; its lead is its \
               points less the mean of the others'."
            .to_owned(),
        chart: Some(bars("Wins of seat 0 beyond an even share", "percentage points", &found, Some(0.0))),
        table: table.build(),
    }
}

/// The steps between the agents of all tables.
fn standing_still(steps: &[SkillStep]) -> Option<Section> {
    let table = Table::of(steps)
        .text("table", |it| label(&it.game, it.players))
        .text("from", |it| brief(&it.from).to_owned())
        .text("to", |it| brief(&it.to).to_owned())
        .number("games", |it| it.games.to_string())
        .estimate("change of seat 0's wins", percent, |it| it.win_share)
        .estimate("of its lead", number, |it| it.lead);
    (!steps.is_empty()).then(|| Section {
        heading: "Does the figure stand still as players grow stronger?".to_owned(),
        text: "From each agent to the next one, game by game on the same deals.".to_owned(),
        chart: None,
        table: table.build(),
    })
}

fn handicaps(even: &[EvenFindings]) -> Option<Section> {
    let bar = |it: &EvenFindings| Some(Bar { label: label(&it.game, 2), estimate: it.handicap? });
    let found: Vec<Bar> = even.iter().filter_map(bar).collect();
    let between = |it: &EvenFindings| {
        it.between.map_or("-".to_owned(), |[below, above]| format!("{below} and {above}"))
    };
    let table = Table::of(even)
        .text("table", |it| label(&it.game, 2))
        .text("agent", |it| brief(&it.agent).to_owned())
        .estimate("points for seat 1", number, |it| it.handicap)
        .text("between", between);
    (!even.is_empty()).then(|| Section {
        heading: "Which handicap makes two seats even?".to_owned(),
        text: "The points that seat 1 must begin with for both to win half, draws counted half.".to_owned(),
        chart: Some(bars("The even handicap", "points for seat 1", &found, Some(0.0))),
        table: table.build(),
    })
}

/// Draws, close ends, comebacks.
fn courses(foremost: &[SeatFindings]) -> Section {
    let of = |it: &SeatFindings, name: &str| it.figures.iter().find(|figure| figure.name == name)?.mean;
    let table = Table::of(foremost)
        .text("table", |it| label(&it.game, it.players))
        .text("agent", |it| brief(&it.agent).to_owned())
        .estimate("shared wins", percent, |it| of(it, "shared win"))
        .estimate("close ends", percent, |it| of(it, "close end"))
        .estimate("winner was behind", percent, |it| of(it, "winner was behind"))
        .estimate("lead changes", number, |it| of(it, "lead changes"))
        .estimate("rounds", number, |it| of(it, "rounds"));
    Section {
        heading: "How close are games?".to_owned(),
        text: "An end is close if the winner is at most 5 points ahead; who was behind was so at the end of some round but the last."
            .to_owned(),
        chart: None,
        table: table.build(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Interval;

    fn around(value: f64, half: f64) -> Option<Estimate> {
        Some(Estimate { value, interval: Some(Interval { low: value - half, high: value + half }) })
    }

    fn seats(game: &str, agent: &str, games: u64, share: f64) -> SeatFindings {
        SeatFindings {
            game: game.to_owned(),
            players: 2,
            agent: agent.to_owned(),
            games,
            win_shares: vec![around(share, 0.01), around(1.0 - share, 0.01)],
            leads: vec![around(2.0, 1.0), around(-2.0, 1.0)],
            points: vec![around(50.0, 1.0); 2],
            figures: Vec::new(),
            sources: Vec::new(),
        }
    }

    fn page(studies: &[&[SeatFindings]]) -> FamilyPage {
        let study = |(place, seats): (usize, &&[SeatFindings])| {
            let found =
                BalanceFindings::new(&[], None, Vec::new(), format!("azulejo balance --seed {place}"));
            (format!("results/{place}"), BalanceFindings { seats: seats.to_vec(), ..found })
        };
        FamilyPage { studies: studies.iter().enumerate().map(study).collect() }
    }

    #[test]
    fn the_answers_are_those_of_the_agents_with_the_most_games() {
        let weak = [seats("azul", "greedy", 100, 0.6), seats("queens-garden", "greedy", 100, 0.52)];
        let strong = [seats("azul", "neural:sims=32", 900, 0.55), seats("azul", "greedy", 900, 0.58)];
        let found = page(&[&weak, &strong]);
        let seats = found.seats();
        let told: Vec<(&str, &str, u64)> =
            seats.iter().map(|it| (it.game.as_str(), it.agent.as_str(), it.games)).collect();
        let expected =
            [("azul", "greedy", 900), ("azul", "neural:sims=32", 900), ("queens-garden", "greedy", 100)];
        assert_eq!(told, expected);
        let report = found.report();
        assert_eq!(
            report.lead[0],
            "azul: going first is an advantage beyond doubt at 1 of 1 tables; seat 0 wins more than its even share by 5.0 [4.0, 6.0] \
             percentage points at azul 2 (neural:sims=32)."
        );
        let markdown = report.to_markdown();
        assert!(markdown.starts_with(FamilyPage::HEADING), "{markdown}");
        assert!(markdown.contains("`azulejo balance --seed 1 --out results/1`") && !markdown.contains("```"));
        assert!(!markdown.contains("handicap"), "what was not measured is not told");
    }

    #[test]
    fn a_share_is_told_beyond_an_even_one() {
        let found = excess(&seats("azul", "greedy", 1, 0.54)).unwrap();
        assert!((found.value - 4.0).abs() < 1e-9 && (found.half_width().unwrap() - 1.0).abs() < 1e-9);
    }
}
