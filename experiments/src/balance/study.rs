//! A study of balance from its settings to its findings: [`BalanceStudy`] says what is played, an [`OpenStudy`] plays it.

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use azulejo::{Game, GameSpec, with_game};
use azulejo_agents::settings::{parse_settings, read_settings};
use azulejo_agents::{AgentSpec, GreedyParameters};
use thiserror::Error;

use super::even::handicapped;
use super::play::habits_of;
use super::{
    BalanceFindings, PairedGames, PairedTable, PlayFindings, PlayedRun, Sweep, TableStudy, changed, goals,
    strategies,
};
use crate::agent_knowledge::AgentKnowledge;
use crate::game_loop::{Arena, arena};
use crate::machine::Invocation;
use crate::manifest::{Command, Manifest, Status, quoted};
use crate::record_file::Encoding;
use crate::report::RunReport;
use crate::rules_file::{RulesFileError, read_changes};
use crate::run::{Run, RunError, Start, Watch, run};
use crate::run_directory::{RunDirectory, RunDirectoryError};
use crate::schedule::{Pairing, Rotation, Schedule, ScheduleError};
use crate::summary::AllForfeited;

/// The file of changed numbers in a study's directory.
const RULES: &str = "rules.toml";

/// How the records are stored.
const ENCODING: Encoding = Encoding::Zstd;

/// Why a study cannot be made.
#[derive(Debug, Error)]
pub enum BalanceError {
    /// The changed numbers do not fit the game, or are none.
    #[error("{0}")]
    Changes(String),
    /// The strategies are not to be had of this agent.
    #[error("{0}")]
    Strategies(String),
    /// The file of changed numbers cannot be used.
    #[error(transparent)]
    Rules(#[from] RulesFileError),
    /// Nobody would play otherwise than under the usual rules.
    #[error(
        "no agent of this study sees {unseen}: its games of {game} would only be counted anew; add an agent that plays \
         games out to their ends, --agent mcts:rollout=greedy, or ask for that by --count-anew"
    )]
    Blind {
        /// The changed numbers.
        unseen: String,
        /// The variant.
        game: String,
    },
    /// The directory for a new study has something in it.
    #[error("{} is not empty: choose another directory, or go on with its study by --resume", .0.display())]
    NotEmpty(PathBuf),
    /// What is in the place of the findings is something else.
    #[error("{0}")]
    Place(String),
    /// The games there were played by other numbers.
    #[error("cannot go on with {}: rules.toml has other changes than --set", .0.display())]
    OtherChanges(PathBuf),
    /// A file or directory could not be read or written.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What failed.
        cause: io::Error,
    },
    /// The directory cannot be held.
    #[error(transparent)]
    Directory(#[from] RunDirectoryError),
    /// The agents and numbers of players do not fit the game.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// A run of the study failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A run of which nothing can be said.
    #[error(transparent)]
    Forfeited(#[from] AllForfeited),
    /// The records of two runs cannot be compared.
    #[error("{0}")]
    Unpaired(String),
    /// Two seats can be made even by one number, more cannot.
    #[error("--even: found {players} players, expected 2: for more there is more than one handicap to find")]
    EvenPlayers {
        /// The number of players asked for.
        players: usize,
    },
    /// It was ended early; what was played stays.
    #[error("interrupted; go on with the same command and --resume --out")]
    Interrupted,
}

/// The numbers of the rules that a study changes.
#[derive(Clone, Debug)]
pub enum RuleChanges {
    /// Lines of TOML: `column_bonus=10`.
    Set(Vec<String>),
    /// A file of such lines.
    File(PathBuf),
    /// One number, value after value.
    Sweep(Sweep),
}

/// What a study of balance plays: for each variant and number of players each agent with itself at all seats, then the strategies
/// of the game against each other.
#[derive(Clone, Debug)]
pub struct BalanceStudy {
    /// The variants; all if there is none.
    pub variants: Vec<GameSpec>,
    /// The numbers of players; all that a game seats if there is none.
    pub players: Vec<usize>,
    /// The agents.
    pub agents: Vec<AgentSpec>,
    /// The games of each agent at each table, and about as many between the strategies.
    pub games: u64,
    /// Whether the strategies are played.
    pub strategies: bool,
    /// The search whose goals are the strategies; those of `greedy` if there is none.
    pub strategies_of: Option<AgentSpec>,
    /// The numbers that are changed, in games beside those of the variants as they are.
    pub changes: Option<RuleChanges>,
    /// Whether changed rules are played even where no agent sees any of the changed numbers.
    pub count_anew: bool,
    /// The master seed.
    pub seed: u64,
}

/// How a study begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudyStart {
    /// In an empty directory.
    New,
    /// With what is in the directory.
    Resume,
    /// As one process of many, which play parts of its runs into one directory.
    Part,
}

