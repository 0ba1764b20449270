//! A search of one state after another: [`Searcher`].

use std::sync::atomic::AtomicBool;
use std::task::{Poll, ready};
use std::time::{Duration, Instant};

use azulejo::{Game, Keyed, Move, Turn};
use rand::Rng;

use super::SearchEffort;
use super::halving::{Gumbel, Halving, Race};
use super::root_noise::RootNoise;
use super::team::{Desk, Help, Patience, PolicyOnPaper, Question, Worker};
use super::tree::{Leaf, Tree, TreeRules};
use crate::agent::{AgentError, Limits};
use crate::clock::{ClockLooks, SearchClock};
use crate::evaluator::{Evaluator, Expectation, Utility, peek};
use crate::goal::{BentEvaluator, Pull};
use crate::heuristic::Heuristic;
use crate::search_threads::{UNHURT, with_helpers};

/// The most simulations between two looks at the clock and at the order to stop.
const INTERVAL: u64 = 16;

/// Fewer simulations do not tell what one takes: the first ones are slow, and one may have waited for the processor.
const LEAST_PACED: u64 = 128;

/// So many simulations find some action: the first one evaluates the root.
const LEAST_SIMULATIONS: u64 = 2;

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
    /// The processor time that each thread but the first has taken before a pause.
    pub cpu_before: Duration,
}

impl SimulationBudget<'_> {
    /// Looks whether the time is used up after so many simulations of the present thread, or the caller wants an end or a pause.
    fn is_used_up(&self, looks: &mut ClockLooks, simulations: u64) -> bool {
        looks.look(simulations, &self.clock)
            || self.limits.stopped()
            || self.pause.is_some_and(|pause| Instant::now() >= pause)
    }
}

/// Searches with a tree that it keeps from move to move.
///
/// A search is a machine that goes round between [`gather`](Searcher::gather) and [`settle`](Searcher::settle), and stops
/// where the evaluator lets it wait for a batch: for the values of the leaves that were gathered, or because no walk comes to
/// a leaf without a policy that is not there yet.
pub(crate) struct Searcher<G: Game> {
    rules: TreeRules,
    utility: Utility,
    worker: Worker<G>,
    /// Those that search with it in the same tree, each on a thread of its own.
    helpers: Vec<Worker<G>>,
    /// The tree below the last known state; none before the first search.
    tree: Option<Tree<G>>,
    /// How simulations are shared out at the root.
    root: RootRule,
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

impl<G> GatheredLeaf<G> {
    /// Memory for a leaf.
    fn new(leaf: Leaf<G>) -> Self {
        GatheredLeaf { leaf, stage: LeafStage::Walking }
    }
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
    /// How simulations are shared out at the root once that has been evaluated and expanded.
    root: RootRule,
    race: Option<Race>,
}

/// How simulations are shared out at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RootRule {
    /// By the selection, as everywhere.
    Selection,
    /// By the selection, from a prior with noise.
    NoisySelection(RootNoise),
    /// By sequential halving; of searches that are limited by time alone by the selection.
    Halving(Gumbel),
}

impl RootRule {
    /// The rule of a search of so many simulations.
    fn of_search(self, simulations: u64) -> Self {
        match self {
            RootRule::Halving(_) if simulations == u64::MAX => RootRule::Selection,
            rule => rule,
        }
    }

    /// Whether a search takes place in a tree of its own, in which the root is expanded before anything is shared out.
    fn begins_anew(self) -> bool {
        self != RootRule::Selection
    }
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
    ///
    /// A tree that cannot grow ends the search: what goes on there prefers what has not been looked at closely.
    fn begin<G: Keyed>(&mut self, budget: &SimulationBudget<'_>, tree: &Tree<G>) -> bool {
        let begun = self.begun();
        let ends = tree.is_full() && begun >= LEAST_SIMULATIONS
            || self.looks.is_due(begun)
                && (budget.is_used_up(&mut self.looks, begun) || budget.decides && self.is_decided(tree));
        if ends {
            self.portion.simulations = self.portion.begun;
        }
        let left = self.portion.begun < self.portion.simulations;
        self.portion.begun += u64::from(left);
        left
    }

