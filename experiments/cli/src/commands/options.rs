//! Options that several commands share.

use std::io;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::thread;

use azulejo::{Game, GameSpec, SpecError, check_seats, with_game};
use azulejo_experiments::manifest::Command;
use azulejo_experiments::output_file::Existing;
use azulejo_experiments::rules_file::read_game;
use azulejo_experiments::shard::Shard;
use clap::Args;

use super::directory::OutputDirectory;
use super::width::WidthOption;

/// What is played.
#[derive(Debug, Args)]
pub(super) struct TableOptions {
    /// The game and its variant, as `azulejo games` lists them
    #[arg(long, value_name = "SPEC", default_value = "azul", value_parser = read_game)]
    pub game: GameSpec,
    /// The number of players, as many as the game seats (see `azulejo games`)
    #[arg(long, value_name = "N", default_value = "2", value_parser = players)]
    pub players: usize,
}

impl TableOptions {
    /// The game and the number of players, if the game seats so many.
    pub(super) fn checked(&self) -> Result<(GameSpec, usize), SpecError> {
        Ok((self.game, self.game.check_players(self.players)?))
    }
}

/// How a run is played and where it is written.
#[derive(Debug, Args)]
pub(super) struct RunOptions {
    /// The master seed: the same seed gives the same records, unless agents think for a time
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Games that run at once; the results depend on it only where agents think for a time [default: all cores]
    #[arg(long, value_name = "T", value_parser = thread_count)]
    pub threads: Option<NonZeroUsize>,
    /// The directory for the results, which must be empty or new [default: results/<command>/<time>]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Go on with the run in --out
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Play only part I of N of the games, as a process of many, and put it into shards/ in --out; the same command with
    /// --resume in place of --shard puts all parts together and plays what is missing
    #[arg(long, value_name = "I/N", requires = "out", conflicts_with = "resume")]
    pub shard: Option<Shard>,
    /// Compress the records
    #[arg(long)]
    pub compress: bool,
    /// Keep what searches found in the records; those of agents limited by time are kept always
    #[arg(long)]
    pub analysis: bool,
    /// Cut games off after this many moves
    #[arg(long, value_name = "N", default_value_t = azulejo::record::MOVE_LIMIT)]
    pub move_limit: usize,
    /// Print nothing but errors
    #[arg(long)]
    pub quiet: bool,
    #[command(flatten)]
    pub width: WidthOption,
}

impl RunOptions {
    /// The directory of the run: as given, or a new one for this command.
    pub(super) fn directory(&self, command: Command) -> io::Result<OutputDirectory> {
        OutputDirectory::named_or_new(self.out.as_deref(), &command.to_string())
    }
}

/// What `--force` lets become of a file in the place of an output.
pub(super) fn existing(force: bool) -> Existing {
    if force { Existing::Replaced } else { Existing::Kept }
}

/// The numbers of players that a game seats.
pub(super) fn seats(game: GameSpec) -> RangeInclusive<usize> {
    with_game!(game, |_rules: &'static G::Rules| <G as Game>::PLAYERS)
}

/// Reads a number of players.
pub(super) fn players(text: &str) -> Result<usize, String> {
    let players = text.parse().map_err(|_| "expected a whole number".to_owned())?;
    check_seats(players, GameSpec::PLAYERS).map_err(|error| error.to_string())
}

/// The most threads that can be asked for.
const MAX_THREADS: usize = 1024;

/// Reads a number of threads.
pub(super) fn thread_count(text: &str) -> Result<NonZeroUsize, String> {
    let count = text.parse().ok().filter(|count: &NonZeroUsize| count.get() <= MAX_THREADS);
    count.ok_or_else(|| format!("expected a whole number from 1 to {MAX_THREADS}"))
}

/// The number of threads: as given, or one for each core.
pub(super) fn threads(given: Option<NonZeroUsize>) -> NonZeroUsize {
    given.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}
