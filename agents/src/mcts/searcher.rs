//! One thread's search.

use std::task::{Poll, ready};
use std::time::{Duration, Instant};

use azulejo::seed::derive;
use azulejo::{Game, Generator, Keyed, Move, Turn};
use rand::Rng;

use super::halving::{Gumbel, Halving, Race};
use super::tree::{Leaf, Tree, TreeRules};
use crate::agent::Limits;
use crate::clock::{ClockLooks, SearchClock};
use crate::evaluator::{Evaluator, Expectation, Utility, peek};
use crate::goal::{BentEvaluator, Pull};
use crate::heuristic::Heuristic;

/// The most simulations between two looks at the clock and at the order to stop.
const INTERVAL: u64 = 16;

/// Fewer simulations do not tell what one takes: the first ones are slow, and one may have waited for the processor.
const LEAST_PACED: u64 = 128;

/// So many simulations find some action: the first one evaluates the root.
pub(super) const LEAST_SIMULATIONS: u64 = 2;

/// What limits a search of one choice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SimulationBudget<'a> {
    /// The most simulations.
    pub simulations: u64,
    /// The clock of the thread that searches.
    pub clock: SearchClock,
    /// The caller's limits, for the order to stop.
    pub limits: &'a Limits<'a>,
    /// Whether the search may end before its time as soon as no action can overtake the most visited one any more: it
    /// decides alone.
    pub decides: bool,
    /// When to pause, if not before: another search is to go on from there.
    pub pause: Option<Instant>,
    /// The processor time that each of several threads has taken before a pause.
    pub cpu_before: Duration,
}

/// Searches with a tree that it keeps from move to move.
///
/// A search is a machine that goes round between [`gather`](Searcher::gather) and [`settle`](Searcher::settle), and stops
/// where the evaluator lets it wait for a batch: for the values of the leaves that were gathered, or because no walk comes to
/// a leaf without a policy that is not there yet.
pub(crate) struct Searcher<G: Game> {
    rules: TreeRules,
    utility: Utility,
    evaluator: Box<dyn Evaluator<G>>,
    /// The tree below the last known state; none before the first search.
    tree: Option<Tree<G>>,
    rng: Generator,
    /// How simulations are shared out at the root; by the selection if none.
    gumbel: Option<Gumbel>,
    /// What the last search decided by that.
    halving: Option<Halving<G>>,
    /// The most leaves that are evaluated together.
    batch: usize,
    /// The search that waits, if one does.
    progress: Option<SearchProgress>,
    /// Those that have been gathered, and after them memory for more.
    leaves: Vec<GatheredLeaf<G>>,
}

/// A leaf, or the walk to it.
struct GatheredLeaf<G> {
    leaf: Leaf<G>,
    stage: LeafStage,
}

/// How far a leaf has come.
enum LeafStage {
    /// The walk stopped before a node without children, whose policy has to be waited for.
    Walking,
    /// Its value has been asked for.
    Asked,
    /// What each seat can expect is known.
    Valued(Expectation),
}

/// How far a search has come.
struct SearchProgress {
    /// The most simulations.
    simulations: u64,
    /// Those of the portions that have ended.
    done: u64,
    portion: Portion,
    looks: ClockLooks,
    /// The longest line, in plies.
    depth: usize,
    /// Leaves that have been gathered and are not in the tree yet.
    gathered: usize,
    /// Shares simulations out at the root once that has been evaluated and expanded.
    gumbel: Option<Gumbel>,
    race: Option<Race>,
}

/// Simulations that begin in the same way.
struct Portion {
    /// Which of the root's children they go to; none if the selection says.
    at_root: Option<u16>,
    simulations: u64,
    /// Those whose walks have begun.
    begun: u64,
}

impl Portion {
    fn new(simulations: u64, at_root: Option<u16>) -> Self {
        Portion { at_root, simulations, begun: 0 }
    }
}

