//! When a search has to end.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::agent::Limits;
use crate::clock::{ClockLooks, SearchClock, TimeLimits};

/// What a thread that helps has taken so far, for others to see.
#[derive(Debug, Default)]
pub(super) struct ShownEffort {
    nodes: AtomicU64,
    /// Processor time in nanoseconds.
    cpu: AtomicU64,
}

/// Counts nodes and tells when they, or the time, are used up.
pub(super) struct Clock<'a> {
    clock: SearchClock,
    looks: ClockLooks,
    nodes: u64,
    most_nodes: u64,
    limits: Limits<'a>,
    out: bool,
    /// Where to show what the thread has taken, if it helps.
    shown: Option<&'a ShownEffort>,
    /// What those that help it have taken.
    beside: &'a [ShownEffort],
}

/// The most nodes between two looks at the time and at the order to stop.
const INTERVAL: u64 = 2048;

impl<'a> Clock<'a> {
    /// A clock that starts now; `limits` is asked only whether to stop.
    pub(super) fn new(most_nodes: u64, time: TimeLimits, limits: Limits<'a>) -> Self {
        let looks = ClockLooks::new(if time.exist() { 1 } else { INTERVAL }, INTERVAL);
        let clock = SearchClock::start(time);
        Clock { clock, looks, nodes: 0, most_nodes, limits, out: false, shown: None, beside: &[] }
    }

    /// The same for a thread that helps: it shows what it takes, and looks more often whether the search has ended, since others
    /// wait for it then.
    pub(super) fn showing(self, shown: &'a ShownEffort) -> Self {
        Clock { shown: Some(shown), looks: ClockLooks::new(1, INTERVAL / 8), ..self }
    }

    /// The same for a thread that is helped by those that show this.
    pub(super) fn helped_by(self, beside: &'a [ShownEffort]) -> Self {
        Clock { beside, ..self }
    }

    /// Shows what the thread has taken.
    pub(super) fn show(&self) {
        if let Some(ShownEffort { nodes, cpu }) = self.shown {
            nodes.store(self.nodes, Ordering::Relaxed);
            cpu.store(self.cpu().unwrap_or_default().as_nanos() as u64, Ordering::Relaxed);
        }
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
        self.show();
    }

    /// Whether the search has to end.
    #[inline]
    pub(super) fn is_out(&self) -> bool {
        self.out
    }

    /// The thread's nodes so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The time since the start.
    pub(super) fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    /// The thread's processor time since the start; `None` where no time limits the search.
    fn cpu(&self) -> Option<Duration> {
        self.clock.cpu()
    }

    /// The nodes so far, and likewise the processor time, with those of the threads that help, as far as they have shown them.
    pub(super) fn effort_of_all(&self) -> (u64, Option<Duration>) {
        let read = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let nodes: u64 = self.beside.iter().map(|thread| read(&thread.nodes)).sum();
        let cpu: u64 = self.beside.iter().map(|thread| read(&thread.cpu)).sum();
        (self.nodes + nodes, self.cpu().map(|own| own + Duration::from_nanos(cpu)))
    }
}
