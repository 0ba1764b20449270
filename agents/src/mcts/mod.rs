//! Monte Carlo tree search for any game: any number of players, chance nodes, compound turns.
//!
//! The [`Tree`] hands out leaves and takes back their evaluations; the agent here evaluates them one by one, several
//! together, or on several threads, until its simulations or its time are used up. Every node holds one value per seat and
//! each seat maximizes its own (max^n), so nothing depends on there being two players or on turns that alternate. Chance
//! outcomes are drawn from the state as any player could draw them.

mod arena;
mod chance;
mod children;
mod halving;
mod node;
mod outcomes;
mod policy;
mod reuse;
mod root_noise;
mod searcher;
mod select;
mod summary;
mod tally;
mod team;
#[cfg(test)]
mod tests;
mod tree;
mod virtual_loss;

use std::path::PathBuf;
use std::task::{Poll, ready};
use std::time::{Duration, Instant};

use azulejo::{Game, Keyed, Move, Turn};

use self::searcher::SimulationBudget;
use crate::abilities::need_ratings;
use crate::agent::{Agent, AgentError, Decision, Limits, SearchSummary};
use crate::builder::AgentBuilder;
use crate::clock::{SearchClock, TimeControl, TimeLimits, WATCH_INTERVAL};
use crate::evaluator::{Evaluator, RolloutKind, Utility};
use crate::game_knowledge::GameKnowledge;
use crate::goal::Pull;
use crate::heuristic::{Heuristic, StateValue};
use crate::parameters::{AgentSpecError, Mebibytes, Share, keyword_enum};
use crate::rollout::{GreedyPolicy, RandomPolicy, Rollout};
use crate::rule_knowledge::{KnownKeys, RuleKnowledge};
use crate::search_threads::MAX_THREADS;
use crate::valuation::{Horizon, Valuation};
use crate::weights::read_weights;

pub use chance::ChanceTreatment;
pub use halving::Gumbel;
pub use policy::ValuePolicy;
pub(crate) use policy::most_likely_first;
pub use root_noise::RootNoise;
pub(crate) use searcher::{RootRule, Searcher};
pub use select::SelectionRule;
pub use tree::{Leaf, Tree, TreeRules};

crate::agent_parameters! {
    /// Monte Carlo tree search.
    MctsParameters = "mcts" {
        /// Simulations a move; default 1000, without limit if a time is given.
        sims: Option<u64> = None,
        /// Milliseconds a move on the wall clock; default: no limit.
        time: Option<u64> = None,
        /// Milliseconds a move of processor time, of several threads that of the first; default: no limit.
        cpu: Option<u64> = None,
        /// With time or cpu, the share of what earlier moves of the game left of theirs that a move may take beside its own, 0 to 1: then
        /// time and cpu are what moves take at most on average. Default 0.
        carry: Share = Share::NONE,
        /// How a leaf is judged: by a random or a greedy rollout to the end, or by the game's own value of a state,
        /// at the leaf (none) or after a greedy rollout to the next chance node (round); default round, in Summer Pavilion greedy.
        rollout: Option<RolloutKind> = None,
        /// How a child is selected, uct or puct; default puct.
        select: SelectKind = SelectKind::Puct,
        /// The weight of exploration; default 0.7.
        c: f32 = 0.7,
        /// What the tree does at chance nodes, sample or afterstate; default sample.
        chance: ChanceTreatment = ChanceTreatment::Sample,
        /// With puct, how much worse than its parent an untried child is taken to be; default 0.
        fpu: f32 = 0.0,
        /// The temperature of the prior made of the game's own value, as a multiple of the game's own; 0 for no prior. Default 1.
        prior: f32 = 1.0,
        /// The weight of the lead in points in the utility, 0 to 1; the rest is win share. Default 0.8.
        margin: f32 = 0.8,
        /// Threads that search at once in one tree; with more than 1 the same seed need not find the same. Default 1.
        threads: u64 = 1,
        /// Mebibytes for the tree; a search ends when it is full. Default 1024.
        memory: Mebibytes = DEFAULT_MEMORY,
        /// A TOML file with some or all of the heuristic's weights; default: the built-in ones.
        weights: Option<String> = None,
        /// A TOML file with some or all of the weights of the game's value; default: the built-in ones.
        values: Option<String> = None,
        /// Something that the search strives for beside points, see the balance page of the documentation; default: none.
        goal: Option<String> = None,
        /// The points that a complete thing of the goal's kind is worth to the search; default 10.
        goal_weight: f32 = 10.0,
    }
}

impl AgentBuilder for MctsParameters {
    fn build<G: GameKnowledge>(&self) -> Result<Box<dyn Agent<G>>, AgentSpecError> {
        if self.uses_ratings::<G>() {
            need_ratings::<G>(self)?;
        }
        let weights = self.heuristic_weights::<G>()?;
        let values = read_weights::<Self, _>("values", G::NAME, self.values.as_deref())?;
        let goal = Pull::of::<Self>(self.goal.as_deref(), self.goal_weight)?;
        let time = TimeControl::new(TimeLimits::from_millis(self.time, self.cpu), self.carry);
        Ok(Box::new(MctsAgent::new(self.sims, time, searcher(self, &weights, &values)).with_goal(goal)))
    }