    /// Whether the rest of the time is too short to change the choice.
    fn is_decided<G: Keyed>(&self, tree: &Tree<G>) -> bool {
        let selects = !matches!(self.root, RootRule::Halving(_));
        let left = self.looks.steps_left().filter(|_| selects && self.begun() >= LEAST_PACED);
        left.is_some_and(|left| tree.is_decided(left))
    }
}

impl<G: Keyed> Searcher<G> {
    /// A searcher that makes trees by `rules` and maximizes `utility`.
    pub(crate) fn new(rules: TreeRules, utility: Utility, evaluator: Box<dyn Evaluator<G>>) -> Self {
        Searcher {
            rules,
            utility,
            worker: Worker::new(0, evaluator),
            helpers: Vec::new(),
            tree: None,
            root: RootRule::Selection,
            halving: None,
            batch: 1,
            progress: None,
            leaves: Vec::new(),
        }
    }

    /// Shares simulations out at the root by a rule.
    pub(crate) fn with_root(self, root: RootRule) -> Self {
        Searcher { root, ..self }
    }

    /// Searches on one thread more for each of these evaluators, which judge as its own does. Such a search does not wait for
    /// batches.
    pub(crate) fn with_helpers(self, evaluators: impl Iterator<Item = Box<dyn Evaluator<G>>>) -> Self {
        let helpers = (1..=u8::MAX).zip(evaluators).map(|(number, evaluator)| Worker::new(number, evaluator));
        Searcher { helpers: helpers.collect(), ..self }
    }

