//! Balance: how even a game is for its seats, how its games go, and which strategy its rules favor, variant
//! by variant.

mod even;
mod family;
mod paired;
mod play;
mod skill;
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
use self::play::play_sections;
pub use self::play::{PlayFindings, PlayHabit};
pub use self::skill::SkillStep;
use self::skill::{skill_curves, skill_steps, stillness};
pub use self::study::{BalanceError, BalanceStudy, OpenStudy, RuleChanges, StudyStart, Watchers};
pub use self::sweep::{Sweep, SweepError, SweepRow};
use self::sweep::{sweep_rows, sweep_sections, swept};
use crate::agent_knowledge::AgentKnowledge;
use crate::atomic_file::{Durability, replace};
use crate::measures::{NamedEstimate, mean};
use crate::report::cells::{number, percent, value, with_interval};
use crate::report::chart::{Bar, Stack, bars, stacks};
use crate::report::{FILES, Report, RunReport, Section, Table, brief, figure_cell, split_change, unrepeated};
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
        let mut sections = Vec::new();
        if !self.differences.is_empty() {
            sections.push(what_if(self));
        }
        sections.extend(sweep_sections(&self.sweep, &warnings(self).join(" ")));
        sections.extend(self.even.iter().map(EvenFindings::section));
        if !self.seats.is_empty() {
            sections.push(first_seat(self));
            sections.extend(skill_curves(&self.seats, &self.steps));
            sections.push(courses(self));
        }
        let mut ids: Vec<&str> = self.seats.iter().map(|seat| id(&seat.game)).collect();
        ids.dedup();
        sections.extend(ids.into_iter().map(|id| points(self, id)));
        sections.extend(play_sections(&self.play));
        let mut games: Vec<&str> = self.strategies.iter().map(|it| it.game.as_str()).collect();
        games.dedup();
        sections.extend(games.into_iter().filter_map(|game| strategies_of(self, game)));
        let notes = "How even the seats are, how games go, and which strategy the rules favor. Seat 0 begins; intervals are \
                     95 %. What is told holds for the agents that played: others may use the rules differently.";
        let (lead, notes, commands) = (answer(self), vec![notes.to_owned()], vec![self.command.clone()]);
        let agents = self.seats.iter().map(|seats| &seats.agent).chain(self.even.iter().map(|it| &it.agent));
        let unrepeated = unrepeated(agents.map(String::as_str));
        Report { title: "Balance".to_owned(), lead, sections, notes, commands, unrepeated }
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

/// A short name of a table: `azul:gray 3`, and with changed rules `azul 3 column_bonus=10`.
fn label(game: &str, players: usize) -> String {
    match split_change(game) {
        (variant, None) => format!("{variant} {players}"),
        (variant, Some(change)) => format!("{variant} {players} {change}"),
    }
}

/// What tells tables apart in charts, which have little room: variants of one game go without its name, and
/// agents are named where there are several.
fn names(tables: &[&SeatFindings]) -> Vec<String> {
    let alike = |of: fn(&SeatFindings) -> &str| tables.iter().all(|table| of(table) == of(tables[0]));
    let (one_game, one_agent) = (alike(|table| id(&table.game)), alike(|table| &table.agent));
    let name = |table: &&SeatFindings| {
        let label = label(&table.game, table.players);
        let short = label.split_once(':').filter(|_| one_game).map_or(&*label, |(_, options)| options);
        if one_agent { short.to_owned() } else { format!("{short} {}", brief(&table.agent)) }
    };
    tables.iter().map(name).collect()
}

/// The game's id in a spec.
fn id(spec: &str) -> &str {
    spec.split(':').next().unwrap_or(spec)
}

/// The answer: what a change changes, where going first matters most, which strategy is best.
fn answer(findings: &BalanceFindings) -> Vec<String> {
    let seats = going_first(findings).into_iter().chain(stillness(&findings.steps));
    let changes = what_changed(findings).into_iter().chain(swept(&findings.sweep));
    let even = findings.even.iter().map(EvenFindings::sentence);
    changes.chain(even).chain(seats).chain(best_strategy(findings)).collect()
}

/// The differences that a change makes beyond doubt, the surest ones first.
fn what_changed(findings: &BalanceFindings) -> Option<String> {
    const NAMED: usize = 3;
    let first = findings.differences.first()?;
    let change = split_change(&first.game).1.unwrap_or_else(|| "the change".to_owned());
    let sureness = |it: &VariantDifference| {
        let difference = it.difference?;
        let half = difference.half_width().filter(|half| *half > 0.0)?;
        Some(difference.value.abs() / half).filter(|sureness| *sureness > 1.0)
    };
    let mut sure: Vec<(f64, &VariantDifference)> =
        findings.differences.iter().filter_map(|it| Some((sureness(it)?, it))).collect();
    sure.sort_by(|a, b| b.0.total_cmp(&a.0));
    if sure.is_empty() {
        return Some(format!("With {change} nothing differs beyond doubt."));
    }
    let told = sure.iter().take(NAMED).map(|(_, it)| {
        let sign = if it.difference.is_some_and(|difference| difference.value > 0.0) { "+" } else { "" };
        let (shown, table) = (with_interval(it.difference, it.cell()), label(&it.base, it.players));
        format!("{} ({}) {sign}{shown} at {table}", it.name, strategy(&it.agent))
    });
    let (all, told) = (sure.len(), told.collect::<Vec<_>>().join("; "));
    Some(format!(
        "With {change} {all} of {} figures differ beyond doubt: {told}.",
        findings.differences.len()
    ))
}

