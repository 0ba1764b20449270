//! What stands in for the agents' abilities that a game does not have, and the refusals of agents that need
//! one.

use azulejo::{Encode, Game};

use crate::heuristic::Heuristic;
use crate::parameters::{AgentParameters, AgentSpecError};

/// Implements the agents' traits that a game does not have itself, [`Heuristic`],
/// [`StateValue`](crate::heuristic::StateValue), [`Endgame`](crate::solve::Endgame) and [`GameKnowledge`](crate::GameKnowledge), and
/// [`Playable`](crate::Playable); the abilities that it has are listed: `azulejo_agents::fill_in!(MyGame: value)`.
#[macro_export]
macro_rules! fill_in {
    ($game:ty: $($ability:ident)*) => {
        azulejo::unless_listed!(heuristic in [$($ability)*] {
            impl $crate::heuristic::Heuristic for $game {
                type Weights = ();
                type Playout = ();

                const TEMPERATURE: f32 = 1.0;
                const IS_RATED: bool = false;

                fn rate_actions(&self, _weights: &(), actions: &[Self::Action], ratings: &mut Vec<f32>) {
                    ratings.clear();
                    ratings.resize(actions.len(), 0.0);
                }
            }
        });
        azulejo::unless_listed!(value in [$($ability)*] {
            impl $crate::heuristic::StateValue for $game {
                type ValueWeights = ();
                type Judge = ();
                type Share = $crate::heuristic::Millipoints;

                const ROLLOUT: $crate::evaluator::RolloutKind = $crate::evaluator::RolloutKind::Random;

                fn judge(_rules: &'static Self::Rules, _players: usize, _weights: &()) {}

                fn share(&self, _judge: &(), seat: azulejo::Seat) -> Self::Share {
                    $crate::heuristic::POINT * $crate::heuristic::Millipoints::from(azulejo::Game::scores(self)[seat])
                }

                fn values(
                    &self,
                    _judge: &(),
                    shares: &azulejo::PerPlayer<Self::Share>,
                ) -> azulejo::PerPlayer<$crate::heuristic::Millipoints> {
                    *shares
                }
            }
        });
        azulejo::unless_listed!(endgame in [$($ability)*] {
            impl $crate::solve::Endgame for $game {
                type Image = [u64; 1];
                type Outlook = ();

                fn outlook(&self) {}

                fn is_chance_free(
                    &self,
                    _outlook: &mut (),
                    _budget: &mut $crate::solve::Budget<'_>,
                ) -> Result<bool, $crate::solve::Halt> {
                    Ok(false)
                }

                fn image(
                    &self,
                    _outlook: &mut (),
                    _budget: &mut $crate::solve::Budget<'_>,
                ) -> Result<Option<[u64; 1]>, $crate::solve::Halt> {
                    Ok(None)
                }

                fn range(
                    &self,
                    _outlook: &mut (),
                    _budget: &mut $crate::solve::Budget<'_>,
                ) -> Result<$crate::solve::WorthRange, $crate::solve::Halt> {
                    Ok($crate::solve::WorthRange::ALL)
                }
            }
        });
        azulejo::unless_listed!(network in [$($ability)*] {
            impl $crate::GameKnowledge for $game {
                const NET: Option<$crate::shipped::ShippedNet> = None;
            }
        });
        impl $crate::Playable for $game {
            #[inline(never)]
            fn factory(spec: &$crate::AgentSpec) -> &dyn $crate::AgentFactory<Self> {
                spec.factory()
            }

            #[inline(never)]
            fn random_game(
                rules: &'static Self::Rules,
                players: usize,
                rng: &mut azulejo::Generator,
                buffer: &mut Vec<Self::Action>,
            ) -> u64 {
                use azulejo::Game;
                let (mut state, mut actions) = (Self::new(rules, players), 0);
                while state.turn() != azulejo::Turn::Over {
                    actions += u64::from(state.turn() != azulejo::Turn::Chance);
                    state.play_random(rng, buffer);
                }
                actions
            }

            #[inline(never)]
            fn solve(
                &self,
                limits: $crate::solve::SolveLimits,
                watch: &mut dyn FnMut(&$crate::solve::SolveProgress),
            ) -> Result<$crate::solve::Solution<Self>, $crate::solve::SolveError> {
                $crate::solve::solve(self, limits, watch)
            }
        }
    };
}

/// The agents that need nothing of a game but its rules.
const FOR_ALL_GAMES: &str = "random, mcts:rollout=random, minimax";

/// Refuses a game without ratings of actions.
pub(crate) fn need_ratings<G: Heuristic>(agent: &impl AgentParameters) -> Result<(), AgentSpecError> {
    if G::IS_RATED { Ok(()) } else { Err(refusal::<G>(agent, "ratings of actions")) }
}

/// Refuses a game without features for networks.
pub(crate) fn need_features<G: Encode>(agent: &impl AgentParameters) -> Result<(), AgentSpecError> {
    if G::FEATURES > 0 { Ok(()) } else { Err(refusal::<G>(agent, "features for networks")) }
}

/// Refuses a game that does not have what an agent chooses by.
pub(crate) fn refusal<G: Game>(agent: &impl AgentParameters, ability: &'static str) -> AgentSpecError {
    AgentSpecError::Ability { agent: agent.to_spec(), game: G::NAME, ability, others: FOR_ALL_GAMES }
}
