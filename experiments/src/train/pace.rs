//! How long the parts of a training run take: a trial in a directory of its own.

use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use azulejo_agents::Playable;
use azulejo_agents::neural::{Backend, Losses};

use super::metrics::Row;
use super::recipe::Pace;
use super::{GamesPlayed, TrainConfig, TrainError, TrainWatch, Training, file_error};
use crate::game_loop::Fault;
use crate::machine::Invocation;
use crate::manifest::Status;
use crate::run::Start;
use crate::score_sources::ScoreSources;

/// Games of each kind that a trial plays for each thread.
const GAMES_PER_THREAD: u64 = 8;

/// Makes a short run with all parts of this one, in a temporary directory, and returns what they took; `None` if `stop` was
/// set.
///
/// # Errors
/// Those of the run; if there is no place for the directory.
pub fn pace<G: Playable + ScoreSources>(
    config: &TrainConfig,
    threads: NonZeroUsize,
    backend: Backend,
    stop: &AtomicBool,
) -> Result<Option<Pace>, TrainError> {
    let place = std::env::temp_dir();
    let directory = tempfile::tempdir().map_err(file_error(&place))?;
    let games = NonZeroU64::MIN.saturating_add(GAMES_PER_THREAD * threads.get() as u64 - 1);
    let config = config.trial(games);
    let training = Training {
        config: &config,
        directory: directory.path(),
        threads,
        stages: None,
        backend,
        invocation: Invocation::now([]),
    };
    let mut watch = PaceWatch::new();
    let status = training.run::<G>(Start::New, stop, &mut watch)?;
    Ok((status == Status::Finished).then(|| watch.pace(games.get())))
}

/// Takes the times of a trial.
struct PaceWatch {
    /// When the part that goes on began.
    since: Instant,
    teacher: Duration,
    selfplay: Duration,
    steps: Duration,
    measurements: Duration,
    /// Steps and measurements that were made.
    steps_made: u64,
    measured: u64,
    /// Whether a measurement goes on.
    measuring: bool,
    /// Positions and games so far.
    positions: u64,
    games: u64,
}

impl PaceWatch {
    fn new() -> Self {
        PaceWatch {
            since: Instant::now(),
            teacher: Duration::ZERO,
            selfplay: Duration::ZERO,
            steps: Duration::ZERO,
            measurements: Duration::ZERO,
            steps_made: 0,
            measured: 0,
            measuring: false,
            positions: 0,
            games: 0,
        }
    }

    /// The time since the last part ended; the next one begins.
    fn lap(&mut self) -> Duration {
        let now = Instant::now();
        now - std::mem::replace(&mut self.since, now)
    }

    /// What each part took; `games` is the number of games of each kind.
    fn pace(&self, games: u64) -> Pace {
        let each = |time: Duration, count: u64| time.as_secs_f64() / count.max(1) as f64;
        Pace {
            teacher_game: each(self.teacher, games),
            selfplay_game: each(self.selfplay, games),
            measured_game: each(self.measurements, self.measured * games),
            step: each(self.steps, self.steps_made),
            positions: self.positions as f64 / self.games.max(1) as f64,
        }
    }
}

impl TrainWatch for PaceWatch {
    fn games(&mut self, stage: u64, _done: u64, _all: u64, _played: GamesPlayed) {
        let lap = self.lap();
        *if stage == 0 { &mut self.teacher } else { &mut self.selfplay } += lap;
    }

    fn step(&mut self, _stage: u64, done: u64, _all: u64, _losses: &Losses) {
        let lap = self.lap();
        // Before the first step its examples are made, which a longer run does no more often a game.
        if done > 1 {
            self.steps += lap;
            self.steps_made += 1;
        }
    }

    fn measure(&mut self, _stage: u64, _opponent: &str) {
        let lap = self.lap();
        if std::mem::replace(&mut self.measuring, true) {
            self.measurements += lap;
        }
        self.measured += 1;
    }

    fn fault(&mut self, _fault: &Fault) {}

    fn stage(&mut self, row: &Row) {
        let lap = self.lap();
        if std::mem::take(&mut self.measuring) {
            self.measurements += lap;
        }
        (self.positions, self.games) = (row.positions, row.games);
    }
}

#[cfg(test)]
mod tests {
    use azulejo::azul::Azul;

    use super::*;

    #[test]
    fn a_trial_takes_the_time_of_every_part() {
        let config = TrainConfig::recipe("azul".to_owned(), 2);
        let (threads, stop) = (NonZeroUsize::MIN, AtomicBool::new(false));
        let found = pace::<Azul>(&config, threads, Backend::Embedded, &stop).unwrap().unwrap();
        for seconds in [found.teacher_game, found.selfplay_game, found.measured_game, found.step] {
            assert!((1e-6..10.0).contains(&seconds), "{found:?}");
        }
        assert!((10.0..200.0).contains(&found.positions), "{found:?}");
        let stopped = AtomicBool::new(true);
        assert_eq!(pace::<Azul>(&config, threads, Backend::Embedded, &stopped).unwrap(), None);
    }
}
