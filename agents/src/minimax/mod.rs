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
//!
//! Several threads search the same position with one table.

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
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use azulejo::Turn;

use self::clock::{Clock, ShownEffort};
use self::memory::{MAX_DEPTH, SearchMemory, SearchTables};
pub(crate) use self::opponents::Opponents;
use self::search::{MinimaxSearch, RootSearch};
use crate::agent::{Agent, AgentError, Decision, Limits, SearchSummary};
use crate::builder::AgentBuilder;
use crate::clock::{SearchClock, TimeControl, TimeLimits, WATCH_INTERVAL};
use crate::game_knowledge::GameKnowledge;
use crate::heuristic::{Millipoints, StateValue, millipoints};
use crate::parameters::{AgentSpecError, Mebibytes, Share};
use crate::rule_knowledge::{KnownKeys, RuleKnowledge};
use crate::search_threads::{MAX_THREADS, with_helpers};
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
        /// Milliseconds a move of processor time, of several threads that of the first; default: no limit.
        cpu: Option<u64> = None,
        /// With time or cpu, the share of what earlier moves of the game left of theirs that a move may take beside its own, 0 to 1: then
        /// time and cpu are what moves take at most on average. Default 0.
        carry: Share = Share::NONE,
        /// How several opponents are taken to play, paranoid or maxn; default paranoid.
        search: Opponents = Opponents::Paranoid,
        /// A TOML file with some or all of the weights of the game's value; default: the built-in ones.
        weights: Option<String> = None,
        /// The weight of the lead in points against that of the win share, up to 1; default 0.8.
        margin: f32 = 0.8,
        /// Threads that search at once with one table; with more than 1 the same seed need not find the same. Default 1.
        threads: u64 = 1,
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

/// So many nodes are worth starting a thread, which takes as long as some hundred.
const LEAST_NODES: u64 = 2048;

/// Searches afresh for every move, with tables that last for a game.
struct MinimaxAgent<G: StateValue> {
    parameters: MinimaxParameters,
    time: TimeControl,
    weights: G::ValueWeights,
    /// For the rules and the number of players that were last played.
    team: Option<SearchTeam<G>>,
}

/// Threads that search with the same tables, each by itself and each in another order: what one has found out the others need
/// not search (*lazy SMP*). The first decides.
struct SearchTeam<G: StateValue> {
    rules: &'static G::Rules,
    players: usize,
    tables: SearchTables,
    /// One for each thread.
    memories: Vec<SearchMemory<G>>,
}

/// What limits one choice.
struct SearchBudget {
    nodes: u64,
    depth: usize,
    time: TimeLimits,
}

impl<G: StateValue> MinimaxAgent<G> {
    fn new(parameters: MinimaxParameters, weights: G::ValueWeights) -> Self {
        let time = TimeLimits::from_millis(parameters.time, parameters.cpu);
        let time = TimeControl::new(time, parameters.carry);
        MinimaxAgent { parameters, time, weights, team: None }
    }

    /// What a win is worth beside the points, in a game of two twice over: with weight m of the lead, whose
    /// utility rises by m / 20 a point in an even game, the utility 1 − m of winning is that of 20 (1 − m) /
    /// m points.
    fn win(&self) -> Millipoints {
        let margin = self.parameters.margin.clamp(0.01, 1.0);
        millipoints(HALF_LEAD * (1.0 - margin) / margin)
    }

    fn budget(&self, limits: &Limits<'_>) -> SearchBudget {
        let MinimaxParameters { nodes, depth, .. } = self.parameters;
        let depth = depth.map_or(MAX_DEPTH, |depth| depth.min(MAX_DEPTH as u64) as usize);
        if limits.replace_own() {
            let nodes = limits.nodes.unwrap_or(u64::MAX);
            return SearchBudget { nodes, depth, time: TimeLimits::of(limits) };
        }
        let time = self.time.next_move();
        let unlimited = self.parameters.depth.is_some() || time.exist();
        let nodes = nodes.unwrap_or(if unlimited { u64::MAX } else { DEFAULT_NODES });
        SearchBudget { nodes, depth, time }
    }