/// Is told of each run of a study, by the number of its games, and watches it.
pub type Watchers<'a> = dyn FnMut(u64) -> Box<dyn Watch + 'a> + 'a;

/// A variant to study.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    /// The one that it is made of, if its numbers are changed.
    pub(super) base: Option<GameSpec>,
    pub(super) game: GameSpec,
    /// The value of a sweep, and its key.
    pub(super) swept: Option<(i64, String)>,
}

impl BalanceStudy {
    /// Holds the study's directory and makes sure that it holds nothing but this study.
    ///
    /// # Errors
    /// See [`BalanceError`]. Nothing is written then.
    pub fn open(&self, directory: &Path, start: StudyStart) -> Result<OpenStudy<'_>, BalanceError> {
        let (variants, rules) = self.changed_variants()?;
        let knowledge = self.knowledge(&variants)?;
        if self.plays_strategies() {
            variants.iter().try_for_each(|variant| self.strategies_in(variant.game).map(|_| ()))?;
        }
        self.open_with(variants, knowledge, rules, (directory, start))
    }

    /// The same for the study that finds even handicaps.
    ///
    /// # Errors
    /// See [`BalanceError`]. Nothing is written then.
    pub fn open_even(&self, directory: &Path, start: StudyStart) -> Result<OpenStudy<'_>, BalanceError> {
        if let Some(&players) = self.players.iter().find(|&&players| players != 2) {
            return Err(BalanceError::EvenPlayers { players });
        }
        let (variants, rules) = self.changed_variants()?;
        let games: Vec<GameSpec> = variants.iter().map(|variant| variant.game).collect();
        let knowledge = self.knowledge(&handicapped(&games)?)?;
        self.open_with(variants, knowledge, rules, (directory, start))
    }

    fn open_with(
        &self,
        variants: Vec<Variant>,
        knowledge: Vec<AgentKnowledge>,
        rules: Option<String>,
        (directory, start): (&Path, StudyStart),
    ) -> Result<OpenStudy<'_>, BalanceError> {
        let directory = match start {
            StudyStart::Part => RunDirectory::shared(directory)?,
            StudyStart::New | StudyStart::Resume => RunDirectory::exclusive(directory)?,
        };
        let open = OpenStudy { study: self, variants, knowledge, directory, start };
        open.prepare(rules)?;
        Ok(open)
    }

    /// The variants asked for, and those with changed numbers; the text of the rules if it is given.
    fn changed_variants(&self) -> Result<(Vec<Variant>, Option<String>), BalanceError> {
        let games = if self.variants.is_empty() { GameSpec::all() } else { self.variants.clone() };
        let as_is = |&game| Variant { base: None, game, swept: None };
        let mut variants: Vec<Variant> = games.iter().map(as_is).collect();
        let (numbers, text) = match &self.changes {
            None => return Ok((variants, None)),
            Some(RuleChanges::Sweep(sweep)) => {
                for &game in &games {
                    variants.extend(swept_variants(game, sweep)?);
                }
                return Ok((variants, None));
            }
            Some(RuleChanges::File(file)) => (read_changes(file)?, None),
            Some(RuleChanges::Set(lines)) => {
                let text = lines.join("\n") + "\n";
                let numbers = parse_settings(&text);
                (numbers.map_err(|problem| BalanceError::Changes(format!("--set: {problem}")))?, Some(text))
            }
        };
        for &game in &games {
            let made = changed(game, &numbers).map_err(BalanceError::Changes)?;
            variants.push(Variant { base: Some(game), game: made, swept: None });
        }
        Ok((variants, text))
    }

    /// The sweep, if the study is one.
    fn sweep(&self) -> Option<&Sweep> {
        match &self.changes {
            Some(RuleChanges::Sweep(sweep)) => Some(sweep),
            _ => None,
        }
    }

    /// Whether the strategies are played: a sweep is of the agents alone.
    fn plays_strategies(&self) -> bool {
        self.strategies && self.sweep().is_none()
    }

    /// What the agents see of changed numbers.
    ///
    /// # Errors
    /// If no agent sees any of them, unless that is asked for.
    fn knowledge(&self, variants: &[Variant]) -> Result<Vec<AgentKnowledge>, BalanceError> {
        let mut agents = self.agents.clone();
        // The strategies see what the plain evaluation sees, or the search that they are of.
        let plain = self.strategies_of.clone();
        let plain = plain.unwrap_or_else(|| AgentSpec::Greedy(GreedyParameters::default()));
        if self.plays_strategies() && !agents.contains(&plain) {
            agents.push(plain);
        }
        let mut all = Vec::new();
        let mut told = Vec::new();
        for Variant { base, game, .. } in variants.iter().filter(|variant| variant.base.is_some()) {
            // All values of a sweep change the same number.
            if self.sweep().is_some() && std::mem::replace(&mut told, vec![*base]) == [*base] {
                continue;
            }
            let found = AgentKnowledge::of(*game, &agents);
            let blind = found.first().filter(|_| found.iter().all(|it| it.seen.is_empty()));
            if let Some(first) = blind.filter(|_| !self.count_anew) {
                let (unseen, game) = (first.unseen.join(", "), game.variant().to_string());
                return Err(BalanceError::Blind { unseen, game });
            }
            all.extend(found);
        }
        Ok(all)
    }

    /// The numbers of players with which a variant is studied.
    fn counts(&self, game: GameSpec) -> Vec<usize> {
        if !self.players.is_empty() {
            return self.players.clone();
        }
        with_game!(game, |_rules: &'static G::Rules| <G as Game>::PLAYERS).collect()
    }

    /// What is played at a table: each agent with itself, then the strategies against each other.
    fn runs(&self, game: GameSpec, players: usize, table: &Path) -> Result<Vec<TableRun>, BalanceError> {
        let run = |schedule, name: &str| TableRun { game, schedule, directory: table.join(name) };
        let mut runs = Vec::new();
        for agent in &self.agents {
            let (place, agents) = ((game, players), std::slice::from_ref(agent));
            let schedule = Schedule::selfplay(place, agents, self.games, self.seed, Rotation::Fixed)?;
            runs.push(run(schedule, &slug(&agent.to_string())));
        }
        if self.plays_strategies() {
            let agents = self.strategies_in(game)?;
            let of = |games| Schedule::tournament((game, players), &agents, games, self.seed, Pairing::All);
            runs.push(run(of(self.games.div_ceil(of(1)?.lineups.len() as u64))?, "strategies"));
        }
        Ok(runs)
    }

    /// The agents of a game's strategies.
    fn strategies_in(&self, game: GameSpec) -> Result<Vec<AgentSpec>, BalanceError> {
        with_game!(game, |_rules: &'static G::Rules| match &self.strategies_of {
            Some(agent) => goals::<G>(agent).map_err(BalanceError::Strategies),
            None => Ok(strategies::<G>()),
        })
    }

    /// The command that makes the study again.
    fn command_line(&self) -> String {
        let mut words = vec!["azulejo".to_owned(), "balance".to_owned()];
        let mut option = |name: &str, value: String| words.extend([format!("--{name}"), value]);
        self.variants.iter().for_each(|game| option("game", game.to_string()));
        let all = || GameSpec::PLAYERS.map(|players| players.to_string()).collect();
        let counts: Vec<String> = self.players.iter().map(ToString::to_string).collect();
        option("players", if counts.is_empty() { all() } else { counts }.join(","));
        self.agents.iter().for_each(|agent| option("agent", agent.to_string()));
        option("games", self.games.to_string());
        self.strategies_of.iter().for_each(|agent| option("strategies-of", agent.to_string()));
        option("seed", self.seed.to_string());
        match &self.changes {
            Some(RuleChanges::Set(lines)) => lines.iter().for_each(|line| option("set", line.clone())),
            Some(RuleChanges::File(file)) => option("rules", file.display().to_string()),
            Some(RuleChanges::Sweep(sweep)) => option("sweep", sweep.to_string()),
            None => {}
        }
        let flags = [
            ("--no-strategies", !self.strategies && self.sweep().is_none()),
            ("--count-anew", self.count_anew),
        ];
        words.extend(flags.into_iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| flag.to_owned()));
        words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