/// Where seat 0 wins most and where it wins least, as shares of an equal share.
fn going_first(findings: &BalanceFindings) -> Option<String> {
    let share = |it: &SeatFindings| it.win_shares[0].map(|share| share.value * it.players as f64);
    let known = || findings.seats.iter().filter(|it| share(it).is_some());
    let compare =
        |a: &&SeatFindings, b: &&SeatFindings| share(a).unwrap_or(0.0).total_cmp(&share(b).unwrap_or(0.0));
    let (most, least) = (known().max_by(compare)?, known().min_by(compare)?);
    let told = |it: &SeatFindings| {
        let even = percent(Some(1.0 / it.players as f64));
        let (shown, table) = (with_interval(it.win_shares[0], percent), label(&it.game, it.players));
        format!("{shown} at {table} ({}), where {even} is even", brief(&it.agent))
    };
    Some(match known().count() {
        1 => format!("Seat 0 wins {}.", told(most)),
        _ => format!("Seat 0 wins most, {}, and least, {}.", told(most), told(least)),
    })
}

/// The strategy that is rated first at most tables.
fn best_strategy(findings: &BalanceFindings) -> Option<String> {
    let best: Vec<&str> = findings
        .strategies
        .iter()
        .filter(|it| it.standing == Standing::Best)
        .map(|it| strategy(&it.agent))
        .collect();
    let times = |name: &str| best.iter().filter(|other| **other == name).count();
    let name = best.iter().rev().max_by_key(|name| times(name))?;
    Some(format!("Of the strategies {name} is rated first at {} of {} tables.", times(name), best.len()))
}

fn first_seat(findings: &BalanceFindings) -> Section {
    let seats = &findings.seats;
    let others = |it: &SeatFindings| {
        it.leads[1..].iter().map(|lead| value(*lead, number)).collect::<Vec<_>>().join(", ")
    };
    let points = |it: &SeatFindings| {
        it.points.iter().flatten().map(|points| points.value).sum::<f64>() / it.players as f64
    };
    let table = Table::of(seats)
        .text("table", |it| label(&it.game, it.players))
        .text("agent", |it| brief(&it.agent).to_owned())
        .number("games", |it| it.games.to_string())
        .spare(3)
        .number("even", |it| percent(Some(1.0 / it.players as f64)))
        .spare(2)
        .estimate("wins of seat 0", percent, |it| it.win_shares[0])
        .estimate("lead of seat 0", number, |it| it.leads[0])
        .number("leads of the others", others)
        .spare(1)
        .number("points", |it| number(Some(points(it))))
        .spare(4);
    let named = seats.iter().zip(names(&seats.iter().collect::<Vec<_>>()));
    let bar = |(it, label): (&SeatFindings, String)| it.leads[0].map(|estimate| Bar { label, estimate });
    let found: Vec<Bar> = named.filter_map(bar).collect();
    Section {
        heading: "Going first".to_owned(),
        text: "Seat 0's wins, and its points less the mean of the others'. Even wins are 50, 33.3 and 25 % for 2, 3 and 4 \
               players."
            .to_owned(),
        chart: Some(bars("Lead of the first seat", "points", &found, Some(0.0))),
        table: table.build(),
    }
}

fn courses(findings: &BalanceFindings) -> Section {
    let table = Table::of(&findings.seats)
        .text("table", |it| label(&it.game, it.players))
        .text("agent", |it| brief(&it.agent).to_owned());
    let figures = findings.seats.first().map_or(&[][..], |seats| &seats.figures);
    let table = figures.iter().enumerate().fold(table, |table, (place, NamedEstimate { name, .. })| {
        table.number(name, |it| value(it.figures[place].mean, figure_cell(name)))
    });
    Section {
        heading: "How games go".to_owned(),
        text: "Lead changes and deficits are counted at the ends of rounds; an end is close if the winner is at most 5 points \
               ahead. Intervals are in summary.json."
            .to_owned(),
        chart: None,
        table: table.build(),
    }
}

