//! Several threads for one tree: the one that searches walks, and hands what it finds to helpers as well.
//!
//! A search spends most of its time on judging leaves and working out policies, which takes the state alone. So only one thread
//! knows the tree, as ever; it puts states on *desks*, and whoever is free works one off, itself included. What a walk has
//! passed counts as lost meanwhile ([`virtual_loss`](super::virtual_loss)), which sends the next one elsewhere. Which value comes
//! first is chance: two such searches need not find the same.

use std::hint;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::task::Poll;
use std::thread;

use azulejo::seed::derive;
use azulejo::{Game, Generator};

use crate::cache::Cache;
use crate::evaluator::{Evaluator, Expectation, Utility};

/// A place for one simulation that is under way: what is asked of it, and the answer.
pub(super) struct Desk<G: Game> {
    stage: AtomicU8,
    /// The number of the worker whom the question is for, unless another one has nothing to do; after the answer that of the worker
    /// who found it.
    worker: AtomicU8,
    /// Held by the one that the stage says, and no longer; so nobody waits for it.
    paper: Mutex<Paper<G>>,
}

/// What is written on a desk.
pub(super) struct Paper<G: Game> {
    pub state: G,
    pub question: Question,
    /// The answer to [`Question::Value`].
    pub value: Option<Expectation>,
    /// The legal actions, and the answer to [`Question::Policy`].
    pub actions: Vec<G::Action>,
    pub probabilities: Vec<f32>,
}

impl<G: Game> Paper<G> {
    /// Writes a question down.
    pub(super) fn ask(&mut self, state: G, question: Question) {
        (self.state, self.question) = (state, question);
    }
}

/// What is asked about a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// What each seat can expect.
    Value,
    /// In which order the actions are to be tried, and how likely each is to be good.
    Policy,
}

/// The stages of a desk.
mod stage {
    /// Nothing is under way here.
    pub const FREE: u8 = 0;
    /// There is a question that nobody works on.
    pub const OPEN: u8 = 1;
    /// Somebody works on it.
    pub const TAKEN: u8 = 2;
    /// There is an answer.
    pub const DONE: u8 = 3;
}

/// Why nobody else holds a desk's paper, and no one has left it in a panic.
const ALONE: &str = "a desk is one thread's at a time";

impl<G: Game> Desk<G> {
    /// A free desk; the state is any.
    pub(super) fn new(state: G) -> Self {
        let paper = Paper {
            state,
            question: Question::Value,
            value: None,
            actions: Vec::with_capacity(G::MAX_LEGAL),
            probabilities: Vec::with_capacity(G::MAX_LEGAL),
        };
        Desk { stage: AtomicU8::new(stage::FREE), worker: AtomicU8::new(0), paper: Mutex::new(paper) }
    }

    /// Whether nothing is under way here.
    pub(super) fn is_free(&self) -> bool {
        self.stage.load(Ordering::Relaxed) == stage::FREE
    }

    /// Whether there is an answer.
    pub(super) fn is_done(&self) -> bool {
        self.stage.load(Ordering::Acquire) == stage::DONE
    }

    /// What is written here, for the thread whose desk it is.
    pub(super) fn paper(&self) -> MutexGuard<'_, Paper<G>> {
        self.paper.lock().expect(ALONE)
    }

    /// Lets workers have the question that has been written, this one first: it may remember what the answer takes.
    pub(super) fn open(&self, worker: u8) {
        self.worker.store(worker, Ordering::Relaxed);
        self.stage.store(stage::OPEN, Ordering::Release);
    }

    /// Who found the answer.
    pub(super) fn answered_by(&self) -> u8 {
        self.worker.load(Ordering::Relaxed)
    }

    /// Ends what was under way here.
    pub(super) fn clear(&self) {
        self.stage.store(stage::FREE, Ordering::Relaxed);
    }

    /// Works off what is asked here, if something is and nobody else does; returns whether it did.
    fn work(&self, Worker { number, evaluator, rng }: &mut Worker<G>) -> bool {
        let taken =
            self.stage.compare_exchange(stage::OPEN, stage::TAKEN, Ordering::Acquire, Ordering::Relaxed);
        if taken.is_err() {
            return false;
        }
        let mut paper = self.paper();
        let Paper { state, question, value, actions, probabilities } = &mut *paper;
        match question {
            Question::Value => *value = Some(evaluator.value(state)),
            Question::Policy => evaluator.policy(state, actions, probabilities, rng),
        }
        drop(paper);
        self.worker.store(*number, Ordering::Relaxed);
        self.stage.store(stage::DONE, Ordering::Release);
        true
    }
}