/// A study in its directory, which nobody else writes into.
#[derive(Debug)]
pub struct OpenStudy<'a> {
    pub(super) study: &'a BalanceStudy,
    variants: Vec<Variant>,
    knowledge: Vec<AgentKnowledge>,
    directory: RunDirectory,
    start: StudyStart,
}

impl OpenStudy<'_> {
    /// What the agents see of changed numbers.
    pub fn agent_knowledge(&self) -> &[AgentKnowledge] {
        &self.knowledge
    }

    /// Checks that the directory has nothing but this study, and puts the text of the rules there.
    fn prepare(&self, rules: Option<String>) -> Result<(), BalanceError> {
        let out = self.directory.path();
        let io = |cause| BalanceError::Io { path: out.to_owned(), cause };
        if self.start == StudyStart::New && !self.directory.is_unused(RULES, &[]).map_err(io)? {
            return Err(BalanceError::NotEmpty(out.to_owned()));
        }
        BalanceFindings::check_place(out).map_err(BalanceError::Place)?;
        let file = out.join(RULES);
        // Games that were played by other numbers cannot be gone on with.
        let before = read_settings(&file).ok().filter(|text| !text.is_empty());
        match (before, rules) {
            (Some(before), Some(rules)) if before != rules => {
                return Err(BalanceError::OtherChanges(out.to_owned()));
            }
            (None, Some(rules)) => {
                let written = self.directory.write_settings(RULES, &rules);
                written.map_err(|cause| BalanceError::Io { path: file, cause })?;
            }
            _ => {}
        }
        // What others write who play other parts is no leftover.
        if self.start == StudyStart::Part { Ok(()) } else { self.directory.remove_leftovers(&[]).map_err(io) }
    }

    /// Plays what is missing and writes the findings.
    ///
    /// # Errors
    /// See [`BalanceError`]. What was played stays.
    pub fn play(
        &self,
        threads: NonZeroUsize,
        invocation: &Invocation,
        stop: &AtomicBool,
        watchers: &mut Watchers<'_>,
    ) -> Result<BalanceFindings, BalanceError> {
        let mut player = StudyPlayer { open: self, threads, invocation, stop, watchers };
        let mut studies = Vec::new();
        for variant in &self.variants {
            for players in self.study.counts(variant.game) {
                studies.push(player.table(variant, players)?);
            }
        }
        let (sweep, knowledge) = (self.study.sweep(), self.knowledge.clone());
        let findings = BalanceFindings::new(&studies, sweep, knowledge, self.study.command_line());
        let out = self.directory.path();
        findings.write(out).map_err(|cause| BalanceError::Io { path: out.to_owned(), cause })?;
        Ok(findings)
    }

    /// Finds the handicaps that make two seats even, see [`find_even`](super::find_even), and writes the findings.
    ///
    /// # Errors
    /// See [`BalanceError`]. What was played stays.
    pub fn play_even(
        &self,
        threads: NonZeroUsize,
        invocation: &Invocation,
        stop: &AtomicBool,
        watchers: &mut Watchers<'_>,
    ) -> Result<BalanceFindings, BalanceError> {
        let mut player = StudyPlayer { open: self, threads, invocation, stop, watchers };
        let found = self.variants.iter().map(|variant| player.even(variant));
        let found = found.collect::<Result<Vec<_>, _>>()?.concat();
        let command = format!("{} --even", self.study.command_line());
        let findings = BalanceFindings::of_handicaps(found, self.knowledge.clone(), command);
        let out = self.directory.path();
        findings.write(out).map_err(|cause| BalanceError::Io { path: out.to_owned(), cause })?;
        Ok(findings)
    }

    /// Hands each run of the study to `visit`, in their order: for those who play parts of them.
    ///
    /// # Errors
    /// The first one of `visit`, or if agents and numbers of players do not fit the game.
    pub fn for_each_run<E: From<ScheduleError> + From<BalanceError>>(
        &self,
        threads: NonZeroUsize,
        invocation: &Invocation,
        mut visit: impl FnMut(&Run<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for variant in &self.variants {
            for players in self.study.counts(variant.game) {
                let directory = self.table_directory(variant, players);
                let runs =
                    self.study.runs(variant.game, players, &directory).map_err(|error| match error {
                        BalanceError::Schedule(error) => E::from(error),
                        error => E::from(error),
                    })?;
                for table in runs {
                    visit(&table.run(&*arena(variant.game), threads, invocation))?;
                }
            }
        }
        Ok(())
    }

    /// Where the runs of a table are.
    pub(super) fn table_directory(&self, variant: &Variant, players: usize) -> PathBuf {
        let changed = match (&variant.swept, variant.base) {
            (Some((value, key)), _) => format!("-{}-{value}", slug(key)),
            (None, Some(_)) => "-changed".to_owned(),
            (None, None) => String::new(),
        };
        let name = format!("{}-{players}{changed}", slug(&variant.base.unwrap_or(variant.game).to_string()));
        self.directory.path().join(name)
    }
}

