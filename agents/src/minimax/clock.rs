//! When a search has to end.

use std::time::Duration;

use crate::agent::Limits;
use crate::clock::{ClockLooks, SearchClock, TimeLimits};

/// Counts nodes and tells when they, or the time, are used up.
pub(super) struct Clock<'a> {
    clock: SearchClock,
    looks: ClockLooks,
    nodes: u64,
    most_nodes: u64,
    limits: Limits<'a>,
    out: bool,
}

/// The most nodes between two looks at the time and at the order to stop.
const INTERVAL: u64 = 2048;

impl<'a> Clock<'a> {
    /// A clock that starts now; `limits` is asked only whether to stop.
    pub(super) fn new(most_nodes: u64, time: TimeLimits, limits: Limits<'a>) -> Self {
        let looks = ClockLooks::new(if time.exist() { 1 } else { INTERVAL }, INTERVAL);
        Clock { clock: SearchClock::start(time), looks, nodes: 0, most_nodes, limits, out: false }
    }

    /// Counts a node, and says whether the search has to end.
    #[inline]
    pub(super) fn tick(&mut self) -> bool {
        self.nodes += 1;
        if self.looks.is_due(self.nodes) || self.nodes >= self.most_nodes {
            self.look();
        }
        self.out
    }

    #[cold]
    fn look(&mut self) {
        let late = self.looks.look(self.nodes, &self.clock);
        self.out |= self.nodes >= self.most_nodes || late || self.limits.stopped();
    }

    /// Whether the search has to end.
    #[inline]
    pub(super) fn is_out(&self) -> bool {
        self.out
    }

    /// The nodes so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The time since the start.
    pub(super) fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    /// The thread's processor time since the start; `None` where no time limits the search.
    pub(super) fn cpu(&self) -> Option<Duration> {
        self.clock.cpu()
    }
}