    fn weights<G: GameKnowledge>(&self) -> Result<Option<toml::Table>, AgentSpecError> {
        Ok(toml::Table::try_from(self.heuristic_weights::<G>()?).ok())
    }

    fn rule_knowledge<G: GameKnowledge>(&self) -> Result<RuleKnowledge, AgentSpecError> {
        Ok(match self.rollout.unwrap_or(G::ROLLOUT) {
            RolloutKind::Random | RolloutKind::Greedy => {
                RuleKnowledge { keys: KnownKeys::All, by: "the ends of its playouts" }
            }
            RolloutKind::Round | RolloutKind::None => RuleKnowledge {
                keys: KnownKeys::Listed(<G as StateValue>::KNOWN_RULES),
                by: "the game's own value",
            },
        })
    }

    fn files(&self) -> Vec<PathBuf> {
        self.weights.iter().chain(&self.values).map(PathBuf::from).collect()
    }
}

impl MctsParameters {
    /// Whether leaves are played on by the heuristic's ratings.
    fn uses_ratings<G: GameKnowledge>(&self) -> bool {
        matches!(self.rollout.unwrap_or(G::ROLLOUT), RolloutKind::Greedy | RolloutKind::Round)
    }

    fn heuristic_weights<G: GameKnowledge>(&self) -> Result<G::Weights, AgentSpecError> {
        read_weights::<Self, _>("weights", G::NAME, self.weights.as_deref())
    }
}

/// The memory for an agent's tree where nothing else is said. What a search does not need it does not take.
pub(crate) const DEFAULT_MEMORY: Mebibytes = Mebibytes::new(1024);

/// A searcher for these parameters.
fn searcher<G: GameKnowledge>(
    parameters: &MctsParameters,
    weights: &G::Weights,
    values: &G::ValueWeights,
) -> Searcher<G> {
    let MctsParameters { c, fpu, margin, .. } = *parameters;
    let utility = Utility { margin: margin.min(1.0) };
    let selection = match parameters.select {
        SelectKind::Uct => SelectionRule::Uct { c },
        SelectKind::Puct => SelectionRule::Puct { c, fpu },
    };
    let rules =
        TreeRules { selection, chance: parameters.chance, memory: parameters.memory.bytes_of_part(1) };
    let evaluator = || evaluator::<G>(parameters, weights, values, utility);
    let helpers = (1..parameters.threads.min(MAX_THREADS)).map(|_| evaluator());
    Searcher::new(rules, utility, evaluator()).with_helpers(helpers)
}

/// What judges leaves and suggests actions by these parameters.
fn evaluator<G: GameKnowledge>(
    parameters: &MctsParameters,
    weights: &G::Weights,
    values: &G::ValueWeights,
    utility: Utility,
) -> Box<dyn Evaluator<G>> {
    let greedy = GreedyPolicy::new(weights.clone());
    let valuation = |horizon, policy| Box::new(Valuation::new(horizon, policy, values.clone(), utility));
    let evaluator: Box<dyn Evaluator<G>> = match parameters.rollout.unwrap_or(G::ROLLOUT) {
        RolloutKind::Random => Box::new(Rollout::new(RandomPolicy::default(), utility)),
        RolloutKind::Greedy => Box::new(Rollout::new(greedy, utility)),
        RolloutKind::Round => valuation(Horizon::Chance, greedy),
        RolloutKind::None => valuation(Horizon::Here, greedy),
    };
    match parameters.prior {
        temperature if temperature > 0.0 => {
            Box::new(ValuePolicy::new(evaluator, values.clone(), temperature))
        }
        _ => evaluator,
    }
}

keyword_enum! {
    /// How a search selects children.
    SelectKind {
        /// [`SelectionRule::Uct`].
        Uct = "uct",
        /// [`SelectionRule::Puct`].
        Puct = "puct",
    }
}

/// Simulations a move where neither simulations nor a time are given.
const DEFAULT_SIMULATIONS: u64 = 1000;

/// What a search took.
pub(crate) struct SearchEffort {
    /// The simulations.
    nodes: u64,
    /// The longest line, in plies.
    depth: usize,
    /// The processor time of its threads; `None` where no time limits it.
    cpu: Option<Duration>,
}

impl SearchEffort {
    /// The effort of the present thread, which made so many simulations with a longest line.
    fn new((nodes, depth): (u64, usize), clock: &SearchClock) -> Self {
        SearchEffort { nodes, depth, cpu: clock.cpu() }
    }

