//! Balance: how even a game is for its seats, how its games go, and which strategy its rules favor, variant
//! by variant.

mod even;
mod family;
mod first_seat;
mod paired;
mod play;
mod report;
mod skill;
mod strategies;
mod study;
mod sweep;

use std::path::Path;

use azulejo::{Changes, GameSpec, MAX_PLAYERS};
use azulejo_agents::AgentSpec;
use azulejo_agents::bounded_file::read_text;
use azulejo_agents::heuristic::Heuristic;
use serde::{Deserialize, Serialize};

pub use self::even::{EvenFindings, HandicapRow, find_even};
pub use self::family::FamilyPage;
pub use self::paired::{PairedGames, PlayedRun};
pub use self::play::{PlayFindings, PlayHabit};
use self::report::{id, label};
pub use self::skill::SkillStep;
use self::skill::skill_steps;
pub use self::study::{BalanceError, BalanceStudy, OpenStudy, RuleChanges, StudyStart, Watchers};
use self::sweep::sweep_rows;
pub use self::sweep::{Sweep, SweepError, SweepRow};
use crate::agent_knowledge::AgentKnowledge;
use crate::atomic_file::{Durability, replace};
use crate::measures::{NamedEstimate, mean};
use crate::report::cells::percent;
use crate::report::{FILES, Report, RunReport, figure_cell};
use crate::stats::Estimate;
use crate::summary::check::{MAX_SUMMARY, bounded, check_values, names as named};
use crate::summary::{AgentSummary, Summary};

/// The most rows of a study's tables.
const MOST_ROWS: usize = 2000;
/// The name of a study's findings in its directory.
const SUMMARY: &str = "summary.json";

/// The agents of a game's strategies: the plain evaluation first.
pub fn strategies<G: Heuristic>() -> Vec<AgentSpec> {
    let named = G::STRATEGIES.iter().map(|it| format!("greedy:strategy={}", it.name));
    let specs = ["greedy".to_owned()].into_iter().chain(named);
    specs.map(|spec| spec.parse().expect("strategies have plain names")).collect()
}

/// A search as it is, and bent to each goal of a game.
///
/// # Errors
/// One line, if the agent takes no goal, or has one already.
pub fn goals<G: Heuristic>(agent: &AgentSpec) -> Result<Vec<AgentSpec>, String> {
    let spec = agent.to_string();
    let refusal = || format!("--strategies-of: found '{spec}', expected mcts or neural without goal=");
    if spec.contains("goal=") {
        return Err(refusal());
    }
    let separator = if spec.contains(':') { ',' } else { ':' };
    let bent = G::GOALS.iter().map(|goal| format!("{spec}{separator}goal={}", goal.name).parse());
    let bent = bent.collect::<Result<Vec<AgentSpec>, _>>().map_err(|_| refusal())?;
    Ok([agent.clone()].into_iter().chain(bent).collect())
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
    /// The value that the swept number has here, if there is one.
    pub value: Option<i64>,
    /// The number of players.
    pub players: usize,
    /// For each agent its games with itself at all seats.
    pub seats: Vec<RunReport>,
    /// The games of each agent but the first beside those of the one before it, on the same deals.
    pub steps: Vec<PairedGames>,
    /// How the agents play, and how the strategies do.
    pub play: Vec<PlayFindings>,
    /// All strategies against each other.
    pub strategies: Option<RunReport>,
    /// The games beside those of the variant whose numbers were changed, if they were.
    pub paired: Option<PairedTable>,
}

/// The games of a table with changed rules beside those with the rules as they are.
#[derive(Clone, Debug)]
pub struct PairedTable {
    /// For each agent its games with itself.
    pub seats: Vec<PairedGames>,
    /// The strategies' games.
    pub strategies: Option<PairedGames>,
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
    #[serde(with = "means")]
    pub win_shares: Vec<Option<Estimate>>,
    /// For each seat its points less the mean of the others'.
    #[serde(with = "means")]
    pub leads: Vec<Option<Estimate>>,
    /// For each seat its points.
    #[serde(with = "means")]
    pub points: Vec<Option<Estimate>>,
    /// What is told of games as a whole.
    pub figures: Vec<NamedEstimate>,
    /// Where the points of all seats come from.
    pub sources: Vec<NamedEstimate>,
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
    #[serde(with = "mean")]
    pub win_share: Option<Estimate>,
    /// Its rating among the strategies.
    #[serde(with = "mean")]
    pub rating: Option<Estimate>,
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
pub struct BalanceFindings {
    /// The command that makes the study again.
    pub command: String,
    /// The seats, by variant, players and agent.
    pub seats: Vec<SeatFindings>,
    /// From each agent of a table to the next one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<SkillStep>,
    /// The strategies, by variant and players.
    pub strategies: Vec<StrategyFindings>,
    /// What changed numbers change.
    pub differences: Vec<VariantDifference>,
    /// What was found at each value of a sweep, by variant, players and agent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sweep: Vec<SweepRow>,
    /// How the agents play, and how the strategies do, by variant and players.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub play: Vec<PlayFindings>,
    /// The handicaps that make two seats even, by variant and agent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub even: Vec<EvenFindings>,
    /// How many games changed numbers left as they were.
    #[serde(default)]
    pub unchanged: Vec<UnchangedPlay>,
    /// What the agents see of changed numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub knowledge: Vec<AgentKnowledge>,
}

/// Games of an agent that have the same moves under changed rules, on the same deals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnchangedPlay {
    /// The changed variant.
    pub game: String,
    /// The number of players.
    pub players: usize,
    /// The agent at all seats.
    pub agent: String,
    /// The games that were compared.
    pub games: u64,
    /// Those with the same moves.
    pub alike: u64,
}