/// One run at a table.
pub(super) struct TableRun {
    pub(super) game: GameSpec,
    pub(super) schedule: Schedule,
    pub(super) directory: PathBuf,
}

impl TableRun {
    /// How its games are played.
    fn run<'a>(&'a self, arena: &'a dyn Arena, threads: NonZeroUsize, invocation: &Invocation) -> Run<'a> {
        let schedule = &self.schedule;
        let command = if schedule.agents.len() == 1 { Command::Selfplay } else { Command::Tournament };
        Run {
            arena,
            manifest: Manifest::new(command, schedule, ENCODING, Pairing::All, None),
            invocation: invocation.clone(),
            schedule,
            anchor: None,
            sprt: None,
            directory: &self.directory,
            encoding: ENCODING,
            threads,
        }
    }

    fn played<'a>(&'a self, arena: &'a dyn Arena) -> PlayedRun<'a> {
        PlayedRun { arena, schedule: &self.schedule, directory: &self.directory, encoding: ENCODING }
    }
}

/// Plays the tables of a study.
pub(super) struct StudyPlayer<'a, 'w> {
    pub(super) open: &'a OpenStudy<'a>,
    threads: NonZeroUsize,
    invocation: &'a Invocation,
    stop: &'a AtomicBool,
    watchers: &'a mut Watchers<'w>,
}

