//! The progress of a run on the error output: a bar on a terminal, a line now and then elsewhere.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use azulejo_experiments::game_loop::Fault;
use azulejo_experiments::run::Watch;
use indicatif::{ProgressBar, ProgressStyle};

use crate::output::note;

/// The time between two lines where no bar can be drawn.
const INTERVAL: Duration = Duration::from_secs(10);

/// Shows the progress of a run.
pub(super) struct Progress {
    games: u64,
    display: BarDisplay,
}

enum BarDisplay {
    Nothing,
    Bar(ProgressBar),
    Lines { played: u64, before: u64, begun: Instant, shown: Instant },
}

impl Progress {
    /// For a run of `games` games.
    pub(super) fn new(games: u64, quiet: bool) -> Self {
        let now = Instant::now();
        let display = if quiet {
            BarDisplay::Nothing
        } else if stderr().is_terminal() {
            BarDisplay::Bar(bar(games))
        } else {
            BarDisplay::Lines { played: 0, before: 0, begun: now, shown: now }
        };
        Progress { games, display }
    }
}

fn bar(games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} games, {per_sec}, {eta} left")
        .expect("the template is well formed");
    ProgressBar::new(games).with_style(style)
}

impl Watch for Progress {
    fn begin(&mut self, games: u64) {
        match &mut self.display {
            BarDisplay::Nothing => {}
            BarDisplay::Bar(bar) => {
                bar.set_position(games);
                bar.reset_eta();
            }
            BarDisplay::Lines { played, before, begun, shown } => {
                (*played, *before) = (games, games);
                (*begun, *shown) = (Instant::now(), Instant::now());
            }
        }
    }

    fn game(&mut self) {
        match &mut self.display {
            BarDisplay::Nothing => {}
            BarDisplay::Bar(bar) => bar.inc(1),
            BarDisplay::Lines { played, before, begun, shown } => {
                *played += 1;
                if shown.elapsed() >= INTERVAL {
                    *shown = Instant::now();
                    let speed = (*played - *before) as f64 / begun.elapsed().as_secs_f64();
                    note(format!("{played} of {} games, {speed:.1} games/s", self.games));
                }
            }
        }
    }

    fn fault(&mut self, fault: &Fault) {
        match &self.display {
            BarDisplay::Bar(bar) => bar.suspend(|| note(fault)),
            BarDisplay::Nothing | BarDisplay::Lines { .. } => note(fault),
        }
    }

    fn end(&mut self) {
        if let BarDisplay::Bar(bar) = &self.display {
            bar.finish_and_clear();
        }
    }
}
