//! Minimax search of the moves up to the next chance node.
//!
//! Between two deals these games are deterministic and open: the search sees everything, down to the
//! *afterstate* in which all is scored and nothing is dealt, or to the end of the game. There, and where the
//! depth runs out, the game's own [`StateValue`] says what each seat is expected to end with; nothing is ever
//! drawn. A game whose turns pass through chance nodes (Summer Pavilion's supply, Queen's Garden's stack) is
//! searched up to the first of them.
//!
//! The search deepens ply by ply: principal-variation search with a transposition table, actions ordered by
//! the table, killers, history and the game's ratings. Between two seats the value is the lead; among more,
//! either all others are one coalition (*paranoid*) or each seat maximizes its own lead (*max^n*).

mod alpha_beta;
mod best_actions;
mod clock;
mod maxn;
mod memory;
mod opponents;
pub(crate) mod order;
mod search;
mod summary;
pub(crate) mod table;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Instant;

use azulejo::Turn;

use self::clock::Clock;
use self::memory::{MAX_DEPTH, SearchMemory};
pub(crate) use self::opponents::Opponents;
use self::search::{MinimaxSearch, RootSearch};
use crate::agent::{Agent, AgentError, Decision, Limits, SearchSummary};
use crate::builder::AgentBuilder;
use crate::clock::{TimeLimits, WATCH_INTERVAL};
use crate::game_knowledge::GameKnowledge;
use crate::heuristic::{Millipoints, StateValue, millipoints};
use crate::parameters::{AgentSpecError, Mebibytes};
use crate::rule_knowledge::{KnownKeys, RuleKnowledge};
use crate::weights::read_weights;

crate::agent_parameters! {
    /// Alpha-beta search up to the next chance node, paranoid or max^n with three or more players; little better than greedy at Summer
    /// Pavilion, where chance comes within rounds.
    MinimaxParameters = "minimax" {
        /// Nodes a move; default 20000, without limit if a depth or a time is given.
        nodes: Option<u64> = None,
        /// The most plies; default: no limit.
        depth: Option<u64> = None,
        /// Milliseconds a move on the wall clock; default: no limit.
        time: Option<u64> = None,
        /// Milliseconds a move of the thread's processor time; default: no limit.
        cpu: Option<u64> = None,
        /// How several opponents are taken to play, paranoid or maxn; default paranoid.
        search: Opponents = Opponents::Paranoid,
        /// A TOML file with some or all of the weights of the game's value; default: the built-in ones.
        weights: Option<String> = None,
        /// The weight of the lead in points against that of the win share, up to 1; default 0.8.
        margin: f32 = 0.8,
        /// Mebibytes for the transposition table, which takes them only as it fills; default 16.
        #[alias = "table"]
        memory: Mebibytes = Mebibytes::new(16),
    }
}

impl AgentBuilder for MinimaxParameters {
    fn build<G: GameKnowledge>(&self) -> Result<Box<dyn Agent<G>>, AgentSpecError> {
        let weights = self.value_weights::<G>()?;
        Ok(Box::new(MinimaxAgent::<G>::new(self.clone(), weights)))
    }

    fn weights<G: GameKnowledge>(&self) -> Result<Option<toml::Table>, AgentSpecError> {
        Ok(toml::Table::try_from(self.value_weights::<G>()?).ok())
    }

    fn rule_knowledge<G: GameKnowledge>(&self) -> Result<RuleKnowledge, AgentSpecError> {
        let keys = KnownKeys::Listed(<G as StateValue>::KNOWN_RULES);
        Ok(RuleKnowledge { keys, by: "the game's own value" })
    }

    fn files(&self) -> Vec<PathBuf> {
        self.weights.iter().map(PathBuf::from).collect()
    }
}

impl MinimaxParameters {
    fn value_weights<G: GameKnowledge>(&self) -> Result<G::ValueWeights, AgentSpecError> {
        read_weights::<Self, _>("weights", G::NAME, self.weights.as_deref())
    }
}

/// Nodes a move where no limit is given.
const DEFAULT_NODES: u64 = 20_000;

/// A lead of this many points is half of the utility that a lead can have.
const HALF_LEAD: f32 = 20.0;

