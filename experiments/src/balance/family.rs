//! One page of several studies, for who designs games: [`FamilyPage`].

use std::io;
use std::path::{Path, PathBuf};

use super::play::{PlayFindings, comparisons, play_sections, widest};
use super::report::{id, label, points};
use super::sweep::{sweep_sections, swept};
use super::{
    BalanceFindings, SeatFindings, SkillStep, StrategyFindings, VariantDifference, even, first_seat, skill,
    strategies, sweep,
};
use crate::atomic_file::{Durability, directory_of, replace};
use crate::report::{Chapter, Report, Section, Table, brief, split_change, unrepeated};

/// What several studies of balance found, as one page: the answers first, then the intervals, then how it was measured.
#[derive(Clone, Debug, Default)]
pub struct FamilyPage {
    studies: Vec<(String, BalanceFindings)>,
}

/// Who plays, for readers who do not know the agents' specs.
const AGENTS: &str = "The players are programs that play with themselves at all seats. `greedy` sees one move ahead. `mcts` and `neural` search \
                      before each move, as many lines of play as `sims` says: `neural` is led by the network that comes with its game, \
                      `mcts:rollout=greedy` plays each line to the end of the game, so that it counts by the rules as they are changed, \
                      and `mcts` alone values how things stand, in which it weighs the changed numbers that it knows. What is told holds \
                      for such players; people were not measured.";
const COMMANDS: &str = "Each command plays its study again; its summary.json has all figures.";

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
        let (report, [markdown, html]) = (self.report(path), FamilyPage::files(path));
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

    /// The report that is written to the files of a path.
    pub fn report(&self, path: &Path) -> Report {
        let seats = self.seats();
        let foremost = foremost(&seats);
        let (steps, even) = (self.steps(), self.all(|found| &found.even));
        let strategies = self.strategies();
        let chapters = [
            Some(first_seat::chapter(&foremost)),
            skill::chapter(&seats, &steps),
            even::chapter(&even),
            self.what_if(),
            Some(self.course(&foremost)),
            strategies::chapter(&strategies),
            Some(self.sources()),
        ];
        let answers = [
            skill::stillness(&steps),
            even::in_short(&even),
            sweep::in_short(&self.all(|found| &found.sweep)),
            strategies::in_short(&strategies),
        ];
        let lead = first_seat::in_short(&foremost).into_iter().chain(answers.into_iter().flatten());
        Report {
            title: FamilyPage::HEADING.trim_start_matches("# ").to_owned(),
            lead: lead.collect(),
            chapters: chapters.into_iter().flatten().collect(),
            notes: self.notes(path),
            unrepeated: unrepeated(seats.iter().map(|it| it.agent.as_str())),
            ..Report::default()
        }
    }

    /// The steps between agents of growing strength. Studies of changed rules compare agents of different kinds.
    fn steps(&self) -> Vec<SkillStep> {
        let of_strength = self.studies.iter().filter(|(_, found)| found.sweep.is_empty());
        of_strength.flat_map(|(_, found)| found.steps.clone()).collect()
    }

    /// The strategies under the rules as they are. Studies of changes have their games, too.
    fn strategies(&self) -> Vec<StrategyFindings> {
        let mut strategies: Vec<StrategyFindings> = Vec::new();
        let all = self.all(|found| &found.strategies);
        for it in all.into_iter().filter(|it| split_change(&it.game).1.is_none()) {
            let is_same = |known: &StrategyFindings| {
                (&known.game, known.players, &known.agent) == (&it.game, it.players, &it.agent)
            };
            if !strategies.iter().any(is_same) {
                strategies.push(it);
            }
        }
        strategies
    }

    /// How the agents play, table by table, and where their points come from.
    fn course(&self, foremost: &[SeatFindings]) -> Chapter {
        let usual = |it: &&PlayFindings| split_change(&it.game).1.is_none();
        let play = self.studies.iter().map(|(_, found)| found.play.iter().filter(usual).cloned().collect());
        let mut play = widest(&play.collect::<Vec<Vec<PlayFindings>>>());
        play.sort_by_key(|it| (it.among_strategies, tables_order(foremost, id(&it.game))));
        let points = foremost.chunk_by(|one, other| id(&one.game) == id(&other.game)).map(points);
        Chapter {
            heading: "How do they play, and where do points come from?".to_owned(),
            answers: comparisons(&play),
            sections: points.chain(play_sections(&play)).collect(),
        }
    }

    /// What changed rules change.
    fn what_if(&self) -> Option<Chapter> {
        let sweep = self.all(|found| &found.sweep);
        let sections: Vec<Section> = self.changes().into_iter().chain(sweep_sections(&sweep, "")).collect();
        (!sections.is_empty()).then(|| Chapter {
            heading: "What if the rules were others?".to_owned(),
            answers: swept(&sweep),
            sections,
        })
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
    fn sources(&self) -> Chapter {
        let table = Table::of(&self.studies)
            .text("study", |(name, _)| name.clone())
            .text("made by", |(name, found)| format!("`{} --out {name}`", found.command))
            .build();
        Chapter {
            heading: "How was it measured?".to_owned(),
            answers: vec![AGENTS.to_owned(), COMMANDS.to_owned()],
            sections: vec![Section {
                heading: "The studies and their commands".to_owned(),
                table,
                ..Section::default()
            }],
        }
    }

    fn notes(&self, path: &Path) -> Vec<String> {
        let names: Vec<&str> = self.studies.iter().map(|(name, _)| name.as_str()).collect();
        vec![
            "Seat 0 begins. Intervals are 95 %. What is told holds for the agents that played, those of most games at each table unless \
             others are named; how it is measured is told in docs/balance.md."
                .to_owned(),
            format!("This page is written by `azulejo report --family {} {}`.", path.display(), names.join(" ")),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Estimate, Interval};

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
        let report = found.report(Path::new("page"));
        assert_eq!(
            report.lead[0],
            "azul: Who goes first wins 55.0 % [54.0 %, 56.0 %] with 2 players (even: 50.0 %), as neural:sims=32 plays. At 1 of 1 tables, all \
             boards and rules, it is an advantage beyond doubt."
        );
        let markdown = report.to_markdown();
        assert!(markdown.starts_with(FamilyPage::HEADING), "{markdown}");
        assert!(markdown.contains("`azulejo balance --seed 1 --out results/1`") && !markdown.contains("```"));
        assert!(!markdown.contains("handicap"), "what was not measured is not told");
    }
}