impl SearchProgress {
    /// The simulations that have begun.
    fn begun(&self) -> u64 {
        self.done + self.portion.begun
    }

    /// Begins a simulation of the portion, if there is one left, and time, and something to be decided.
    fn begin<G: Keyed>(&mut self, budget: &SimulationBudget<'_>, tree: &Tree<G>) -> bool {
        let is_due = self.looks.is_due(self.begun());
        if is_due && (self.is_late(budget) || budget.decides && self.is_decided(tree)) {
            self.portion.simulations = self.portion.begun;
        }
        let left = self.portion.begun < self.portion.simulations;
        self.portion.begun += u64::from(left);
        left
    }

    /// Whether the rest of the time is too short for another action to overtake the most visited one, even if simulations become
    /// somewhat faster.
    fn is_decided<G: Keyed>(&self, tree: &Tree<G>) -> bool {
        let left = self.looks.steps_left().filter(|_| self.gumbel.is_none() && self.begun() >= LEAST_PACED);
        left.is_some_and(|left| u64::from(tree.lead()) > left + left / 4)
    }

    /// Looks whether the time is used up, or the caller wants an end or a pause.
    fn is_late(&mut self, budget: &SimulationBudget<'_>) -> bool {
        self.looks.look(self.begun(), &budget.clock)
            || budget.limits.stopped()
            || budget.pause.is_some_and(|pause| Instant::now() >= pause)
    }
}

impl<G: Keyed> Searcher<G> {
    /// A searcher that makes trees by `rules` and maximizes `utility`.
    pub(crate) fn new(rules: TreeRules, utility: Utility, evaluator: Box<dyn Evaluator<G>>) -> Self {
        Searcher {
            rules,
            utility,
            evaluator,
            tree: None,
            rng: Generator::new(0),
            gumbel: None,
            halving: None,
            batch: 1,
            progress: None,
            leaves: Vec::new(),
        }
    }

    /// Shares simulations out at the root by sequential halving. Searches that are limited by time alone still select.
    pub(crate) fn with_gumbel(self, gumbel: Gumbel) -> Self {
        Searcher { gumbel: Some(gumbel), ..self }
    }

    /// The same with a pull to a goal, if there is one.
    pub(crate) fn with_goal(self, pull: Option<Pull<G>>) -> Self
    where
        G: Heuristic,
    {
        match pull {
            Some(pull) => Searcher { evaluator: Box::new(BentEvaluator::new(self.evaluator, pull)), ..self },
            None => self,
        }
    }

    /// Evaluates up to so many leaves, at least one, together. Those that sequential halving sends to different actions are
    /// never together.
    pub(crate) fn with_batch(self, batch: usize) -> Self {
        Searcher { batch: batch.max(1), ..self }
    }

    /// What sequential halving decided in the last search, if that was how it searched.
    pub(crate) fn take_halving(&mut self) -> Option<Halving<G>> {
        self.halving.take()
    }

    /// Forgets everything; `number` is the searcher's among those of its agent.
    pub(crate) fn reset(&mut self, seed: u64, number: u64) {
        self.abandon();
        self.rng = Generator::new(derive(seed, &[2 * number]));
        if let Some(tree) = &mut self.tree {
            tree.forget(self.rng.next_u64());
        }
        self.evaluator.reseed(derive(seed, &[2 * number + 1]));
    }

    /// The tree of the last search.
    ///
    /// # Panics
    /// Before the first search.
    pub(crate) fn tree(&self) -> &Tree<G> {
        self.tree.as_ref().expect("a search has been made")
    }

    /// Searches a state at a player's turn; returns the simulations made and the longest line, in plies.
    pub(crate) fn search(&mut self, state: &G, budget: &SimulationBudget<'_>) -> (u64, usize) {
        loop {
            match self.poll_search(state, budget) {
                Poll::Ready(found) => return found,
                Poll::Pending => self.flush(),
            }
        }
    }

