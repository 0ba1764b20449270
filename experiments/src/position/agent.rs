//! An agent of any game, which follows positions: [`PositionAgent`].

use azulejo::{GameSpec, History, Indexed, with_game};
use azulejo_agents::{AgentSpec, AgentSpecError, Decision, Limits, Playable, SearchSummary, SearchedAction};

use super::Position;
use crate::FollowingAgent;
use crate::game_loop::FaultReason;

/// An agent that chooses in positions of one game.
pub trait PositionAgent: Send {
    /// Chooses in a position, and shows `watch` now and then what has been found so far; `None` if the position is one of
    /// another game.
    ///
    /// # Errors
    /// If the agent does not answer, or with an action that is not legal.
    fn choose_watched(
        &mut self,
        position: &dyn Position,
        limits: &Limits<'_>,
        watch: &mut dyn FnMut(FoundBySearch),
    ) -> Option<Result<Found, FaultReason>>;

    /// Chooses in a position; `None` if it is one of another game.
    ///
    /// # Errors
    /// If the agent does not answer, or with an action that is not legal.
    fn choose(&mut self, position: &dyn Position, limits: &Limits<'_>) -> Option<Result<Found, FaultReason>>;
}

/// What an agent has chosen and found, in words.
#[derive(Clone, Debug)]
pub struct Found {
    /// The action's token.
    pub action: String,
    /// Its number in the action index.
    pub index: usize,
    /// What the search found, if there was one.
    pub search: Option<FoundBySearch>,
}

/// What a search found: a [`SearchSummary`] in words.
#[derive(Clone, Debug)]
pub struct FoundBySearch {
    /// The expected utility of each seat; `None` if nothing was found.
    pub values: Option<Vec<f32>>,
    /// The share of the win that each seat can expect.
    pub wins: Vec<f32>,
    /// The lead in points that each seat can expect.
    pub leads: Vec<f32>,
    /// The best actions.
    pub candidates: Vec<FoundAction>,
    /// The actions at the root with their visit counts.
    pub visits: Vec<(String, u32)>,
    /// The policy that the search improved.
    pub policy: Vec<(String, f32)>,
    /// The expected line of play.
    pub line: Vec<String>,
    /// Simulations or nodes.
    pub nodes: u64,
    /// The longest line, in plies.
    pub depth: usize,
    /// Time on the wall clock.
    pub seconds: f64,
}

/// A candidate: a [`SearchedAction`] in words.
#[derive(Clone, Debug)]
pub struct FoundAction {
    /// The action's token.
    pub action: String,
    /// How often it was visited.
    pub visits: u32,
    /// The share of the win that the player to move can expect after it.
    pub win: f32,
    /// The lead in points that the player to move can expect.
    pub lead: f32,
    /// The expected line of play, from the action on.
    pub line: Vec<String>,
}

impl<G: Playable> From<&SearchedAction<G>> for FoundAction {
    fn from(searched: &SearchedAction<G>) -> Self {
        FoundAction {
            action: searched.action.to_string(),
            visits: searched.visits,
            win: searched.win,
            lead: searched.lead,
            line: searched.line.iter().map(ToString::to_string).collect(),
        }
    }
}

impl<G: Playable> From<&SearchSummary<G>> for FoundBySearch {
    fn from(search: &SearchSummary<G>) -> Self {
        FoundBySearch {
            values: search.has_values().then(|| search.values.as_slice().to_vec()),
            wins: search.wins.as_slice().to_vec(),
            leads: search.leads.as_slice().to_vec(),
            candidates: search.candidates.iter().map(FoundAction::from).collect(),
            visits: search.visits.iter().map(|(action, visits)| (action.to_string(), *visits)).collect(),
            policy: search.policy.iter().map(|(action, share)| (action.to_string(), *share)).collect(),
            line: search.line().iter().map(ToString::to_string).collect(),
            nodes: search.nodes,
            depth: search.depth,
            seconds: search.time.as_secs_f64(),
        }
    }
}

impl<G: Playable> From<Decision<G>> for Found {
    fn from(decision: Decision<G>) -> Self {
        Found {
            action: decision.action.to_string(),
            index: decision.action.index(),
            search: decision.search.as_ref().map(FoundBySearch::from),
        }
    }
}

impl<G: Playable> PositionAgent for FollowingAgent<G> {
    fn choose_watched(
        &mut self,
        position: &dyn Position,
        limits: &Limits<'_>,
        watch: &mut dyn FnMut(FoundBySearch),
    ) -> Option<Result<Found, FaultReason>> {
        let history = position.as_any().downcast_ref::<History<G>>()?;
        let mut watch = |search: &SearchSummary<G>| watch(search.into());
        Some(FollowingAgent::choose_watched(self, history, limits, &mut watch).map(Found::from))
    }

    fn choose(&mut self, position: &dyn Position, limits: &Limits<'_>) -> Option<Result<Found, FaultReason>> {
        let history = position.as_any().downcast_ref::<History<G>>()?;
        Some(FollowingAgent::choose(self, history, limits).map(Found::from))
    }
}

/// The agent of a spec for a game, which begins each game from this seed.
///
/// # Errors
/// If it cannot be built for this game.
pub fn agent(spec: &AgentSpec, seed: u64, game: GameSpec) -> Result<Box<dyn PositionAgent>, AgentSpecError> {
    with_game!(game, |_rules: &'static G::Rules| Ok(Box::new(FollowingAgent::<G>::new(spec, seed)?)))
}
