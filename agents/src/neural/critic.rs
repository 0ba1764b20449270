//! A network that corrects a game's own value: [`Critic`].
//!
//! A game's hand-made value knows much of what counts, but adds it up. A critic looks at the same numbers
//! ([`StateValue::INSIGHTS`]) and says how many points more or less each seat will end with. What it need not learn again
//! are the points themselves: so a few thousand games teach it.
//!
//! It is a [`Network`] without outputs for actions whose features are counts: a number of 3 steps is a feature that is
//! active three times, one of −3 steps another feature. The features, from the viewpoint: whether there are three and four
//! players, the table's numbers, then for each of four seats in turn order its own numbers and its value by hand.

use std::path::Path;

use azulejo::{MAX_PLAYERS, PerPlayer, Seat, fingerprint};

use super::file::{About, Fit, NetError};
use super::inference::Inference;
use super::network::{Network, Shape, Tensor};
use crate::game_knowledge::GameKnowledge;
use crate::heuristic::{POINT, StateValue};
use crate::valuation::ValueCorrection;

/// Points in a step of the value by hand.
const VALUE_STEP: f32 = 15.0;

/// No number counts for more steps than this.
const MOST_STEPS: f32 = 24.0;

/// Numbers that say how many play.
const PLAYERS: usize = 2;

/// How many numbers a critic of the game `G` looks at.
fn numbers<G: StateValue>() -> usize {
    PLAYERS + G::INSIGHTS.table.len() + MAX_PLAYERS * (G::INSIGHTS.seat.len() + 1)
}

fn fit<G: StateValue>() -> Fit {
    let names = G::INSIGHTS.table.iter().chain(G::INSIGHTS.seat);
    let names = names.flat_map(|name| name.bytes().chain([b'\n']));
    let encoding = fingerprint(b"critic 1\n".iter().copied().chain(names));
    Fit { game: G::ID, encoding, features: 2 * numbers::<G>(), parts: 0, former: Vec::new() }
}

/// The shape of a critic of the game `G`.
pub fn critic_shape<G: StateValue>(width: usize, blocks: usize) -> Shape {
    fit::<G>().shape(width, blocks)
}

/// A critic of the game `G` that has learned nothing; the same seed gives the same weights.
pub fn untrained_critic<G: StateValue>(width: usize, blocks: usize, seed: u64) -> Network {
    let mut network = Network::untrained(critic_shape::<G>(width, blocks), seed);
    // A feature counts several times.
    let range = network.shape().range(Tensor::Features);
    network.weights_mut()[range].iter_mut().for_each(|weight| *weight *= 0.3);
    network
}

/// What a file says of a critic of the game `G`.
pub fn about_critic<G: StateValue>(shape: Shape, steps: u64, rules: Vec<String>) -> About {
    fit::<G>().about(shape, steps, rules)
}

/// Reads a critic of the game `G` from a weights file.
///
/// # Errors
/// If the file cannot be read or used.
pub fn read_critic<G: StateValue>(path: &Path) -> Result<(Network, About), NetError> {
    fit::<G>().read(path)
}

/// Reads a critic of the game `G` from the bytes of a weights file.
///
/// # Errors
/// If they are not a weights file, or one for another game, encoding or format version.
pub fn critic_from_bytes<G: StateValue>(bytes: &[u8]) -> Result<(Network, About), NetError> {
    fit::<G>().network(bytes)
}

/// Values states by a game's own value, and corrects that by a network.
#[derive(Debug)]
pub struct Critic<G> {
    /// The network's; without one nothing is corrected.
    network: Option<Box<dyn Inference>>,
    features: Vec<u16>,
    numbers: Vec<f32>,
    game: std::marker::PhantomData<fn() -> G>,
}

impl<G: GameKnowledge> Critic<G> {
    /// A critic with this network; without one it looks but corrects nothing.
    ///
    /// # Panics
    /// If the network is not a critic of the game.
    pub fn new(network: Option<&dyn Inference>) -> Self {
        if let Some(Shape { features, parts, .. }) = network.map(Inference::shape) {
            assert_eq!((features, parts), (2 * numbers::<G>(), 0), "a critic of {}", G::ID);
        }
        Critic {
            network: network.map(Inference::another),
            features: Vec::new(),
            numbers: Vec::with_capacity(MAX_PLAYERS * G::INSIGHTS.seat.len()),
            game: std::marker::PhantomData,
        }
    }