    /// The same until the evaluator lets the search wait; then again from there, for the same state.
    pub(crate) fn poll_search(&mut self, state: &G, budget: &SimulationBudget<'_>) -> Poll<(u64, usize)> {
        let mut progress = match self.progress.take() {
            Some(progress) if self.tree().root() == state => progress,
            _ => self.begin(state, budget),
        };
        let found = self.go_on(&mut progress, budget);
        if found.is_pending() {
            self.progress = Some(progress);
        } else {
            self.halving = progress.race.map(|race| race.finish(self.tree()));
        }
        found
    }

    /// Whether a search of so many simulations can be made in parts, one after the other.
    pub(crate) fn can_pause(&self, simulations: u64) -> bool {
        self.gumbel.is_none() || simulations == u64::MAX
    }

    /// What each seat can expect in a state, as the evaluator says at one look; later searches are as if it had not been asked.
    pub(crate) fn peek(&mut self, state: &G) -> Expectation {
        match state.turn() {
            Turn::Over => self.evaluator.result(state, self.utility),
            _ => peek(&mut *self.evaluator, state),
        }
    }

    /// Works out what searches wait for.
    pub(crate) fn flush(&mut self) {
        self.evaluator.flush();
    }

    /// Begins a search.
    fn begin(&mut self, state: &G, budget: &SimulationBudget<'_>) -> SearchProgress {
        self.abandon();
        let tree = self.tree.get_or_insert_with(|| Tree::new(*state, self.rules, self.rng.next_u64()));
        if tree.root() != state || !self.evaluator.keeps_values(state) {
            tree.reset(*state);
        }
        self.evaluator.prepare(state);
        // The root's own evaluation chooses nothing: a choice takes at least one simulation more. A forced move takes
        // no more than that, unless someone asks what it is worth.
        let simulations = match budget.limits.candidates {
            0 if tree.is_forced() => LEAST_SIMULATIONS,
            _ => budget.simulations.max(LEAST_SIMULATIONS),
        };
        let gumbel = self.gumbel.filter(|_| simulations < u64::MAX);
        if gumbel.is_some() {
            // The race takes place in a tree of its own.
            tree.reset(*state);
        }
        let portion = Portion::new(if gumbel.is_some() { 1 } else { simulations }, None);
        let looks = ClockLooks::new(LEAST_SIMULATIONS, INTERVAL);
        SearchProgress { simulations, done: 0, portion, looks, depth: 0, gathered: 0, gumbel, race: None }
    }

    /// Leaves a search that waits as if it had not begun, but for what the tree has learned.
    fn abandon(&mut self) {
        self.progress = None;
        if let Some(tree) = &mut self.tree {
            tree.take_back();
        }
    }

    /// Makes simulations until all portions are used up; returns their number and the longest line.
    fn go_on(&mut self, progress: &mut SearchProgress, budget: &SimulationBudget<'_>) -> Poll<(u64, usize)> {
        loop {
            ready!(self.simulate(progress, budget));
            let next = ready!(self.next_portion(progress, budget));
            progress.done += progress.portion.begun;
            match next {
                Some(portion) => progress.portion = portion,
                None => return Poll::Ready((progress.done, progress.depth)),
            }
        }
    }

    /// The simulations after the present portion, `None` if the search is over.
    fn next_portion(
        &mut self,
        progress: &mut SearchProgress,
        budget: &SimulationBudget<'_>,
    ) -> Poll<Option<Portion>> {
        let Some(gumbel) = progress.gumbel else { return Poll::Ready(None) };
        let done = progress.begun();
        let tree = self.tree.as_mut().expect("a search has begun");
        if progress.race.is_none() {
            ready!(tree.expand_root(&mut *self.evaluator, &mut self.rng));
        }
        let race = progress
            .race
            .get_or_insert_with(|| Race::new(tree, gumbel, progress.simulations - done, &mut self.rng));
        let next = race.next(tree).filter(|_| done == 1 || !progress.is_late(budget));
        Poll::Ready(next.map(|(place, visits)| Portion::new(visits, Some(place))))
    }