    /// The effort of this part of a search and those before it, whose processor time is in this one's already.
    fn after(self, before: &Self) -> Self {
        let (nodes, depth) = (self.nodes + before.nodes, self.depth.max(before.depth));
        SearchEffort { nodes, depth, ..self }
    }

    /// The processor time of other threads than the present one.
    fn cpu_beside(&self, clock: &SearchClock) -> Duration {
        self.cpu.zip(clock.cpu()).map_or(Duration::ZERO, |(all, own)| all.saturating_sub(own))
    }
}

/// Searches with a tree that it keeps from move to move.
pub(crate) struct MctsAgent<G: Game> {
    /// Simulations and time a move.
    sims: Option<u64>,
    time: TimeControl,
    searcher: Searcher<G>,
    /// The clock of the choice that is being made.
    clock: Option<SearchClock>,
}

impl<G: Keyed> MctsAgent<G> {
    /// An agent that searches with so many simulations, or for so long, a move.
    pub(crate) fn new(sims: Option<u64>, time: TimeControl, searcher: Searcher<G>) -> Self {
        MctsAgent { sims, time, searcher, clock: None }
    }

    /// The same with a pull to a goal, if there is one.
    pub(crate) fn with_goal(self, goal: Option<Pull<G>>) -> Self
    where
        G: Heuristic,
    {
        MctsAgent { searcher: self.searcher.with_goal(goal), ..self }
    }

    /// The simulations and the time for one move.
    fn budget(&self, limits: &Limits<'_>) -> (u64, TimeLimits) {
        let (sims, time) = match limits.replace_own() {
            true => (limits.nodes, TimeLimits::of(limits)),
            false => (self.sims, self.time.next_move()),
        };
        (sims.unwrap_or(if time.exist() { u64::MAX } else { DEFAULT_SIMULATIONS }), time)
    }

    /// Counts the time of a move that was limited by the agent's own limits.
    fn count_move(&mut self, limits: &Limits<'_>, clock: &SearchClock) {
        if !limits.replace_own() {
            self.time.count_move(clock);
        }
    }
}

impl<G: Keyed> Agent<G> for MctsAgent<G> {
    fn new_game(&mut self, seed: u64) {
        self.clock = None;
        self.time.new_game();
        self.searcher.reset(seed);
    }

    fn choose(&mut self, state: &G, limits: &Limits<'_>) -> Result<Decision<G>, AgentError> {
        loop {
            match self.poll_choose(state, limits) {
                Poll::Ready(decision) => return decision,
                Poll::Pending => self.flush(),
            }
        }
    }

    fn poll_choose(&mut self, state: &G, limits: &Limits<'_>) -> Poll<Result<Decision<G>, AgentError>> {
        let Turn::Player(_) = state.turn() else { return Poll::Ready(Err(AgentError::NoTurn)) };
        let (simulations, time) = self.budget(limits);
        let clock = *self.clock.get_or_insert_with(|| SearchClock::start(time));
        let decides = limits.candidates == 0;
        let budget =
            SimulationBudget { simulations, clock, limits, decides, pause: None, cpu_before: Duration::ZERO };
        let effort = ready!(self.searcher.poll_search(state, &budget))?;
        self.clock = None;
        self.count_move(limits, &clock);
        Poll::Ready(Ok(self.decision(state, limits, &effort, &clock)))
    }

    /// Searches in parts of a quarter of a second each. Those that begin anew are not interrupted.
    fn choose_watched(
        &mut self,
        state: &G,
        limits: &Limits<'_>,
        watch: &mut dyn FnMut(&SearchSummary<G>),
    ) -> Result<Decision<G>, AgentError> {
        let (simulations, time) = self.budget(limits);
        if !self.searcher.can_pause(simulations) {
            return self.choose(state, limits);
        }
        let Turn::Player(_) = state.turn() else { return Err(AgentError::NoTurn) };
        self.clock = None;
        let clock = SearchClock::start(time);
        let (mut all, mut cpu_before) = (SearchEffort::new((0, 0), &clock), Duration::ZERO);
        loop {
            let pause = Instant::now() + WATCH_INTERVAL;
            let left = simulations.saturating_sub(all.nodes);
            let budget = SimulationBudget {
                simulations: left,
                clock,
                limits,
                decides: false,
                pause: Some(pause),
                cpu_before,
            };
            let part = self.searcher.search(state, &budget)?;
            cpu_before = part.cpu_beside(&clock) / self.searcher.useful_helpers(left).max(1) as u32;
            all = part.after(&all);
            let decision = self.decision(state, limits, &all, &clock);
            if all.nodes >= simulations || Instant::now() < pause {
                self.count_move(limits, &clock);
                return Ok(decision);
            }
            decision.search.iter().for_each(&mut *watch);
        }
    }

    fn flush(&mut self) {
        self.searcher.flush();
    }

    fn observe(&mut self, played: &Move<G>) {
        self.clock = None;
        self.searcher.follow(played);
    }
}
