//! Who plays the games that a training run learns from: [`TrainingAgent`].

use std::sync::Arc;
use std::task::Poll;

use azulejo::{Game, Generator, Move};
use azulejo_agents::neural::{Inference, NeuralParameters, RootKind, seated};
use azulejo_agents::{
    Agent, AgentError, AgentSpec, AgentSpecError, Decision, Limits, Playable, SearchSummary,
};
use rand::RngExt;

use super::config::{LEARNER, Lesson, SelfplayConfig, TeacherConfig};
use super::training_seeds::TrainingSeeds;
use crate::stream::Stream;

/// Who plays the games of a stage.
#[derive(Clone, Debug)]
pub(super) enum StagePlayer {
    /// The network, by searches.
    Network(Arc<dyn Inference>, SelfplayConfig),
    /// Another agent, to be imitated.
    Teacher(AgentSpec, TeacherConfig),
}

impl StagePlayer {
    /// The same player on another thread.
    pub(super) fn for_thread(&self) -> Self {
        match self {
            StagePlayer::Network(network, config) => {
                StagePlayer::Network(network.for_thread().into(), config.clone())
            }
            StagePlayer::Teacher(..) => self.clone(),
        }
    }

    /// Its name in records.
    pub(super) fn name(&self) -> String {
        match self {
            StagePlayer::Network(..) => LEARNER.to_owned(),
            StagePlayer::Teacher(spec, _) => spec.to_string(),
        }
    }

    /// The most random actions at the start of a game.
    fn random_actions(&self) -> u64 {
        match self {
            StagePlayer::Network(_, config) => config.random_actions,
            StagePlayer::Teacher(_, config) => config.random_actions,
        }
    }
}

/// Plays all seats of a game in the way that examples to learn from need: random actions at its start, then
/// full and cheap searches, the first actions of full ones drawn. What is to be learned of a choice goes with
/// it, as its search.
pub(super) struct TrainingAgent<G: Game> {
    player: StagePlayer,
    /// The run's seeds.
    seeds: TrainingSeeds,
    /// The one whose choices are learned.
    full: Box<dyn Agent<G>>,
    /// The one that plays the other moves.
    cheap: Option<Box<dyn Agent<G>>>,
    rng: Generator,
    /// The random actions at the start of this game.
    random_actions: u64,
    /// The actions of this game so far.
    actions: u64,
    /// How the action is chosen whose search waits.
    waiting: Option<ActionChoice>,
    legal: Vec<G::Action>,
}

/// How an action is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ActionChoice {
    /// Uniformly among the legal ones.
    Random,
    /// By a full search; if drawn, from its improved policy.
    Full { drawn: bool },
    /// By a cheap search.
    Cheap,
}

impl<G: Playable> TrainingAgent<G> {
    /// The agent for a stage of the run with these seeds.
    ///
    /// # Errors
    /// If the teacher cannot be built.
    pub(super) fn new(player: &StagePlayer, seeds: TrainingSeeds) -> Result<Self, AgentSpecError> {
        let (full, cheap) = match player {
            StagePlayer::Teacher(spec, _) => (spec.build::<G>()?, None),
            StagePlayer::Network(network, config) => {
                // A configuration has been checked.
                let searches = |sims| config.searches(sims).expect("parameters of searches");
                let cheap = seated::<G>(&searches(config.cheap), &**network)?;
                (seated::<G>(&exploring(searches(config.full)), &**network)?, Some(cheap))
            }
        };
        let (player, rng) = (player.clone(), seeds.actions(0));
        Ok(TrainingAgent {
            player,
            seeds,
            full,
            cheap,
            rng,
            random_actions: 0,
            actions: 0,
            waiting: None,
            legal: Vec::new(),
        })
    }
}

/// The parameters with as much chance at the root as those who proposed it took (Danihelka et al. 2022; Silver et al. 2018).
fn exploring(parameters: NeuralParameters) -> NeuralParameters {
    let noise = match parameters.root {
        RootKind::Gumbel => 1.0,
        RootKind::Puct => 0.25,
    };
    NeuralParameters { noise, ..parameters }
}

