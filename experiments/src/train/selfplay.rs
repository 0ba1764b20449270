//! The games that a training run learns from.

use std::sync::Arc;

use azulejo::record::{Analysis, End, MOVE_LIMIT, Recorder};
use azulejo::{Game, Generator, Record, Turn};
use azulejo_agents::neural::{Inference, NeuralParameters, RootKind, seated};
use azulejo_agents::{Agent, AgentSpec, AgentSpecError, Decision, Limits, Move, Playable};

use super::config::{Lesson, SelfplayConfig, TeacherConfig};
use crate::game_loop::Deals;
use crate::stream::Stream;

/// Who plays the games of a generation.
#[derive(Clone, Debug)]
pub(super) enum Player {
    /// The network, by searches.
    Network(Arc<dyn Inference>, SelfplayConfig),
    /// Another agent, to be imitated.
    Teacher(AgentSpec, TeacherConfig),
}

/// A seat for the player: it plays all sides of a game.
pub(super) struct Chair<G: Game> {
    player: Player,
    /// The one whose choices are learned.
    full: Box<dyn Agent<G>>,
    /// The one that plays the other moves.
    cheap: Option<Box<dyn Agent<G>>>,
}

/// How an action is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Uniformly among the legal ones.
    Random,
    /// By a full search; if drawn, from its improved policy.
    Full { drawn: bool },
    /// By a cheap search.
    Cheap,
}

impl<G: Playable> Chair<G> {
    /// A chair for the player.
    ///
    /// # Errors
    /// If the teacher cannot be built.
    pub fn new(player: &Player) -> Result<Self, AgentSpecError> {
        let (full, cheap) = match player {
            Player::Teacher(spec, _) => (spec.build::<G>()?, None),
            Player::Network(network, config) => {
                let parameters = |sims, noise| NeuralParameters {
                    sims: Some(sims),
                    noise,
                    root: RootKind::Gumbel,
                    considered: config.considered,
                    scale: config.scale,
                    rollout: Some(config.rollout),
                    look: config.look,
                    hand: config.hand,
                    margin: Some(config.margin),
                    ..NeuralParameters::default()
                };
                let full = seated::<G>(&parameters(config.full, 1.0), &**network);
                (full, Some(seated::<G>(&parameters(config.cheap, 0.0), &**network)))
            }
        };
        Ok(Chair { player: player.clone(), full, cheap })
    }

    /// Plays the game with this number in the run; it depends on nothing else.
    pub fn play(&mut self, rules: &'static G::Rules, players: usize, seed: u64, index: u64) -> Record {
        let mut rng = Stream::Training.generator(seed, &[index, 0]);
        self.full.new_game(Stream::Agents.seed(seed, &[index, 0]));
        if let Some(cheap) = &mut self.cheap {
            cheap.new_game(Stream::Agents.seed(seed, &[index, 1]));
        }
        let mut deals = Deals::new(seed, index);
        let (mut recorder, mut legal) = (Recorder::<G>::new(rules, players), Vec::new());
        let random_actions = rng.below(self.random_actions() + 1);
        let mut actions = 0;
        let end = loop {
            let state = *recorder.state();
            let played = match state.turn() {
                Turn::Over => break End::Finished,
                _ if recorder.plies() >= MOVE_LIMIT => break End::Truncated,
                Turn::Chance => {
                    let outcome = deals.draw(&state);
                    recorder.chance(&outcome).expect("a drawn outcome is possible");
                    Move::Chance(outcome)
                }
                Turn::Player(_) => {
                    let way = self.way(actions, random_actions, &mut rng);
                    let (action, analysis) = self.choose(&state, way, &mut rng, &mut legal);
                    actions += 1;
                    recorder.act(action, analysis).expect("agents of this project choose legal actions");
                    Move::Action(action)
                }
            };
            self.full.observe(&played);
            if let Some(cheap) = &mut self.cheap {
                cheap.observe(&played);
            }
        };
        let name = match &self.player {
            Player::Network(..) => "neural".to_owned(),
            Player::Teacher(spec, _) => spec.to_string(),
        };
        recorder.finish(end, vec![name; players], seed, index)
    }

    fn random_actions(&self) -> u64 {
        match &self.player {
            Player::Network(_, config) => config.random_actions,
            Player::Teacher(_, config) => config.random_actions,
        }
    }

    fn way(&self, actions: u64, random_actions: u64, rng: &mut Generator) -> Way {
        let chance = rng.unit();
        match &self.player {
            _ if actions < random_actions => Way::Random,
            Player::Teacher(_, config) if chance < config.random_share => Way::Random,
            Player::Teacher(..) => Way::Full { drawn: false },
            Player::Network(_, config) if chance < config.full_share => {
                Way::Full { drawn: actions - random_actions < config.drawn_actions }
            }
            Player::Network(..) => Way::Cheap,
        }
    }

    fn choose(
        &mut self,
        state: &G,
        way: Way,
        rng: &mut Generator,
        legal: &mut Vec<G::Action>,
    ) -> (G::Action, Option<Analysis>) {
        let agent = match (way, &mut self.cheap) {
            (Way::Random, _) => return (state.random_action(rng, legal), None),
            (Way::Cheap, Some(cheap)) => cheap,
            _ => &mut self.full,
        };
        let decision = agent.choose(state, &Limits::default()).expect("a player is to move");
        let mut analysis = decision.search.as_ref().map(|search| search.analysis());
        match (way, &self.player) {
            (Way::Cheap, _) => {
                if let Some(analysis) = &mut analysis {
                    analysis.policy.clear();
                }
            }
            // What a teacher plays is to be learned, whether it searched or not.
            (_, Player::Teacher(_, config)) => {
                let none = || Analysis { values: Vec::new(), visits: Vec::new(), policy: Vec::new() };
                let analysis = analysis.get_or_insert_with(none);
                analysis.policy = match config.lesson {
                    Lesson::Visits if !analysis.visits.is_empty() => shares(&analysis.visits),
                    _ => vec![(decision.action.to_string(), 1.0)],
                };
            }
            _ => {}
        }
        let action = match (way, &self.player) {
            (Way::Full { drawn: true }, Player::Network(_, config)) => {
                draw(&decision, config.temperature, rng)
            }
            _ => decision.action,
        };
        (action, analysis)
    }
}

/// Visits as shares of all visits.
fn shares(visits: &[(String, u32)]) -> Vec<(String, f32)> {
    let all: u32 = visits.iter().map(|(_, visits)| visits).sum();
    visits.iter().map(|(action, visits)| (action.clone(), *visits as f32 / all as f32)).collect()
}

/// An action drawn from the improved policy to the power of 1 / temperature.
fn draw<G: Game>(decision: &Decision<G>, temperature: f32, rng: &mut Generator) -> G::Action {
    let policy = decision.search.as_ref().map_or(&[][..], |search| &search.policy);
    let weight = |share: f32| f64::from(share.powf(1.0 / temperature));
    let mut left = rng.unit() * policy.iter().map(|entry| weight(entry.1)).sum::<f64>();
    for &(action, share) in policy {
        left -= weight(share);
        if left < 0.0 {
            return action;
        }
    }
    decision.action
}