    /// The same with a pull to a goal, if there is one.
    pub(crate) fn with_goal(self, pull: Option<Pull<G>>) -> Self
    where
        G: Heuristic,
    {
        let Some(pull) = pull else { return self };
        let bent = |worker: Worker<G>| worker.with(|evaluator| Box::new(BentEvaluator::new(evaluator, pull)));
        let helpers = self.helpers.into_iter().map(bent).collect();
        Searcher { worker: bent(self.worker), helpers, ..self }
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

    /// Forgets everything.
    pub(crate) fn reset(&mut self, seed: u64) {
        self.abandon();
        self.worker.reseed(seed);
        self.helpers.iter_mut().for_each(|helper| helper.reseed(seed));
        if let Some(tree) = &mut self.tree {
            tree.forget(self.worker.rng.next_u64());
        }
    }

    /// The tree of the last search.
    ///
    /// # Panics
    /// Before the first search.
    pub(crate) fn tree(&self) -> &Tree<G> {
        self.tree.as_ref().expect("a search has been made")
    }

    /// Searches a state at a player's turn until the budget is used up or it is time to pause.
    ///
    /// # Errors
    /// If the system does not start a thread.
    pub(crate) fn search(
        &mut self,
        state: &G,
        budget: &SimulationBudget<'_>,
    ) -> Result<SearchEffort, AgentError> {
        loop {
            match self.poll_search(state, budget) {
                Poll::Ready(found) => return found,
                Poll::Pending => self.flush(),
            }
        }
    }

    /// The same until the evaluator lets the search wait; then again from there, for the same state.
    pub(crate) fn poll_search(
        &mut self,
        state: &G,
        budget: &SimulationBudget<'_>,
    ) -> Poll<Result<SearchEffort, AgentError>> {
        let mut progress = match self.progress.take() {
            Some(progress) if self.tree().root() == state => progress,
            _ => self.begin(state, budget),
        };
        let helpers = self.useful_helpers(progress.simulations);
        let found = match helpers {
            0 => {
                let found = self.go_on(&mut progress, budget, None);
                found.map(|found| Ok(SearchEffort::new(found, &budget.clock)))
            }
            _ => Poll::Ready(self.search_with_helpers(&mut progress, helpers, budget)),
        };
        if found.is_pending() {
            self.progress = Some(progress);
        } else {
            self.halving = progress.race.map(|race| race.finish(self.tree()));
        }
        found
    }

    /// How many helpers take part in a search of so many simulations: as many as are sure of a few of them.
    pub(crate) fn useful_helpers(&self, simulations: u64) -> usize {
        let most = usize::try_from(simulations / LEAST_SIMULATIONS).unwrap_or(usize::MAX);
        self.helpers.len().min(most - 1)
    }

    /// Searches with so many helpers, each on a thread of its own.
    fn search_with_helpers(
        &mut self,
        progress: &mut SearchProgress,
        helpers: usize,
        budget: &SimulationBudget<'_>,
    ) -> Result<SearchEffort, AgentError> {
        let root = *self.tree().root();
        // While one question of a thread is answered, the next one waits for it already; and one more is written down.
        let desks: Vec<Desk<G>> = (0..3 + 2 * helpers).map(|_| Desk::new(root)).collect();
        let mut team = std::mem::take(&mut self.helpers);
        let help = |helper: &mut Worker<G>, end: &AtomicBool| {
            let clock = budget.clock.on_this_thread(budget.cpu_before);
            helper.help(&desks, end);
            clock.cpu()
        };
        let found = with_helpers(&mut team[..helpers], help, |is_lost| {
            let mut help = Help::new(&desks, is_lost);
            loop {
                match self.go_on(progress, budget, Some(&mut help)) {
                    Poll::Ready(found) => break found,
                    Poll::Pending => self.flush(),
                }
            }
        });
        self.helpers = team;
        let (found, times) = found?;
        let effort = SearchEffort::new(found, &budget.clock);
        let cpu: Option<Duration> = times.into_iter().sum();
        Ok(SearchEffort { cpu: effort.cpu.zip(cpu).map(|(own, helpers)| own + helpers), ..effort })
    }

    /// Whether a search of so many simulations can be made in parts, one after the other.
    pub(crate) fn can_pause(&self, simulations: u64) -> bool {
        !self.root.of_search(simulations).begins_anew()
    }

    /// What each seat can expect in a state, as the evaluator says at one look; later searches are as if it had not been asked.
    pub(crate) fn peek(&mut self, state: &G) -> Expectation {
        match state.turn() {
            Turn::Over => self.worker.evaluator.result(state, self.utility),
            _ => peek(&mut *self.worker.evaluator, state),
        }
    }

    /// Works out what searches wait for.
    pub(crate) fn flush(&mut self) {
        self.worker.evaluator.flush();
    }

    /// Begins a search.
    fn begin(&mut self, state: &G, budget: &SimulationBudget<'_>) -> SearchProgress {
        self.abandon();
        let tree = self.tree.get_or_insert_with(|| Tree::new(*state, self.rules, self.worker.rng.next_u64()));
        if tree.root() != state || !self.worker.evaluator.keeps_values(state) {
            tree.reset(*state);
        }
        self.worker.evaluator.prepare(state);
        self.helpers.iter_mut().for_each(|helper| helper.evaluator.prepare(state));
        // The root's own evaluation chooses nothing: a choice takes at least one simulation more. A forced move takes
        // no more than that, unless someone asks what it is worth.
        let simulations = match budget.limits.candidates {
            0 if tree.is_forced() => LEAST_SIMULATIONS,
            _ => budget.simulations.max(LEAST_SIMULATIONS),
        };
        let root = self.root.of_search(simulations);
        if root.begins_anew() {
            tree.reset(*state);
        }
        let portion = Portion::new(if root.begins_anew() { 1 } else { simulations }, None);
        let looks = ClockLooks::new(LEAST_SIMULATIONS, INTERVAL);
        SearchProgress { simulations, done: 0, portion, looks, depth: 0, gathered: 0, root, race: None }
    }

    /// Leaves a search that waits as if it had not begun, but for what the tree has learned.
    fn abandon(&mut self) {
        self.progress = None;
        if let Some(tree) = &mut self.tree {
            tree.take_back();
        }
    }

    /// Makes simulations until all portions are used up; returns their number and the longest line.
    fn go_on(
        &mut self,
        progress: &mut SearchProgress,
        budget: &SimulationBudget<'_>,
        mut help: Option<&mut Help<'_, G>>,
    ) -> Poll<(u64, usize)> {
        loop {
            match &mut help {
                None => ready!(self.simulate(progress, budget)),
                Some(help) => self.simulate_with_help(progress, budget, help),
            }
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
        if !progress.root.begins_anew() {
            return Poll::Ready(None);
        }
        let (begins, done) = (progress.done == 0, progress.begun());
        let tree = self.tree.as_mut().expect("a search has begun");
        let Worker { evaluator, rng, .. } = &mut self.worker;
        if begins {
            ready!(tree.expand_root(&mut **evaluator, rng));
        }
        let left = progress.simulations - done;
        Poll::Ready(match progress.root {
            RootRule::Selection => None,
            RootRule::NoisySelection(noise) => begins.then(|| {
                noise.add_to(tree, rng);
                Portion::new(left, None)
            }),
            RootRule::Halving(gumbel) => {
                let race = progress.race.get_or_insert_with(|| Race::new(tree, gumbel, left, rng));
                let next =
                    race.next(tree).filter(|_| begins || !budget.is_used_up(&mut progress.looks, done));
                next.map(|(place, visits)| Portion::new(visits, Some(place)))
            }
        })
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
        let Worker { evaluator, rng, .. } = &mut self.worker;
        let evaluator = &mut **evaluator;
        for place in 0..self.batch {
            let begins = place == progress.gathered;
            if begins && !progress.begin(budget, tree) {
                break;
            }
            if place == self.leaves.len() {
                self.leaves.push(GatheredLeaf::new(tree.leaf()));
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
                *stage = LeafStage::Valued(ready!(self.worker.evaluator.answer()));
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

    /// Makes the simulations of a portion at several desks at once, with the help of others, or fewer if the time is used up.
    fn simulate_with_help(
        &mut self,
        progress: &mut SearchProgress,
        budget: &SimulationBudget<'_>,
        help: &mut Help<'_, G>,
    ) {
        let leaf = self.tree().leaf();
        self.leaves.resize_with(help.desks.len(), || GatheredLeaf::new(leaf.clone()));
        let mut patience = Patience::default();
        loop {
            let mut is_idle = true;
            for place in 0..help.desks.len() {
                is_idle &= !self.advance(place, help, progress, budget);
            }
            if !is_idle || self.worker.work(help.desks) {
                patience = Patience::default();
            } else if progress.gathered == 0 {
                return;
            } else {
                patience.wait();
                assert!(!(patience.is_long() && (help.is_lost)()), "{UNHURT}");
            }
        }
    }

    /// Goes on with the simulation at a desk if it has its answer, or begins one if there is none; returns whether it did.
    fn advance(
        &mut self,
        place: usize,
        help: &mut Help<'_, G>,
        progress: &mut SearchProgress,
        budget: &SimulationBudget<'_>,
    ) -> bool {
        let tree = self.tree.as_mut().expect("a search has begun");
        let (leaf, desk) = (&mut self.leaves[place].leaf, &help.desks[place]);
        let Worker { evaluator, rng, .. } = &mut self.worker;
        let at_root = progress.portion.at_root;
        let is_answered = desk.is_done();
        let goes_on = is_answered || desk.is_free() && progress.begin(budget, tree);
        if !goes_on {
            return false;
        }
        let mut paper = desk.paper();
        let answer = (is_answered, paper.question);
        let mut policies = PolicyOnPaper { evaluator: &mut **evaluator, paper: &mut paper, is_answered };
        let walked = match answer {
            (false, _) => {
                progress.gathered += 1;
                tree.gather(leaf, &mut policies, rng, at_root)
            }
            (true, Question::Policy) => {
                tree.uncount_loss(leaf);
                tree.resume(leaf, &mut policies, rng, at_root)
            }
            (true, Question::Value) => {
                tree.uncount_loss(leaf);
                tree.apply(leaf, &policies.paper.value.take().expect("an answer"));
                help.judges.insert(leaf.node_key(), desk.answered_by());
                progress.gathered -= 1;
                desk.clear();
                return true;
            }
        };
        progress.depth = leaf.depth().max(progress.depth);
        match (walked, leaf.state.turn()) {
            (Poll::Ready(()), Turn::Over) => {
                tree.apply(leaf, &policies.evaluator.result(&leaf.state, self.utility));
                progress.gathered -= 1;
                desk.clear();
                return true;
            }
            (Poll::Ready(()), _) => policies.paper.ask(leaf.state, Question::Value),
            (Poll::Pending, _) => {}
        }
        drop(paper);
        tree.count_loss(leaf);
        desk.open(help.judges.get(leaf.node_key()).copied().unwrap_or(place as u8));
        true
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