impl<G: Game> TrainingAgent<G> {
    /// How the next action is chosen.
    fn action_choice(&mut self) -> ActionChoice {
        let (chance, actions) = (self.rng.random::<f64>(), self.actions);
        self.actions += 1;
        match &self.player {
            _ if actions < self.random_actions => ActionChoice::Random,
            StagePlayer::Teacher(_, config) if chance < config.random_share => ActionChoice::Random,
            StagePlayer::Teacher(..) => ActionChoice::Full { drawn: false },
            StagePlayer::Network(_, config) if chance < config.full_share => {
                ActionChoice::Full { drawn: actions - self.random_actions < config.drawn_actions }
            }
            StagePlayer::Network(..) => ActionChoice::Cheap,
        }
    }

    /// The action and what is to be learned of a full search.
    fn learned(&mut self, mut decision: Decision<G>, drawn: bool) -> Decision<G> {
        if let (StagePlayer::Network(..), Some(search)) = (&self.player, &mut decision.search) {
            // A search that improved no policy teaches its visits.
            if search.policy.is_empty() {
                search.policy = shares(&search.visits);
            }
        }
        match &self.player {
            StagePlayer::Network(_, config) if drawn => {
                Decision { action: draw(&decision, config.temperature, &mut self.rng), ..decision }
            }
            StagePlayer::Network(..) => decision,
            // What a teacher plays is to be learned, whether it searched or not.
            StagePlayer::Teacher(_, config) => {
                let mut search = decision.search.unwrap_or_else(SearchSummary::nothing);
                search.policy = match config.lesson {
                    Lesson::Visits if !search.visits.is_empty() => shares(&search.visits),
                    _ => vec![(decision.action, 1.0)],
                };
                Decision { search: Some(search), ..decision }
            }
        }
    }
}

impl<G: Playable> Agent<G> for TrainingAgent<G> {
    /// Starts the game with this number in the run, from which and the run's seeds all random numbers follow.
    fn new_game(&mut self, index: u64) {
        self.full.new_game(Stream::Agents.seed(self.seeds.games(), &[index, 0]));
        if let Some(cheap) = &mut self.cheap {
            cheap.new_game(Stream::Agents.seed(self.seeds.games(), &[index, 1]));
        }
        self.rng = self.seeds.actions(index);
        self.random_actions = self.rng.below(self.player.random_actions() + 1);
        (self.actions, self.waiting) = (0, None);
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
        let choice = self.waiting.take().unwrap_or_else(|| self.action_choice());
        let searching = match (choice, &mut self.cheap) {
            (ActionChoice::Random, _) => {
                let action = state.random_action(&mut self.rng, &mut self.legal);
                return Poll::Ready(Ok(Decision::plain(action)));
            }
            (ActionChoice::Cheap, Some(cheap)) => cheap,
            _ => &mut self.full,
        };
        let Poll::Ready(decision) = searching.poll_choose(state, limits) else {
            self.waiting = Some(choice);
            return Poll::Pending;
        };
        let mut decision = decision?;
        if choice != ActionChoice::Cheap {
            decision = self.learned(decision, choice == ActionChoice::Full { drawn: true });
        } else if let Some(search) = &mut decision.search {
            search.policy.clear();
        }
        Poll::Ready(Ok(decision))
    }

    fn flush(&mut self) {
        self.full.flush();
        if let Some(cheap) = &mut self.cheap {
            cheap.flush();
        }
    }

    fn observe(&mut self, played: &Move<G>) {
        self.full.observe(played);
        if let Some(cheap) = &mut self.cheap {
            cheap.observe(played);
        }
    }
}

/// Visits as shares of all visits.
fn shares<A: Copy>(visits: &[(A, u32)]) -> Vec<(A, f32)> {
    let all: u32 = visits.iter().map(|(_, visits)| visits).sum();
    visits.iter().map(|&(action, visits)| (action, visits as f32 / all as f32)).collect()
}

/// An action drawn from the improved policy to the power of 1 / temperature.
fn draw<G: Game>(decision: &Decision<G>, temperature: f32, rng: &mut Generator) -> G::Action {
    let policy = decision.search.as_ref().map_or(&[][..], |search| &search.policy);
    let weight = |share: f32| f64::from(share.powf(1.0 / temperature));
    let mut left = rng.random::<f64>() * policy.iter().map(|entry| weight(entry.1)).sum::<f64>();
    for &(action, share) in policy {
        left -= weight(share);
        if left < 0.0 {
            return action;
        }
    }
    decision.action
}