    /// The threads that so many nodes are worth.
    fn threads(&self, nodes: u64) -> u64 {
        self.parameters.threads.min(MAX_THREADS).min(nodes / LEAST_NODES).max(1)
    }

    /// So many threads for searching a state, with tables that fit the budget.
    fn team(&mut self, threads: u64, state: &G, budget: &SearchBudget) -> &mut SearchTeam<G> {
        let (rules, players) = (state.rules(), state.players());
        let (win, opponents) = (self.win(), self.opponents(players));
        let bytes = self.parameters.memory.bytes_of_part(1) as u64;
        let known =
            self.team.take().filter(|team| std::ptr::eq(team.rules, rules) && team.players == players);
        let team = self.team.insert(known.unwrap_or_else(|| SearchTeam {
            rules,
            players,
            tables: SearchTables::new(),
            memories: Vec::new(),
        }));
        let new_memory = || SearchMemory::new(G::judge(rules, players, &self.weights));
        team.memories.resize_with(threads as usize, new_memory);
        team.memories.iter_mut().for_each(|memory| memory.win = win);
        team.tables.resize(opponents, budget.nodes.saturating_mul(2), bytes);
        team
    }

    /// Searches, calls `watch` after each depth, and counts the time if the agent's own limits held.
    fn decide(
        &mut self,
        state: &G,
        limits: &Limits<'_>,
        watch: impl FnMut(&MinimaxSearch<'_, '_, G>, &RootSearch<G>),
    ) -> Result<Decision<G>, AgentError> {
        let clock = SearchClock::start(self.time.next_move());
        let decision = self.search(state, limits, watch)?;
        if !limits.replace_own() {
            self.time.count_move(&clock);
        }
        Ok(decision)
    }

    /// Searches, and calls `watch` after each depth.
    fn search(
        &mut self,
        state: &G,
        limits: &Limits<'_>,
        watch: impl FnMut(&MinimaxSearch<'_, '_, G>, &RootSearch<G>),
    ) -> Result<Decision<G>, AgentError> {
        let Turn::Player(_) = state.turn() else { return Err(AgentError::NoTurn) };
        let (budget, opponents) = (self.budget(limits), self.opponents(state.players()));
        let threads = self.threads(budget.nodes);
        let share = budget.nodes / threads;
        let clock = Clock::new(budget.nodes - share * (threads - 1), budget.time, *limits);
        let SearchTeam { tables, memories, .. } = self.team(threads, state, &budget);
        tables.begin();
        let (tables, (memory, helpers)) = (&*tables, memories.split_first_mut().expect("at least one"));
        let mut root = RootSearch::new(memory, state, opponents, limits.candidates);
        if let ([only], 0) = (&root.candidates[..], limits.candidates) {
            return Ok(Decision::plain(only.action));
        }
        let shown: Vec<ShownEffort> = helpers.iter().map(|_| ShownEffort::default()).collect();
        let mut search = MinimaxSearch { tables, memory, clock: clock.helped_by(&shown) };
        let help = |(number, memory): &mut (usize, &mut SearchMemory<G>), end: &AtomicBool| {
            let limits = Limits { stop: Some(end), ..Limits::default() };
            let clock = Clock::new(share, budget.time, limits).showing(&shown[*number]);
            let mut root = RootSearch::new(memory, state, opponents, 1);
            let mut search = MinimaxSearch { tables, memory, clock };
            root.left = (root.candidates.len() - 1) * (*number + 1) / (shown.len() + 1);
            search.deepen(&mut root, budget.depth, |_, _| ());
            search.clock.show();
        };
        let mut helpers: Vec<_> = helpers.iter_mut().enumerate().collect();
        with_helpers(&mut helpers, help, |_| search.deepen(&mut root, budget.depth, watch))?;
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
        self.time.new_game();
        if let Some(SearchTeam { tables, .. }) = &mut self.team {
            tables.clear();
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
