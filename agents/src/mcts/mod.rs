//! Monte Carlo tree search for any game: any number of players, chance nodes, compound turns.
//!
//! The [`Tree`] hands out leaves and takes back their evaluations; the agent here evaluates them one by one until
//! its simulations or its time are used up. Every node holds one value per seat and each seat maximizes its own
//! (max^n), so nothing depends on there being two players or on turns that alternate. Chance outcomes are drawn
//! from the state as any player could draw them.

mod chance;
mod prior;
mod select;
#[cfg(test)]
mod tests;
mod tree;

use std::time::{Duration, Instant};

use azulejo::seed::derive;
use azulejo::{Game, Generator, Turn};

use crate::agent::{Agent, AgentError, Decision, Limits, Move, SearchSummary};
use crate::evaluator::{Evaluation, Evaluator, GreedyPolicy, RandomPolicy, Rollout, Utility};
use crate::greedy::{read_weights, weights_table};
use crate::spec::words;

pub use chance::ChanceTreatment;
pub use prior::{HeuristicPrior, Prior, UniformPrior};
pub use select::Selection;
pub use tree::{Leaf, Tree};

crate::agent_parameters! {
    /// Monte Carlo tree search with rollouts to the end of the game.
    MctsParameters = "mcts" {
        /// Simulations a move; default 1000, without limit if a time is given.
        sims: Option<u64> = None,
        /// Milliseconds a move; default: no limit.
        time: Option<u64> = None,
        /// How rollouts choose actions, random or greedy; default greedy.
        rollout: RolloutKind = RolloutKind::Greedy,
        /// How a child is selected, uct or puct; default puct.
        select: SelectKind = SelectKind::Puct,
        /// The weight of exploration; default 0.7.
        c: f32 = 0.7,
        /// What the tree does at chance nodes, sample, afterstate or open; default sample.
        chance: ChanceTreatment = ChanceTreatment::Sample,
        /// With puct, how much worse than its parent an untried child is taken to be; default 0.
        fpu: f32 = 0.0,
        /// The temperature of the prior made of the heuristic's ratings, as a multiple of the game's own; 0 for no prior. Default 1.
        prior: f32 = 1.0,
        /// The weight of the lead in points in the utility, 0 to 1; the rest is win share. Default 0.8.
        margin: f32 = 0.8,
        /// A TOML file with some or all of the heuristic's weights; default: the built-in ones.
        weights: Option<String> = None,
    }
    weights<G>(parameters) {
        weights_table::<G>(Self::NAME, parameters.weights.as_deref())
    }
    build<G>(parameters) {
        let weights = read_weights::<G>(Self::NAME, parameters.weights.as_deref())?;
        let prior: Box<dyn Prior<G>> = if parameters.prior > 0.0 {
            Box::new(HeuristicPrior::new(weights.clone(), parameters.prior))
        } else {
            Box::new(UniformPrior)
        };
        let utility = Utility { margin: parameters.margin.min(1.0) };
        Ok(match parameters.rollout {
            RolloutKind::Random => {
                let policy = RandomPolicy::default();
                Box::new(MctsAgent::new(parameters.clone(), prior, Rollout::new(policy, utility)))
            }
            RolloutKind::Greedy => {
                let policy = GreedyPolicy::new(weights);
                Box::new(MctsAgent::new(parameters.clone(), prior, Rollout::new(policy, utility)))
            }
        })
    }
}

words! {
    /// How rollouts choose actions.
    RolloutKind {
        /// Uniformly.
        Random = "random",
        /// By the heuristic's best rating.
        Greedy = "greedy",
    }
}

words! {
    /// How a search selects children.
    SelectKind {
        /// [`Selection::Uct`].
        Uct = "uct",
        /// [`Selection::Puct`].
        Puct = "puct",
    }
}

/// Simulations a move where neither simulations nor a time are given.
const DEFAULT_SIMULATIONS: u64 = 1000;

/// The clock is read once for so many simulations.
const CLOCK_INTERVAL: u64 = 16;

