//! When a search has to end.

use std::time::{Duration, Instant};

use crate::agent::Limits;

/// Counts nodes and tells when they, or the time, are used up.
pub(super) struct Clock<'a> {
    start: Instant,
    nodes: u64,
    most_nodes: u64,
    time: Option<Duration>,
    limits: Limits<'a>,
    /// The number of nodes at which to look again.
    next_look: u64,
    out: bool,
}

/// The time is read once for so many nodes.
const INTERVAL: u64 = 2048;

impl<'a> Clock<'a> {
    /// A clock that starts now; `limits` is asked only whether to stop.
    pub(super) fn new(most_nodes: u64, time: Option<Duration>, limits: Limits<'a>) -> Self {
        let next_look = INTERVAL.min(most_nodes);
        Clock { start: Instant::now(), nodes: 0, most_nodes, time, limits, next_look, out: false }
    }

    /// Counts a node, and says whether the search has to end.
    #[inline]
    pub(super) fn tick(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.look();
        }
        self.out
    }

    #[cold]
    fn look(&mut self) {
        self.next_look = (self.nodes + INTERVAL).min(self.most_nodes).max(self.nodes + 1);
        let late = self.time.is_some_and(|time| self.start.elapsed() >= time);
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
        self.start.elapsed()
    }
}
