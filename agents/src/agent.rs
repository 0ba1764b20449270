//! The [`Agent`] trait: something that chooses actions at one seat.

use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::Duration;

use azulejo::record::Analysis;
use azulejo::{Game, Move, PerPlayer};
use thiserror::Error;

/// A bot that plays one seat of a game.
///
/// An agent sees states and the moves that were played, never another agent or the generator of the deals.
/// With the same seed, the same game and limits that do not depend on the clock it makes the same choices.
pub trait Agent<G: Game>: Send {
    /// Forgets the last game and starts afresh from a seed.
    fn new_game(&mut self, seed: u64);

    /// Chooses a legal action for the player to move.
    ///
    /// # Errors
    /// If the agent cannot answer; the game is then forfeited.
    fn choose(&mut self, state: &G, limits: &Limits<'_>) -> Result<Decision<G>, AgentError>;

    /// The same in steps, for callers that have something else to do: [`Poll::Pending`] while the choice waits for a batch
    /// of questions, which several agents may share. It is to be called again for the same state and limits, after
    /// [`flush`](Agent::flush) of one of these agents, until the choice is made.
    fn poll_choose(&mut self, state: &G, limits: &Limits<'_>) -> Poll<Result<Decision<G>, AgentError>> {
        Poll::Ready(self.choose(state, limits))
    }

    /// Works out the batch for which choices wait, also those of other agents that share it.
    fn flush(&mut self) {}

    /// The same as [`choose`](Agent::choose), and shows `watch` some times a second what has been found so far; not at the end,
    /// when it is returned. An agent that does not think for long, or cannot tell before the end, shows nothing.
    ///
    /// # Errors
    /// If the agent cannot answer.
    fn choose_watched(
        &mut self,
        state: &G,
        limits: &Limits<'_>,
        watch: &mut dyn FnMut(&SearchSummary<G>),
    ) -> Result<Decision<G>, AgentError> {
        _ = watch;
        self.choose(state, limits)
    }

    /// Learns of a move that was played in the running game, by any seat or by chance.
    ///
    /// Agents that keep work from move to move override it; they must also cope with a state in
    /// [`choose`](Agent::choose) that does not follow from the observed moves.
    fn observe(&mut self, played: &Move<G>) {
        _ = played;
    }
}

/// Limits on one choice that take the place of the agent's own. Default: no change.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// The most simulations or nodes.
    pub nodes: Option<u64>,
    /// The longest time on the wall clock.
    pub time: Option<Duration>,
    /// The longest processor time of the thread that searches, of several of the first.
    pub cpu: Option<Duration>,
    /// Set by the caller to make a search end as soon as possible with what it has.
    pub stop: Option<&'a AtomicBool>,
    /// How many of the best actions are to be told as [`candidates`](Decision::candidates), with the choice; 0 if nobody asks:
    /// then the choice alone is told, as far as it takes nothing to know it. A search that is asked uses all that its
    /// limits allow, also where only one action is legal or the choice is certain before.
    pub candidates: usize,
}

impl Limits<'_> {
    /// Whether nodes or a time are limited, in place of the agent's own limits.
    pub(crate) fn replace_own(&self) -> bool {
        self.nodes.is_some() || self.time.is_some() || self.cpu.is_some()
    }

    /// Whether the caller has asked to stop.
    pub fn stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// An agent's choice, with what its search found if it searched.
#[derive(Clone, Debug)]
pub struct Decision<G: Game> {
    /// The chosen action.
    pub action: G::Action,
    /// The search that found it.
    pub search: Option<SearchSummary<G>>,
}

impl<G: Game> Decision<G> {
    /// A choice made without search.
    pub fn plain(action: G::Action) -> Self {
        Decision { action, search: None }
    }