/// So many simulations find some action: the first one evaluates the root.
const LEAST_SIMULATIONS: u64 = 2;

/// Searches with a tree that it keeps from move to move.
struct MctsAgent<G: Game, E> {
    parameters: MctsParameters,
    prior: Box<dyn Prior<G>>,
    evaluator: E,
    /// The tree below the last known state; none before the first search.
    tree: Option<Tree<G>>,
    rng: Generator,
}

impl<G: Game, E: Evaluator<G>> MctsAgent<G, E> {
    fn new(parameters: MctsParameters, prior: Box<dyn Prior<G>>, evaluator: E) -> Self {
        MctsAgent { parameters, prior, evaluator, tree: None, rng: Generator::new(0) }
    }

    fn selection(&self) -> Selection {
        let MctsParameters { c, fpu, .. } = self.parameters;
        match self.parameters.select {
            SelectKind::Uct => Selection::Uct { c },
            SelectKind::Puct => Selection::Puct { c, fpu },
        }
    }

    /// The simulations and the time for one move.
    fn budget(&self, limits: &Limits<'_>) -> (u64, Option<Duration>) {
        let given = limits.nodes.is_some() || limits.time.is_some();
        let (sims, time) = if given {
            (limits.nodes, limits.time)
        } else {
            (self.parameters.sims, self.parameters.time.map(Duration::from_millis))
        };
        (sims.unwrap_or(if time.is_some() { u64::MAX } else { DEFAULT_SIMULATIONS }), time)
    }
}

impl<G: Game, E: Evaluator<G>> Agent<G> for MctsAgent<G, E> {
    fn new_game(&mut self, seed: u64) {
        self.tree = None;
        self.rng = Generator::new(derive(seed, &[0]));
        self.evaluator.reseed(derive(seed, &[1]));
    }

    fn choose(&mut self, state: &G, limits: &Limits<'_>) -> Result<Decision<G>, AgentError> {
        let Turn::Player(_) = state.turn() else { return Err(AgentError::NoTurn) };
        let start = Instant::now();
        let (simulations, time) = self.budget(limits);
        let (selection, chance) = (self.selection(), self.parameters.chance);
        let tree = self.tree.get_or_insert_with(|| Tree::new(*state, selection, chance));
        if tree.root() != state {
            tree.reset(*state);
        }
        let (mut leaf, mut evaluation) = (tree.leaf(), [Evaluation::empty(state.players())]);
        let utility = Utility { margin: self.parameters.margin };
        let (mut done, mut depth) = (0, 0);
        // The root's own evaluation chooses nothing: a choice takes at least one simulation more. A forced move takes
        // no more than that.
        let simulations =
            if tree.is_forced() { LEAST_SIMULATIONS } else { simulations.max(LEAST_SIMULATIONS) };
        while done < simulations {
            if done % CLOCK_INTERVAL == LEAST_SIMULATIONS
                && (limits.stopped() || time.is_some_and(|time| start.elapsed() >= time))
            {
                break;
            }
            tree.gather(&mut leaf, &mut self.prior, &mut self.rng);
            if leaf.state.turn() == Turn::Over {
                evaluation[0].values = utility.of(&leaf.state);
            } else {
                self.evaluator.evaluate(std::slice::from_ref(&leaf.state), &mut evaluation);
            }
            tree.apply(&leaf, &evaluation[0].values);
            depth = depth.max(leaf.depth());
            done += 1;
        }
        let visits = tree.ranking();
        let (values, line) = (tree.values(), tree.line());
        let search = SearchSummary { values, nodes: done, depth, time: start.elapsed(), line, visits };
        Ok(Decision { action: search.visits[0].0, search: Some(search) })
    }

    fn observe(&mut self, played: &Move<G>) {
        let Some(tree) = &mut self.tree else { return };
        match played {
            Move::Action(action) if tree.root().is_legal(*action) => tree.follow_action(*action),
            Move::Chance(outcome) if tree.root().check_chance(outcome).is_ok() => tree.follow_chance(outcome),
            // A move of some other line of play.
            _ => self.tree = None,
        }
    }
}
