//! `azulejo balance`

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use azulejo::{GameSpec, with_game};
use azulejo_agents::settings::{parse_settings, read_settings};
use azulejo_agents::{AgentSpec, GreedyParameters};
use azulejo_experiments::Schedule;
use azulejo_experiments::agent_knowledge::AgentKnowledge;
use azulejo_experiments::balance::{
    BalanceFindings, PairedGames, PairedTable, PlayedRun, TableStudy, UnchangedPlay, changed, strategies,
};
use azulejo_experiments::game_loop::{Arena, arena};
use azulejo_experiments::manifest::{Command, Manifest, Status, quoted};
use azulejo_experiments::record_file::Encoding;
use azulejo_experiments::report::RunReport;
use azulejo_experiments::rules_file::{read_changes, read_game};
use azulejo_experiments::run::{Run, Start, run};
use azulejo_experiments::run_directory::RunDirectory;
use azulejo_experiments::schedule::{Pairing, Rotation};
use azulejo_experiments::shard::Shard;
use clap::Args;

use super::blindness::warn_of_blindness;
use super::contention::warn_of_contention;
use super::directory::OutputDirectory;
use super::options::{players, seats, thread_count, threads};
use super::progress::Progress;
use super::recording::{AllForfeited, invocation};
use super::sharding::play_part;
use super::signals::{STOP, stop_at_signals};
use super::tables::print_report;
use super::width::WidthOption;
use crate::output::{note, output};

/// Study how balanced games are: seats, course of the games, sources of points, strategies
///
/// For each variant and number of players the agents play with themselves at all seats, and the game's named
/// strategies play all against all. With --set or --rules every variant is also played with changed numbers,
/// and the differences are shown.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  azulejo balance --game azul --game azul:gray --players 2,3,4 --games 2000
  azulejo balance --game summer-pavilion --players 2 --agent greedy --agent mcts:sims=100 --games 400
  azulejo balance --game azul --players 2 --set column_bonus=10 --out results/columns-10
  azulejo balance --game azul --players 2 --set 'floor=[-1,-1,-1,-1,-1,-1,-1]' --set 'factories=[6,7,9]'")]
pub(super) struct BalanceArgs {
    /// A variant, may be given several times [default: all variants]
    #[arg(long = "game", value_name = "SPEC", value_parser = read_game)]
    games_specs: Vec<GameSpec>,
    /// Numbers of players [default: all that a game seats]
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = players)]
    players: Vec<usize>,
    /// An agent that plays with itself at all seats, may be given several times
    #[arg(long = "agent", value_name = "SPEC", default_value = "greedy")]
    agents: Vec<AgentSpec>,
    /// Games of each agent at each table, and about as many between the strategies
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Leave out the strategies
    #[arg(long)]
    no_strategies: bool,
    /// A number of the rules and what it is changed to, may be given several times: column_bonus=10
    #[arg(long, value_name = "KEY=VALUE", conflicts_with = "rules")]
    set: Vec<String>,
    /// A TOML file with the numbers of the rules that are changed
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Play changed rules even where no agent sees any of the changed numbers: its games are those of the usual rules,
    /// only counted anew
    #[arg(long)]
    count_anew: bool,
    /// The master seed: the same seed gives the same games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Games that run at once; the results depend on it only where agents think for a time [default: all cores]
    #[arg(long, value_name = "T", value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
    /// The directory for the results, which must be empty or new [default: results/balance/<time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Play only part I of N of the games of every run, as a process of many, and put it into shards/ in the run's directory; the
    /// same command with --resume in place of --shard puts all parts together and plays what is missing
    #[arg(long, value_name = "I/N", requires = "out", conflicts_with = "resume")]
    shard: Option<Shard>,
    /// Go on with the study in --out
    #[arg(long, requires = "out")]
    resume: bool,
    /// Print nothing but errors
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    width: WidthOption,
}

/// The file of changed numbers in a study's directory.
const RULES: &str = "rules.toml";

/// How the records are stored.
const ENCODING: Encoding = Encoding::Zstd;

/// A variant to study, with the one that it is made of.
type Variant = (Option<GameSpec>, GameSpec);

/// One run at a table.
struct TableRun {
    game: GameSpec,
    schedule: Schedule,
    directory: PathBuf,
}

impl TableRun {
    fn played<'a>(&'a self, arena: &'a dyn Arena) -> PlayedRun<'a> {
        PlayedRun { arena, schedule: &self.schedule, directory: &self.directory, encoding: ENCODING }
    }
}