    /// Makes the simulations of a portion, or fewer if the time is used up.
    fn simulate(&mut self, progress: &mut SearchProgress, budget: &SimulationBudget<'_>) -> Poll<()> {
        loop {
            ready!(self.settle(progress));
            if progress.gathered == 0 && progress.portion.begun == progress.portion.simulations {
                return Poll::Ready(());
            }
            self.gather(progress, budget);
            let mut gathered = self.leaves[..progress.gathered].iter();
            if progress.gathered > 0 && gathered.all(|leaf| matches!(leaf.stage, LeafStage::Walking)) {
                return Poll::Pending;
            }
        }
    }

    /// Gathers as many leaves as are evaluated together; those whose walks stopped come first.
    fn gather(&mut self, progress: &mut SearchProgress, budget: &SimulationBudget<'_>) {
        let tree = self.tree.as_mut().expect("a search has begun");
        let (evaluator, rng) = (&mut *self.evaluator, &mut self.rng);
        for place in 0..self.batch {
            let begins = place == progress.gathered;
            if begins && tree.is_full() && progress.begun() >= LEAST_SIMULATIONS {
                // What goes on in a tree that cannot grow prefers what has not been looked at closely.
                progress.portion.simulations = progress.portion.begun;
            }
            if begins && !progress.begin(budget, tree) {
                break;
            }
            if place == self.leaves.len() {
                self.leaves.push(GatheredLeaf { leaf: tree.leaf(), stage: LeafStage::Walking });
            }
            let GatheredLeaf { leaf, stage } = &mut self.leaves[place];
            let walked = match begins {
                true => tree.gather(leaf, evaluator, rng, progress.portion.at_root),
                false => tree.resume(leaf, evaluator, rng, progress.portion.at_root),
            };
            *stage = match (walked, leaf.state.turn()) {
                (Poll::Pending, _) => LeafStage::Walking,
                (Poll::Ready(()), Turn::Over) => {
                    LeafStage::Valued(evaluator.result(&leaf.state, self.utility))
                }
                (Poll::Ready(()), _) => match evaluator.ask(&leaf.state) {
                    Poll::Ready(found) => LeafStage::Valued(found),
                    Poll::Pending => LeafStage::Asked,
                },
            };
            progress.depth = leaf.depth().max(progress.depth);
            progress.gathered = progress.gathered.max(place + 1);
            if self.batch > 1 {
                tree.suppose_lost(leaf);
            }
        }
    }

    /// Adds the values of the gathered leaves to the tree, in their order, once all are there. What is left are walks that
    /// have stopped.
    fn settle(&mut self, progress: &mut SearchProgress) -> Poll<()> {
        let tree = self.tree.as_mut().expect("a search has begun");
        let leaves = &mut self.leaves[..progress.gathered];
        for GatheredLeaf { stage, .. } in leaves.iter_mut() {
            if let LeafStage::Asked = stage {
                *stage = LeafStage::Valued(ready!(self.evaluator.answer()));
            }
        }
        tree.take_back();
        progress.gathered = 0;
        for place in 0..leaves.len() {
            let GatheredLeaf { leaf, stage } = &leaves[place];
            match stage {
                LeafStage::Valued(found) => tree.apply(leaf, found),
                LeafStage::Walking | LeafStage::Asked => {
                    leaves.swap(place, progress.gathered);
                    progress.gathered += 1;
                }
            }
        }
        Poll::Ready(())
    }

    /// Follows a move of the running game.
    pub(crate) fn follow(&mut self, played: &Move<G>) {
        self.abandon();
        let Some(tree) = &mut self.tree else { return };
        match played {
            Move::Action(action) if tree.root().is_legal(*action) => tree.follow_action(*action),
            Move::Outcome(outcome) if tree.root().check_chance(outcome).is_ok() => {
                tree.follow_chance(outcome)
            }
            // A move of some other line of play: the next search begins at another root.
            _ => {}
        }
    }
}