/// The desks of a search, at which others help.
pub(super) struct Help<'a, G: Game> {
    pub desks: &'a [Desk<G>],
    /// Whether a helper has left before the end: it has panicked.
    pub is_lost: &'a dyn Fn() -> bool,
    /// Which worker judged a node lately: it remembers what it saw there.
    pub judges: Cache<u8>,
}

/// Nodes whose judges are remembered, as a power of 2.
const JUDGES_BITS: u32 = 12;

impl<'a, G: Game> Help<'a, G> {
    /// Help of which nothing has been asked yet.
    pub(super) fn new(desks: &'a [Desk<G>], is_lost: &'a dyn Fn() -> bool) -> Self {
        Help { desks, is_lost, judges: Cache::new(JUDGES_BITS, 0) }
    }
}

/// What a thread has for itself.
pub(super) struct Worker<G: Game> {
    /// Its number in the team.
    number: u8,
    pub evaluator: Box<dyn Evaluator<G>>,
    pub rng: Generator,
}

impl<G: Game> Worker<G> {
    /// The worker with this number in its team, that judges by an evaluator.
    pub(super) fn new(number: u8, evaluator: Box<dyn Evaluator<G>>) -> Self {
        Worker { number, evaluator, rng: Generator::new(0) }
    }

    /// The same with another evaluator, made of its own.
    pub(super) fn with(self, evaluator: impl FnOnce(Box<dyn Evaluator<G>>) -> Box<dyn Evaluator<G>>) -> Self {
        Worker { evaluator: evaluator(self.evaluator), ..self }
    }

    /// Draws from here on by a seed.
    pub(super) fn reseed(&mut self, seed: u64) {
        let number = u64::from(self.number);
        self.rng = Generator::new(derive(seed, &[2 * number]));
        self.evaluator.reseed(derive(seed, &[2 * number + 1]));
    }

    /// Works one desk off, if there is one with a question, rather one for this worker; returns whether there was.
    pub(super) fn work(&mut self, desks: &[Desk<G>]) -> bool {
        let number = self.number;
        desks.iter().any(|desk| desk.answered_by() == number && desk.work(self))
            || desks.iter().any(|desk| desk.work(self))
    }

    /// Works desks off until the search ends.
    pub(super) fn help(&mut self, desks: &[Desk<G>], end: &AtomicBool) {
        let mut patience = Patience::default();
        while !end.load(Ordering::Relaxed) {
            match self.work(desks) {
                true => patience = Patience::default(),
                false => patience.wait(),
            }
        }
    }
}

/// How long a thread has waited for others. It does not sleep: what it waits for comes within microseconds, and to be woken takes
/// longer. After a while it lets others have the processor.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Patience {
    waits: u32,
}

impl Patience {
    /// How often a thread looks again before it lets others have the processor.
    const LOOKS: u32 = 500;

    /// Waits a moment.
    pub(super) fn wait(&mut self) {
        self.waits += 1;
        match self.is_long() {
            true => thread::yield_now(),
            false => hint::spin_loop(),
        }
    }

    /// Whether it has waited for longer than work takes.
    pub(super) fn is_long(self) -> bool {
        self.waits > Self::LOOKS
    }
}

/// An evaluator whose policies come from a desk's paper: a walk that needs one which is not there stops.
pub(super) struct PolicyOnPaper<'a, G: Game> {
    pub evaluator: &'a mut dyn Evaluator<G>,
    pub paper: &'a mut Paper<G>,
    /// Whether the paper has the policy of its state.
    pub is_answered: bool,
}

impl<G: Game> Evaluator<G> for PolicyOnPaper<'_, G> {
    fn reseed(&mut self, seed: u64) {
        self.evaluator.reseed(seed);
    }

    fn value(&mut self, state: &G) -> Expectation {
        self.evaluator.value(state)
    }

    fn result(&mut self, state: &G, utility: Utility) -> Expectation {
        self.evaluator.result(state, utility)
    }

    fn poll_policy(
        &mut self,
        state: &G,
        actions: &mut Vec<G::Action>,
        probabilities: &mut Vec<f32>,
        _rng: &mut Generator,
    ) -> Poll<()> {
        // Another walk may have come here with a policy in the meantime, and this one gone on.
        let is_there = std::mem::take(&mut self.is_answered) && self.paper.state == *state;
        std::mem::swap(actions, &mut self.paper.actions);
        if !is_there {
            self.paper.ask(*state, Question::Policy);
            return Poll::Pending;
        }
        std::mem::swap(probabilities, &mut self.paper.probabilities);
        Poll::Ready(())
    }
}