impl BalanceArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let place = OutputDirectory::named_or_new(self.out.as_deref(), "balance")?;
        let out = place.path().to_owned();
        let (variants, rules) = self.variants()?;
        let knowledge = self.knowledge(&variants)?;
        let directory = match self.shard {
            Some(_) => RunDirectory::shared(&out)?,
            None => RunDirectory::exclusive(&out)?,
        };
        self.prepare(&directory, rules)?;
        if !self.quiet {
            warn_of_contention(&self.agents, threads(self.threads));
            warn_of_blindness(&knowledge);
        }
        stop_at_signals()?;
        if let Some(shard) = self.shard {
            return self.play_parts(shard, &variants, &out);
        }
        let mut studies = Vec::new();
        for &(base, game) in &variants {
            for players in self.counts(game) {
                studies.push(self.study((base, game), players, &out)?);
            }
        }
        let findings = BalanceFindings::new(&studies, knowledge, self.command_line());
        findings.write(&out).with_context(|| out.display().to_string())?;
        for warning in findings.unchanged.iter().filter_map(UnchangedPlay::warning) {
            note(format!("warning: {warning}"));
        }
        if !self.quiet {
            let mut output = output();
            print_report(&mut output, &findings.report(), self.width.columns())?;
            writeln!(output, "\nwritten to {}", out.display())?;
        }
        Ok(())
    }

    /// Plays a part of each run.
    fn play_parts(&self, shard: Shard, variants: &[Variant], out: &Path) -> anyhow::Result<()> {
        for &(base, game) in variants {
            for players in self.counts(game) {
                let table = Self::table_directory((base, game), players, out);
                for table in self.runs(game, players, &table)? {
                    play_part(&self.table_run(&table, &*arena(table.game)), shard, self.quiet)?;
                }
            }
        }
        Ok(())
    }

    /// The numbers of players with which a variant is studied.
    fn counts(&self, game: GameSpec) -> Vec<usize> {
        if self.players.is_empty() { seats(game).collect() } else { self.players.clone() }
    }

    /// Checks that the directory has nothing but this study, and puts the text of the rules there.
    fn prepare(&self, directory: &RunDirectory, rules: Option<String>) -> anyhow::Result<()> {
        let out = directory.path();
        let place = || out.display().to_string();
        let begins = !self.resume && self.shard.is_none();
        if begins && !directory.is_unused(RULES, &[]).with_context(place)? {
            bail!("{} is not empty: choose another directory, or go on with its study by --resume", place());
        }
        BalanceFindings::check_place(out).map_err(|problem| anyhow!(problem))?;
        let file = out.join(RULES);
        // Games that were played by other numbers cannot be gone on with.
        let before = read_settings(&file).ok().filter(|text| !text.is_empty());
        match (before, rules) {
            (Some(before), Some(rules)) if before != rules => {
                bail!("cannot go on with {}: rules.toml has other changes than --set", place());
            }
            (None, Some(rules)) => {
                directory.write_settings(RULES, &rules).with_context(|| file.display().to_string())?
            }
            _ => {}
        }
        // What others write who play other parts is no leftover.
        if self.shard.is_none() { directory.remove_leftovers(&[]).with_context(place) } else { Ok(()) }
    }

    /// The variants asked for, and those with changed numbers; the text of the rules if `--set` gives them.
    fn variants(&self) -> anyhow::Result<(Vec<Variant>, Option<String>)> {
        let games = if self.games_specs.is_empty() { GameSpec::all() } else { self.games_specs.clone() };
        let mut variants: Vec<Variant> = games.iter().map(|&game| (None, game)).collect();
        let text = (!self.set.is_empty()).then(|| self.set.join("\n") + "\n");
        let numbers = match (&self.rules, &text) {
            (Some(file), _) => read_changes(file)?,
            (None, Some(text)) => parse_settings(text).map_err(|problem| anyhow!("--set: {problem}"))?,
            (None, None) => return Ok((variants, None)),
        };
        for &game in &games {
            let made = changed(game, &numbers).map_err(|problem| anyhow!(problem))?;
            variants.push((Some(game), made));
        }
        Ok((variants, text))
    }

    /// What the agents see of changed numbers.
    ///
    /// # Errors
    /// If no agent sees any of them, unless that is asked for.
    fn knowledge(&self, variants: &[Variant]) -> anyhow::Result<Vec<AgentKnowledge>> {
        let mut agents = self.agents.clone();
        // The strategies see what the plain evaluation sees.
        let plain = AgentSpec::Greedy(GreedyParameters::default());
        if !self.no_strategies && !agents.contains(&plain) {
            agents.push(plain);
        }
        let mut all = Vec::new();
        for (_, game) in variants.iter().filter(|(base, _)| base.is_some()) {
            let found = AgentKnowledge::of(*game, &agents);
            let blind = found.first().filter(|_| found.iter().all(|it| it.seen.is_empty()));
            if let Some(first) = blind.filter(|_| !self.count_anew) {
                bail!(
                    "no agent of this study sees {}: its games of {} would only be counted anew; add an agent that plays \
                     games out to their ends, --agent mcts:rollout=greedy, or ask for that by --count-anew",
                    first.unseen.join(", "),
                    game.variant()
                );
            }
            all.extend(found);
        }
        Ok(all)
    }

    fn study(&self, (base, game): Variant, players: usize, out: &Path) -> anyhow::Result<TableStudy> {
        let runs = self.runs(game, players, &Self::table_directory((base, game), players, out))?;
        let mut reports = runs.iter().map(|run| self.play(run)).collect::<anyhow::Result<Vec<_>>>()?;
        let strategies = reports.split_off(self.agents.len()).pop();
        let paired = match base {
            Some(base) => {
                let table = Self::table_directory((None, base), players, out);
                Some(self.paired(&self.runs(base, players, &table)?, &runs)?)
            }
            None => None,
        };
        Ok(TableStudy { base, game, players, seats: reports, strategies, paired })
    }

    /// Where the runs of a table are.
    fn table_directory((base, game): Variant, players: usize, out: &Path) -> PathBuf {
        let changed = if base.is_some() { "-changed" } else { "" };
        out.join(format!("{}-{players}{changed}", slug(&base.unwrap_or(game).to_string())))
    }

    /// What is played at a table: each agent with itself, then the strategies against each other.
    fn runs(&self, game: GameSpec, players: usize, table: &Path) -> anyhow::Result<Vec<TableRun>> {
        let run = |schedule, name: &str| TableRun { game, schedule, directory: table.join(name) };
        let mut runs = Vec::new();
        for agent in &self.agents {
            let (place, agents) = ((game, players), std::slice::from_ref(agent));
            let schedule = Schedule::selfplay(place, agents, self.games, self.seed, Rotation::Fixed)?;
            runs.push(run(schedule, &slug(&agent.to_string())));
        }
        if !self.no_strategies {
            let agents = with_game!(game, |_rules: &'static G::Rules| strategies::<G>());
            let of = |games| Schedule::tournament((game, players), &agents, games, self.seed, Pairing::All);
            runs.push(run(of(self.games.div_ceil(of(1)?.lineups.len() as u64))?, "strategies"));
        }
        Ok(runs)
    }

    /// The games of a changed variant beside those of the same deals under the rules as they are.
    fn paired(&self, base: &[TableRun], changed: &[TableRun]) -> anyhow::Result<PairedTable> {
        let compare = |(base, changed): (&TableRun, &TableRun)| {
            let arenas = [arena(base.game), arena(changed.game)];
            PairedGames::read(&base.played(&*arenas[0]), &changed.played(&*arenas[1]))
                .map_err(|problem| anyhow!(problem))
        };
        let mut seats = base.iter().zip(changed).map(compare).collect::<anyhow::Result<Vec<_>>>()?;
        let strategies = seats.split_off(self.agents.len()).pop();
        Ok(PairedTable { seats, strategies })
    }

    /// How the games of a table are played.
    fn table_run<'a>(&self, table: &'a TableRun, arena: &'a dyn Arena) -> Run<'a> {
        let schedule = &table.schedule;
        let command = if schedule.agents.len() == 1 { Command::Selfplay } else { Command::Tournament };
        Run {
            arena,
            manifest: Manifest::new(command, schedule, ENCODING, Pairing::All, None),
            invocation: invocation(),
            schedule,
            anchor: None,
            sprt: None,
            directory: &table.directory,
            encoding: ENCODING,
            threads: threads(self.threads),
        }
    }

    /// Plays a run, or reads what it has found already.
    fn play(&self, table: &TableRun) -> anyhow::Result<RunReport> {
        let arena = arena(table.game);
        let it = self.table_run(table, &*arena);
        let start = if self.resume { Start::Resume } else { Start::New };
        let (summary, status) = run(&it, start, &STOP, &mut Progress::new(table.schedule.games, self.quiet))?;
        if status == Status::Interrupted {
            bail!("interrupted; go on with the same command and --resume --out");
        }
        AllForfeited::check(&summary)?;
        Ok(RunReport { manifest: Manifest { status, ..it.manifest }, summary })
    }

    /// The command that makes the study again.
    fn command_line(&self) -> String {
        let mut words = vec!["azulejo".to_owned(), "balance".to_owned()];
        let mut option = |name: &str, value: String| words.extend([format!("--{name}"), value]);
        self.games_specs.iter().for_each(|game| option("game", game.to_string()));
        let all = || GameSpec::PLAYERS.map(|players| players.to_string()).collect();
        let counts: Vec<String> = self.players.iter().map(ToString::to_string).collect();
        option("players", if counts.is_empty() { all() } else { counts }.join(","));
        self.agents.iter().for_each(|agent| option("agent", agent.to_string()));
        option("games", self.games.to_string());
        option("seed", self.seed.to_string());
        self.set.iter().for_each(|change| option("set", change.clone()));
        self.rules.iter().for_each(|file| option("rules", file.display().to_string()));
        for (flag, _) in [("--no-strategies", self.no_strategies), ("--count-anew", self.count_anew)]
            .into_iter()
            .filter(|(_, is_set)| *is_set)
        {
            words.push(flag.to_owned());
        }
        words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

/// A spec as part of a directory's name.
fn slug(spec: &str) -> String {
    let name = spec.split("rules=").next().unwrap_or(spec).trim_end_matches([':', ',']);
    name.replace(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-', "-")
}