    /// The points that the game's own value expects in the state that was looked at last, with the network's corrections.
    pub fn corrected(&mut self, state: &G, mut points: PerPlayer<f32>) -> PerPlayer<f32> {
        let Some(network) = &mut self.network else { return points };
        network.look(&self.features);
        let corrections = network.points_to_come();
        for (seat, correction) in state.viewpoint().around(state.players()).zip(corrections) {
            points[seat] += correction;
        }
        points
    }

    /// The features that a network sees of the last state that was looked at; a feature is there as often as it counts.
    pub fn features(&self) -> &[u16] {
        &self.features
    }

    /// Fills in the features; gives the points that the game's own value expects. The state is one that is valued as it is
    /// ([`StateValue::horizon`]).
    pub fn look(&mut self, state: &G, judge: &G::Judge) -> PerPlayer<f32> {
        let (players, mut at) = (state.players(), 0);
        let (numbers, features) = (&mut self.numbers, &mut self.features);
        features.clear();
        let mut count = |number: f32| {
            at += 1;
            if number == 0.0 {
                // Most are.
                return;
            }
            let steps = rounded(number.clamp(-MOST_STEPS, MOST_STEPS));
            let feature = 2 * (at - 1) + u16::from(steps < 0);
            features.resize(features.len() + steps.unsigned_abs() as usize, feature);
        };
        numbers.clear();
        numbers.extend([3, 4].map(|many| 2.0 * f32::from(u8::from(players >= many))));
        state.table_insights(numbers);
        numbers.iter().for_each(|&number| count(number));
        numbers.clear();
        let shares = PerPlayer::from_fn(players, |seat: Seat| state.seat_insights(judge, seat, numbers));
        let points = state.values(judge, &shares).map(|value| value as f32 / POINT as f32);
        let each = G::INSIGHTS.seat.len();
        for seat in state.viewpoint().around(players) {
            numbers[each * seat.index()..][..each].iter().for_each(|&number| count(number));
            count(points[seat] / VALUE_STEP);
        }
        points
    }
}

/// What [`f32::round`] returns, for numbers of [`MOST_STEPS`] at most: that one is a call on many processors.
#[inline]
fn rounded(number: f32) -> i32 {
    // A half would round up the number just below a half.
    const JUST_BELOW_HALF: f32 = 0.5_f32.next_down();
    (number + JUST_BELOW_HALF.copysign(number)) as i32
}

impl<G: GameKnowledge> ValueCorrection<G> for Critic<G> {
    fn points(&mut self, state: &G, judge: &G::Judge) -> PerPlayer<f32> {
        let own = self.look(state, judge);
        self.corrected(state, own)
    }
}

#[cfg(test)]
mod tests {
    use azulejo::azul::Azul;
    use azulejo::queens_garden::QueensGarden;
    use azulejo::summer_pavilion::SummerPavilion;
    use azulejo::testing::for_each_variant;
    use azulejo::{Game, Generator, Turn};

    use super::*;
    use crate::Playable;
    use crate::neural::network::SCORE_UNIT;
    use crate::neural::{Embedded, from_bytes, to_bytes};

    /// Calls `check` in the states of random games of all variants and numbers of players that are valued as they are.
    fn for_states<G: Playable>(mut check: impl FnMut(&G, &G::Judge)) {
        for_each_variant::<G>(|rules, players| {
            let judge = G::judge(rules, players, &G::ValueWeights::default());
            let (mut state, mut rng, mut legal) = (G::new(rules, players), Generator::new(3), Vec::new());
            while state.turn() != Turn::Over {
                if state.horizon().is_none() {
                    check(&state, &judge);
                }
                state.play_random(&mut rng, &mut legal);
            }
        });
    }