impl StudyPlayer<'_, '_> {
    fn table(&mut self, variant: &Variant, players: usize) -> Result<TableStudy, BalanceError> {
        let (study, &Variant { base, game, .. }) = (self.open.study, variant);
        let runs = study.runs(game, players, &self.open.table_directory(variant, players))?;
        let mut reports = runs.iter().map(|run| self.play(run)).collect::<Result<Vec<_>, _>>()?;
        let strategies = reports.split_off(study.agents.len()).pop();
        let paired = match base {
            Some(base) => {
                let unchanged = Variant { base: None, game: base, swept: None };
                let directory = self.open.table_directory(&unchanged, players);
                Some(self.paired(&study.runs(base, players, &directory)?, &runs)?)
            }
            None => None,
        };
        let play = self.play_of(variant, &runs)?;
        let (steps, value) = (self.steps(variant, &runs)?, variant.swept.as_ref().map(|it| it.0));
        Ok(TableStudy { base, game, value, players, seats: reports, steps, play, strategies, paired })
    }

    /// How the agents of each run play, which nobody asks for within a sweep.
    fn play_of(&self, variant: &Variant, runs: &[TableRun]) -> Result<Vec<PlayFindings>, BalanceError> {
        if variant.swept.is_some() {
            return Ok(Vec::new());
        }
        let agents = self.open.study.agents.len();
        let found = runs.iter().enumerate().map(|(place, run)| {
            let arena = arena(run.game);
            habits_of(&run.played(&*arena), place >= agents).map_err(BalanceError::Unpaired)
        });
        Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// The games of each agent but the first beside those of the one before it, which nobody asks for within a sweep.
    fn steps(&self, variant: &Variant, runs: &[TableRun]) -> Result<Vec<PairedGames>, BalanceError> {
        if variant.swept.is_some() {
            return Ok(Vec::new());
        }
        let seats = &runs[..self.open.study.agents.len()];
        seats.windows(2).map(|both| compared(&both[0], &both[1])).collect()
    }

    /// Plays a run, or reads what it has found already.
    pub(super) fn play(&mut self, table: &TableRun) -> Result<RunReport, BalanceError> {
        let arena = arena(table.game);
        let it = table.run(&*arena, self.threads, self.invocation);
        let start = if self.open.start == StudyStart::New { Start::New } else { Start::Resume };
        let mut watch = (self.watchers)(table.schedule.games);
        let (summary, status) = run(&it, start, self.stop, &mut *watch)?;
        if status == Status::Interrupted {
            return Err(BalanceError::Interrupted);
        }
        AllForfeited::check(&summary)?;
        Ok(RunReport { manifest: Manifest { status, ..it.manifest }, summary })
    }

    /// The games of a changed variant beside those of the same deals under the rules as they are.
    fn paired(&self, base: &[TableRun], changed: &[TableRun]) -> Result<PairedTable, BalanceError> {
        let both = base.iter().zip(changed).map(|(base, changed)| compared(base, changed));
        let mut seats = both.collect::<Result<Vec<_>, _>>()?;
        let strategies = seats.split_off(self.open.study.agents.len()).pop();
        Ok(PairedTable { seats, strategies })
    }
}

/// The variants of a sweep, but for the value that the rules have as they are.
fn swept_variants(game: GameSpec, sweep: &Sweep) -> Result<Vec<Variant>, BalanceError> {
    let mut variants = Vec::new();
    for &value in sweep.values() {
        let line = sweep.line(value);
        let problem = |problem: String| BalanceError::Changes(format!("--sweep: {line}: {problem}"));
        let numbers = parse_settings(&line).map_err(problem)?;
        let made = changed(game, &numbers).map_err(problem)?;
        if made != game {
            variants.push(Variant {
                base: Some(game),
                game: made,
                swept: Some((value, sweep.key().to_owned())),
            });
        }
    }
    Ok(variants)
}

/// The games of a run beside those of another one on the same deals.
fn compared(base: &TableRun, other: &TableRun) -> Result<PairedGames, BalanceError> {
    let arenas = [arena(base.game), arena(other.game)];
    PairedGames::read(&base.played(&*arenas[0]), &other.played(&*arenas[1])).map_err(BalanceError::Unpaired)
}

/// A spec as part of a directory's name.
pub(super) fn slug(spec: &str) -> String {
    let name = spec.split("rules=").next().unwrap_or(spec).trim_end_matches([':', ',']);
    name.replace(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-', "-")
}