impl UnchangedPlay {
    /// A warning where an agent never played differently; `None` where it did.
    pub fn warning(&self) -> Option<String> {
        let UnchangedPlay { game, players, agent, games, alike } = self;
        (alike == games).then(|| {
            format!(
                "{agent} plays all {games} games of {game} for {players} as without the change: it does not look at the \
                 changed numbers, and its figures only count the same play anew"
            )
        })
    }
}

/// What changed numbers change: the changed variant less its base.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VariantDifference {
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
    #[serde(flatten, with = "mean")]
    pub difference: Option<Estimate>,
}

impl VariantDifference {
    /// How the difference is shown: as a share, or as a number.
    fn cell(&self) -> fn(Option<f64>) -> String {
        let share = self.name.starts_with("win share") || self.name.ends_with("win share");
        if share { percent } else { figure_cell(&self.name) }
    }
}

/// Lists of estimates, each with the keys of a mean.
mod means {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::mean;
    use crate::stats::Estimate;

    #[derive(Serialize, Deserialize)]
    struct Mean(#[serde(with = "mean")] Option<Estimate>);

    pub(super) fn serialize<S: Serializer>(
        estimates: &[Option<Estimate>],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(estimates.iter().map(|&estimate| Mean(estimate)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Option<Estimate>>, D::Error> {
        let means = Vec::<Mean>::deserialize(deserializer)?;
        Ok(means.into_iter().map(|Mean(estimate)| estimate).collect())
    }
}

impl BalanceFindings {
    /// What the studies found that this command made, by agents that see so much of changed numbers. What was found at the
    /// values of a sweep stands in its rows alone.
    pub fn new(
        studies: &[TableStudy],
        sweep: Option<&Sweep>,
        knowledge: Vec<AgentKnowledge>,
        command: String,
    ) -> Self {
        let rows = sweep.map_or(Vec::new(), |sweep| sweep_rows(sweep, studies));
        let studies: Vec<&TableStudy> = studies.iter().filter(|study| study.value.is_none()).collect();
        let studies = || studies.iter().copied();
        BalanceFindings {
            command,
            sweep: rows,
            seats: studies().flat_map(|study| study.seats.iter().filter_map(seat_findings)).collect(),
            steps: studies().flat_map(skill_steps).collect(),
            strategies: studies().flat_map(strategy_findings).collect(),
            differences: studies().flat_map(differences).collect(),
            play: studies().flat_map(|study| study.play.clone()).collect(),
            even: Vec::new(),
            unchanged: studies().flat_map(unchanged).collect(),
            knowledge,
        }
    }

    /// The handicaps that the study with this command found.
    pub(crate) fn of_handicaps(
        even: Vec<EvenFindings>,
        knowledge: Vec<AgentKnowledge>,
        command: String,
    ) -> Self {
        BalanceFindings { even, ..BalanceFindings::new(&[], None, knowledge, command) }
    }

    /// Reads `summary.json` in a study's directory.
    ///
    /// # Errors
    /// One line that names the file, if it is missing or something else.
    pub fn read(directory: &Path) -> Result<Self, String> {
        let path = directory.join(SUMMARY);
        let text = read_text(&path, MAX_SUMMARY).map_err(|error| error.to_string());
        text.and_then(|text| Self::parse(&text)).map_err(|problem| format!("{}: {problem}", path.display()))
    }

    /// Reads the text of a study's `summary.json`.
    ///
    /// # Errors
    /// If it is something else, or has numbers that no study comes to.
    pub fn parse(text: &str) -> Result<Self, String> {
        let findings: BalanceFindings = serde_json::from_str(text).map_err(|error| error.to_string())?;
        check_values(&findings)?;
        findings.check()?;
        Ok(findings)
    }

    /// Whether a report can be made of them: lists have an entry for each seat, and tables the same columns.
    fn check(&self) -> Result<(), String> {
        bounded("seats", self.seats.len(), MOST_ROWS)?;
        bounded("steps", self.steps.len(), MOST_ROWS)?;
        bounded("strategies", self.strategies.len(), MOST_ROWS)?;
        bounded("differences", self.differences.len(), 100 * MOST_ROWS)?;
        bounded("play", self.play.len(), MOST_ROWS)?;
        self.play.iter().try_for_each(|play| bounded("play.habits", play.habits.len(), MOST_ROWS))?;
        bounded("even", self.even.len(), MOST_ROWS)?;
        self.even.iter().try_for_each(|even| bounded("even.rows", even.rows.len(), MOST_ROWS))?;
        bounded("sweep", self.sweep.len(), MOST_ROWS)?;
        bounded("unchanged", self.unchanged.len(), MOST_ROWS)?;
        for (place, seats) in self.seats.iter().enumerate() {
            let alike = |other: &&SeatFindings| id(&other.game) == id(&seats.game);
            let first = self.seats.iter().find(alike).unwrap_or(seats);
            let lists = [seats.win_shares.len(), seats.leads.len(), seats.points.len()];
            let fits = (1..=MAX_PLAYERS).contains(&seats.players)
                && lists == [seats.players; 3]
                && named(&seats.figures) == named(&self.seats[0].figures)
                && named(&seats.sources) == named(&first.sources);
            if !fits {
                return Err(format!("seats[{place}]: its lists do not fit its players, or those before it"));
            }
        }
        Ok(())
    }

    /// Checks that [`write`](Self::write) takes the place of nothing but a study's files.
    ///
    /// # Errors
    /// One line that names what is there.
    pub fn check_place(directory: &Path) -> Result<(), String> {
        // A study's summary comes before its report.
        let taken = [SUMMARY].iter().chain(&FILES).any(|name| directory.join(name).exists());
        if taken { BalanceFindings::read(directory).map(|_| ()) } else { Ok(()) }
    }

    /// Writes `summary.json`, `report.html` and `report.md` into a study's directory.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&self, directory: &Path) -> std::io::Result<()> {
        let summary = serde_json::to_string_pretty(self)? + "\n";
        replace(&directory.join(SUMMARY), summary, Durability::Disk)?;
        self.report().write(directory)
    }

    /// The report.
    pub fn report(&self) -> Report {
        report::report(self)
    }
}

fn seat_findings(run: &RunReport) -> Option<SeatFindings> {
    let Summary { game, players, games, agents, seats, measures, .. } = &run.summary;
    let measures = measures.as_ref()?;
    Some(SeatFindings {
        game: game.clone(),
        players: *players,
        agent: agents.first()?.spec.clone(),
        games: *games,
        win_shares: seats.iter().map(|seat| seat.win_share).collect(),
        leads: measures.seats.iter().map(|seat| seat.advantage).collect(),
        points: measures.seats.iter().map(|seat| seat.score).collect(),
        figures: measures.figures.clone(),
        sources: measures.agents.first()?.sources.clone(),
    })
}

fn strategy_findings(study: &TableStudy) -> Vec<StrategyFindings> {
    let Some(run) = &study.strategies else { return Vec::new() };
    let agents = &run.summary.agents;
    let rating = |agent: &AgentSummary| agent.rating.map_or(f64::NEG_INFINITY, |it| it.value);
    let Some(best) = agents.iter().max_by(|a, b| rating(a).total_cmp(&rating(b))) else { return Vec::new() };
    let lowest = best.rating.and_then(Estimate::low);
    let standing =
        |agent: &AgentSummary| match agents.iter().filter(|other| rating(other) < rating(agent)).count() {
            _ if agent.spec == best.spec => Standing::Best,
            0 => Standing::Last,
            _ if agent.rating.and_then(Estimate::high) >= lowest => Standing::Close,
            _ => Standing::Behind,
        };
    let findings = agents.iter().map(|agent| StrategyFindings {
        game: run.summary.game.clone(),
        players: run.summary.players,
        agent: agent.spec.clone(),
        win_share: agent.win_share,
        rating: agent.rating,
        points: agent.mean_score,
        standing: standing(agent),
    });
    findings.collect()
}

fn differences(study: &TableStudy) -> Vec<VariantDifference> {
    let (Some(base), Some(paired)) = (study.base, &study.paired) else { return Vec::new() };
    let difference = |agent: &AgentSummary, name: &str, difference: Option<Estimate>| VariantDifference {
        game: study.game.to_string(),
        base: base.to_string(),
        players: study.players,
        agent: agent.spec.clone(),
        name: name.to_owned(),
        difference,
    };
    let seats = study.seats.iter().zip(&paired.seats).flat_map(|(run, games)| {
        let agent = &run.summary.agents[0];
        games.differences().map(move |(name, found)| difference(agent, name, found))
    });
    let strategies = study.strategies.iter().zip(&paired.strategies).flat_map(|(run, games)| {
        let agents = run.summary.agents.iter().zip(games.win_shares());
        agents.map(|(agent, found)| difference(agent, "win share among strategies", found))
    });
    seats.chain(strategies).collect()
}

fn unchanged(study: &TableStudy) -> Vec<UnchangedPlay> {
    let pairs = study.paired.iter().flat_map(|paired| study.seats.iter().zip(&paired.seats));
    let of = |(run, games): (&RunReport, &PairedGames)| UnchangedPlay {
        game: study.game.to_string(),
        players: study.players,
        agent: run.summary.agents[0].spec.clone(),
        games: games.games,
        alike: games.alike,
    };
    pairs.map(of).collect()
}