    #[test]
    fn without_a_network_it_is_the_games_own_value() {
        fn compare<G: Playable>() {
            let mut critic = Critic::<G>::new(None);
            for_states::<G>(|state, judge| {
                let own = state.values(judge, &state.shares(judge)).map(|value| value as f32 / POINT as f32);
                assert_eq!(critic.points(state, judge), own);
            });
        }
        compare::<QueensGarden>();
        compare::<SummerPavilion>();
        compare::<Azul>();
    }

    #[test]
    fn corrections_go_to_the_seats_in_turn_order_from_the_viewpoint() {
        let shape = critic_shape::<QueensGarden>(8, 0);
        let mut network = Network::new(shape, vec![0.0; shape.size()]);
        let bias = [1.0, 2.0, 3.0, 4.0];
        network.weights_mut()[shape.range(Tensor::ScoresBias)].copy_from_slice(&bias);
        let network = Embedded::new(network);
        let (mut critic, mut own) = (Critic::new(Some(&network)), Critic::<QueensGarden>::new(None));
        for_states::<QueensGarden>(|state, judge| {
            let (found, own) = (critic.points(state, judge), own.points(state, judge));
            for (seat, correction) in azulejo::Encode::viewpoint(state).around(state.players()).zip(bias) {
                assert!((found[seat] - own[seat] - SCORE_UNIT * correction).abs() < 1e-3);
            }
        });
    }

    /// The features said again by the numbers' places: how often each is there.
    #[test]
    fn features_count_the_steps_of_numbers() {
        fn check<G: Playable>() {
            let (mut critic, names) = (Critic::<G>::new(None), G::INSIGHTS);
            for_states::<G>(|state, judge| {
                let own = critic.look(state, judge);
                let mut expected: Vec<f32> =
                    [3, 4].map(|many| if state.players() >= many { 2.0 } else { 0.0 }).to_vec();
                state.table_insights(&mut expected);
                for seat in state.viewpoint().around(state.players()) {
                    state.seat_insights(judge, seat, &mut expected);
                    expected.push(own[seat] / VALUE_STEP);
                }
                expected.resize(PLAYERS + names.table.len() + MAX_PLAYERS * (names.seat.len() + 1), 0.0);
                let mut counts = vec![0.0; 2 * expected.len()];
                critic.features().iter().for_each(|&feature| counts[feature as usize] += 1.0);
                for (number, counts) in expected.iter().zip(counts.chunks_exact(2)) {
                    let steps = number.round().clamp(-MOST_STEPS, MOST_STEPS);
                    assert_eq!(counts, [steps.max(0.0), (-steps).max(0.0)]);
                }
            });
        }
        check::<QueensGarden>();
        check::<SummerPavilion>();
        check::<Azul>();
    }

    #[test]
    fn numbers_are_rounded_as_the_library_does() {
        let check = |number: f32| assert_eq!(rounded(number), number.round() as i32, "{number}");
        // The numbers around all halves and whole numbers, and others.
        for half in -48..=48_i16 {
            let number = f32::from(half) / 2.0;
            [number.next_down(), number, number.next_up()].into_iter().for_each(check);
        }
        (-24_000..=24_000).for_each(|thousandth: i32| check(thousandth as f32 / 1000.0));
        [f32::NAN, -0.0, f32::MIN_POSITIVE].into_iter().for_each(check);
    }

    #[test]
    fn files_of_critics_and_of_networks_that_play_are_told_apart() {
        let network = untrained_critic::<QueensGarden>(8, 1, 2);
        let bytes = to_bytes(&network, &about_critic::<QueensGarden>(network.shape(), 3, Vec::new()));
        let (read, about) = critic_from_bytes::<QueensGarden>(&bytes).unwrap();
        assert_eq!((read, about.steps), (network, 3));
        let refused = from_bytes::<QueensGarden>(&bytes).unwrap_err().to_string();
        assert!(refused.contains("another kind of network"), "{refused}");
        let refused = critic_from_bytes::<Azul>(&bytes).unwrap_err().to_string();
        assert_eq!(refused, "a network for queens-garden, expected one for azul");
        let plays = QueensGarden::NET.unwrap().weights;
        assert!(critic_from_bytes::<QueensGarden>(plays).is_err());
    }
}