    /// The actions that the search takes for the best, the chosen one first, each with what the player to move can expect of
    /// it: as many as [`Limits::candidates`] asks for, or all that the search knows if these are fewer: of actions that lead to
    /// the same it may know only one. Empty if the agent does not search.
    pub fn candidates(&self) -> &[SearchedAction<G>] {
        self.search.as_ref().map_or(&[], |search| &search.candidates)
    }
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct SearchSummary<G: Game> {
    /// The expected utility of each seat, in [-1, 1]; for pure win share 2 × share − 1.
    pub values: PerPlayer<f32>,
    /// The share of the win that each seat can expect, 0 to 1; a mean as `values` are, over the simulations that count for
    /// the candidates.
    pub wins: PerPlayer<f32>,
    /// The lead in points over the best other seat that each seat can expect, likewise.
    pub leads: PerPlayer<f32>,
    /// The best actions, see [`Decision::candidates`].
    pub candidates: Vec<SearchedAction<G>>,
    /// The actions at the root with their visit counts, most visited first.
    pub visits: Vec<(G::Action, u32)>,
    /// The policy that the search improved, if it has one: actions with probabilities.
    pub policy: Vec<(G::Action, f32)>,
    /// Simulations (or nodes) spent on this choice.
    pub nodes: u64,
    /// The longest line that was looked at, in plies.
    pub depth: usize,
    /// Time spent on this choice, on the wall clock.
    pub time: Duration,
    /// Whether a time limits the choice, so that records keep what it took: nothing else tells it.
    pub timed: bool,
    /// The processor time of all threads that searched; `None` where no time limits the search, which then looks at no clock.
    pub cpu: Option<Duration>,
}

/// What a search found of an action, from the point of view of the player to move: a candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchedAction<G: Game> {
    /// The action.
    pub action: G::Action,
    /// How often it was visited, as [`SearchSummary::visits`] says; 0 if no simulation went there.
    pub visits: u32,
    /// The share of the win that the player to move can expect after it, 0 to 1: the mean over the simulations that went
    /// there since its state is the root, without such ones by a look at the state after it. `minimax`, which values
    /// points alone before the end of the game, takes shares to be in proportion to e^(points / 8).
    pub win: f32,
    /// The lead in points over the best other seat that the player to move can expect to end with.
    pub lead: f32,
    /// The expected line of play up to the next chance node, from the action on.
    pub line: Vec<G::Action>,
}

impl<G: Game> SearchSummary<G> {
    /// What is known where nothing was searched: the values of no seat, no visits, no policy.
    pub fn nothing() -> Self {
        SearchSummary {
            values: PerPlayer::splat(0, 0.0),
            wins: PerPlayer::splat(0, 0.0),
            leads: PerPlayer::splat(0, 0.0),
            candidates: Vec::new(),
            visits: Vec::new(),
            policy: Vec::new(),
            nodes: 0,
            depth: 0,
            time: Duration::ZERO,
            timed: false,
            cpu: None,
        }
    }

    /// The expected line of play up to the next chance node, from the chosen action; empty if none is known.
    pub fn line(&self) -> &[G::Action] {
        self.candidates.first().map_or(&[], |best| &best.line)
    }

    /// Whether anything was found: an agent may tell no more than the time that it took.
    pub fn has_values(&self) -> bool {
        !self.values.as_slice().is_empty()
    }

    /// The part that game records keep. What was spent is part of it where a time limits the search.
    pub fn analysis(&self) -> Analysis {
        let millis = |time: Duration| time.as_micros() as f64 / 1000.0;
        Analysis {
            values: self.values.as_slice().to_vec(),
            visits: self.visits.iter().map(|(action, visits)| (action.to_string(), *visits)).collect(),
            policy: self.policy.iter().map(|(action, share)| (action.to_string(), *share)).collect(),
            nodes: self.cpu.map(|_| self.nodes),
            cpu_ms: self.cpu.map(millis),
            ms: self.timed.then(|| millis(self.time)),
        }
    }
}

/// Why an agent did not answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AgentError {
    /// No action is legal: the state is at a chance node, or over.
    #[error("no player is to move")]
    NoTurn,
    /// The agent could not choose, and this is why: another program that did something wrong, say.
    #[error("{0}")]
    Failed(String),
}