fn points(findings: &BalanceFindings, game: &str) -> Section {
    let tables: Vec<&SeatFindings> = findings.seats.iter().filter(|seats| id(&seats.game) == game).collect();
    let names = names(&tables);
    let sources: Vec<String> = tables
        .first()
        .map_or(Vec::new(), |seats| seats.sources.iter().map(|source| source.name.clone()).collect());
    let places: Vec<usize> = (0..sources.len()).collect();
    let table = Table::of(&places).text("source", |&place| sources[place].clone());
    let table = tables.iter().zip(&names).fold(table, |table, (seats, name)| {
        table.number(name, |&place| value(seats.sources[place].mean, number))
    });
    let mean = |source: &NamedEstimate| source.mean.map_or(0.0, |mean| mean.value);
    let stack = |(seats, label): (&&SeatFindings, String)| Stack {
        label,
        parts: seats.sources.iter().map(mean).collect(),
    };
    let rows: Vec<Stack> = tables.iter().zip(names.clone()).map(stack).collect();
    Section {
        heading: format!("{game}: where the points come from"),
        text: "Mean points of each source; what takes points extends to the left.".to_owned(),
        chart: Some(stacks("Where the points come from", "points", &sources, &rows)),
        table: table.build(),
    }
}

const WEIGHTS: &str = "Named strategies are the same evaluation with other weights, all against all; plain is the evaluation as it is.";
const GOALS: &str = "Strategies are the same search bent to a goal, which counts for it as so many points would, all against all, with \
                     the search as it is among them.";

/// The strategies in a variant.
fn strategies_of(findings: &BalanceFindings, game: &str) -> Option<Section> {
    let all: Vec<&StrategyFindings> = findings.strategies.iter().filter(|it| it.game == game).collect();
    let first = all.first()?.players;
    let table = Table::of(&all)
        .text("table", |it| label(&it.game, it.players))
        .text("strategy", |it| strategy(&it.agent).to_owned())
        .estimate("rating", number, |it| it.rating)
        .estimate("win share", percent, |it| it.win_share)
        .number("points", |it| number(it.points))
        .text("standing", |it| format!("{:?}", it.standing).to_lowercase());
    let agents = all.iter().filter(|it| it.players == first).map(|it| it.agent.as_str());
    let in_order = agents.flat_map(|agent| all.iter().filter(move |it| it.agent == agent));
    let bar = |it: &&StrategyFindings| {
        let label = format!("{} {}", strategy(&it.agent), it.players);
        it.rating.map(|estimate| Bar { label, estimate })
    };
    let found: Vec<Bar> = in_order.filter_map(bar).collect();
    Some(Section {
        heading: match split_change(game) {
            (variant, None) => format!("{variant}: strategies"),
            (variant, Some(change)) => format!("{variant} with {change}: strategies"),
        },
        text: format!(
            "{} Ratings are Elo points among the strategies of a table; a strategy is behind if its interval does not reach the best \
             one's, last if all others are rated above it.",
            if all.iter().any(|it| it.agent.contains("goal=")) { GOALS } else { WEIGHTS }
        ),
        chart: Some(bars("Ratings of the strategies", "Elo points", &found, Some(0.0))),
        table: table.build(),
    })
}

/// The strategy's name in an agent's spec.
fn strategy(agent: &str) -> &str {
    match agent.split_once("goal=") {
        Some((_, goal)) => goal.split(',').next().unwrap_or(goal),
        None if agent == "greedy" => "plain",
        None => brief(agent),
    }
}

fn what_if_text(findings: &BalanceFindings) -> String {
    let all = "The changed variant less the one it is made of, game by game on the same deals. The agents keep their weights.";
    std::iter::once(all.to_owned()).chain(warnings(findings)).collect::<Vec<_>>().join(" ")
}

/// What agents do not see of changed numbers.
fn warnings(findings: &BalanceFindings) -> Vec<String> {
    let blind = findings.knowledge.iter().filter_map(AgentKnowledge::warning);
    let warnings = blind.chain(findings.unchanged.iter().filter_map(UnchangedPlay::warning));
    warnings.map(|warning| format!("Warning: {warning}.")).collect()
}

fn what_if(findings: &BalanceFindings) -> Section {
    let table_name = |it: &VariantDifference| label(&it.base, it.players);
    let table = Table::of(&findings.differences)
        .text("changed", |it| it.name.clone())
        .text("table", table_name)
        .text("agent", |it| strategy(&it.agent).to_owned())
        .shown_estimate("difference", |it| (it.difference, it.cell()));
    let in_points = findings
        .differences
        .iter()
        .filter(|it| it.name.starts_with("points from") || it.name == "first seat's lead");
    let bar = |it: &VariantDifference| {
        let label = format!("{} {}", it.name.trim_start_matches("points from "), table_name(it));
        it.difference.map(|estimate| Bar { label, estimate })
    };
    let found: Vec<Bar> = in_points.filter_map(bar).collect();
    Section {
        heading: "What the changed numbers change".to_owned(),
        text: what_if_text(findings),
        chart: Some(bars("Differences in points", "points", &found, Some(0.0))),
        table: table.build(),
    }
}