/// Searches afresh for every move, with a table that lasts for a game.
struct MinimaxAgent<G: StateValue> {
    parameters: MinimaxParameters,
    weights: G::ValueWeights,
    /// For the rules and the number of players that were last played.
    memory: Option<(&'static G::Rules, usize, SearchMemory<G>)>,
}

/// What limits one choice.
struct SearchBudget {
    nodes: u64,
    depth: usize,
    time: TimeLimits,
}

impl<G: StateValue> MinimaxAgent<G> {
    fn new(parameters: MinimaxParameters, weights: G::ValueWeights) -> Self {
        MinimaxAgent { parameters, weights, memory: None }
    }

    /// What a win is worth beside the points, in a game of two twice over: with weight m of the lead, whose
    /// utility rises by m / 20 a point in an even game, the utility 1 − m of winning is that of 20 (1 − m) /
    /// m points.
    fn win(&self) -> Millipoints {
        let margin = self.parameters.margin.clamp(0.01, 1.0);
        millipoints(HALF_LEAD * (1.0 - margin) / margin)
    }

    fn budget(&self, limits: &Limits<'_>) -> SearchBudget {
        let MinimaxParameters { nodes, depth, time, cpu, .. } = self.parameters;
        let depth = depth.map_or(MAX_DEPTH, |depth| depth.min(MAX_DEPTH as u64) as usize);
        if limits.replace_own() {
            let nodes = limits.nodes.unwrap_or(u64::MAX);
            return SearchBudget { nodes, depth, time: TimeLimits::of(limits) };
        }
        let time = TimeLimits::from_millis(time, cpu);
        let unlimited = self.parameters.depth.is_some() || time.exist();
        let nodes = nodes.unwrap_or(if unlimited { u64::MAX } else { DEFAULT_NODES });
        SearchBudget { nodes, depth, time }
    }

    /// The memory for searching a state, with tables that fit the budget.
    fn memory(&mut self, state: &G, budget: &SearchBudget) -> &mut SearchMemory<G> {
        let (rules, players) = (state.rules(), state.players());
        if self.memory.as_ref().is_none_or(|memory| !(std::ptr::eq(memory.0, rules) && memory.1 == players)) {
            self.memory = Some((rules, players, SearchMemory::new(G::judge(rules, players, &self.weights))));
        }
        let (win, opponents) = (self.win(), self.opponents(players));
        let bytes = self.parameters.memory.bytes_of_part(1) as u64;
        let memory = &mut self.memory.as_mut().expect("it has just been made").2;
        memory.win = win;
        memory.resize(opponents, budget.nodes.saturating_mul(2), bytes);
        memory
    }

    /// Searches, and calls `watch` after each depth.
    fn decide(
        &mut self,
        state: &G,
        limits: &Limits<'_>,
        watch: impl FnMut(&MinimaxSearch<'_, '_, G>, &RootSearch<G>),
    ) -> Result<Decision<G>, AgentError> {
        let Turn::Player(_) = state.turn() else { return Err(AgentError::NoTurn) };
        let (budget, opponents) = (self.budget(limits), self.opponents(state.players()));
        let clock = Clock::new(budget.nodes, budget.time, *limits);
        let memory = self.memory(state, &budget);
        let mut root = RootSearch::new(memory, state, opponents, limits.candidates);
        if let ([only], 0) = (&root.candidates[..], limits.candidates) {
            return Ok(Decision::plain(only.action));
        }
        let mut search = MinimaxSearch { memory, clock };
        search.deepen(&mut root, budget.depth, watch);
        let action = root.best.as_slice()[0].action;
        Ok(Decision { action, search: Some(search.summary(&root)) })
    }

    /// Two seats are two sides, whatever the parameter says.
    fn opponents(&self, players: usize) -> Opponents {
        if players == 2 { Opponents::Paranoid } else { self.parameters.search }
    }
}

impl<G: StateValue> Agent<G> for MinimaxAgent<G> {
    fn new_game(&mut self, _seed: u64) {
        if let Some((_, _, memory)) = &mut self.memory {
            memory.clear();
        }
    }

    fn choose(&mut self, state: &G, limits: &Limits<'_>) -> Result<Decision<G>, AgentError> {
        self.decide(state, limits, |_, _| ())
    }

    fn choose_watched(
        &mut self,
        state: &G,
        limits: &Limits<'_>,
        watch: &mut dyn FnMut(&SearchSummary<G>),
    ) -> Result<Decision<G>, AgentError> {
        let mut shown = Instant::now();
        self.decide(state, limits, |search, root| {
            if shown.elapsed() >= WATCH_INTERVAL {
                shown = Instant::now();
                watch(&search.summary(root));
            }
        })
    }
}
