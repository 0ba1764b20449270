//! The first layer in 16 bits: [`FixedLayer`].
//!
//! A look at a state adds up some hundred rows of a matrix that does not fit into a processor's nearest memory. As integers of 16 bits they
//! take half of that memory, and a vector holds twice as many: the layer takes 0.45 times the time that it takes with numbers of
//! 32 bits (256 entries, 100 of 2,300 rows), a look three quarters. Integers are added up alike on every processor.
//!
//! Each entry of the layer has a unit of its own, the least power of 2 of which the bias and the [`ROWS_IN_RANGE`] largest weights come to
//! no more than 16 bits hold. What features sum up to in play is far from that: sums that leave the range stay at its end. Weights that are
//! multiples of the units lose nothing.

use pulp::Arch;

use super::kernels::{LINE, Line, rectify_lines};
use super::network::{Network, Tensor};

/// The largest sum, in units.
const RANGE: f32 = i16::MAX as f32;

/// So many rows added up stay within the range whatever they are.
const ROWS_IN_RANGE: usize = 128;

/// A network's first layer, rounded to integers of 16 bits.
#[derive(Debug)]
pub(super) struct FixedLayer {
    /// Row after row, each filled up to whole lines.
    rows: Vec<Line>,
    bias: Vec<Line>,
    /// What a unit of each entry is worth.
    units: Vec<f32>,
}

impl FixedLayer {
    /// The first layer of a network.
    pub(super) fn of(network: &Network) -> Self {
        let (matrix, bias) = (network.tensor(Tensor::Features), network.tensor(Tensor::FeaturesBias));
        let width = network.shape().width;
        let units: Vec<f32> =
            (0..width).map(|at| unit(matrix.iter().skip(at).step_by(width), bias[at])).collect();
        let rounded = |row: &[f32]| -> Vec<Line> {
            let entries =
                row.iter().zip(&units).map(|(weight, unit)| (weight / unit).round_ties_even() as i16);
            let entries: Vec<i16> = entries.collect();
            entries.chunks(LINE).map(Line::of).collect()
        };
        FixedLayer { rows: matrix.chunks(width).flat_map(rounded).collect(), bias: rounded(bias), units }
    }

    /// Fills `layer` with max(x, 0) for every entry x of the bias with the active features' rows added.
    ///
    /// # Panics
    /// If there is no such feature, or if the layer has another width.
    pub(super) fn fill(&self, arch: Arch, features: &[u16], layer: &mut [f32]) {
        rectify_lines(arch, &self.rows, &self.bias, features, &self.units, layer);
    }
}

/// The unit of an entry with these weights and this bias.
fn unit<'a>(weights: impl Iterator<Item = &'a f32>, bias: f32) -> f32 {
    let mut sizes: Vec<f32> = weights.map(|weight| weight.abs()).collect();
    if sizes.len() > ROWS_IN_RANGE {
        sizes.select_nth_unstable_by(ROWS_IN_RANGE, |a, b| b.total_cmp(a));
        sizes.truncate(ROWS_IN_RANGE);
        // Sums do not depend on how the largest were found.
        sizes.sort_unstable_by(f32::total_cmp);
    }
    let most = sizes.iter().sum::<f32>() + bias.abs();
    // Where nothing is added up, or more than can be written, any unit will do.
    if most.is_normal() { power_of_2(most / RANGE) } else { 1.0 }
}

/// The least power of 2 that is no less than a number above 0, of those that are stored in full.
fn power_of_2(number: f32) -> f32 {
    const FRACTION: u32 = (1 << (f32::MANTISSA_DIGITS - 1)) - 1;
    f32::from_bits((number.to_bits() + FRACTION) & !FRACTION)
}

#[cfg(test)]
mod tests {
    use azulejo::azul::Azul;
    use azulejo::queens_garden::QueensGarden;
    use azulejo::summer_pavilion::SummerPavilion;
    use azulejo::testing::for_each_variant;
    use azulejo::{Generator, Turn};

    use super::*;
    use crate::Playable;
    use crate::neural::network::{Shape, Workspace};
    use crate::neural::{NeuralParameters, shape_of};

    /// The layer by one entry after the other.
    fn plain(network: &Network, features: &[u16]) -> Vec<f32> {
        let width = network.shape().width;
        let matrix = network.tensor(Tensor::Features);
        let entry = |at: usize| {
            let weights = features.iter().map(|&feature| matrix[usize::from(feature) * width + at]);
            (network.tensor(Tensor::FeaturesBias)[at] + weights.sum::<f32>()).max(0.0)
        };
        (0..width).map(entry).collect()
    }

    #[test]
    fn it_is_the_layer_to_within_what_is_rounded_at_every_width() {
        for width in [1, 31, 32, 64, 130, 192, 256] {
            let shape = Shape { features: 300, parts: 1, width, blocks: 0 };
            let network = Network::untrained(shape, 7);
            let (fixed, mut layer) = (FixedLayer::of(&network), vec![f32::NAN; width]);
            let features: Vec<u16> = (0..300).step_by(4).collect();
            fixed.fill(Arch::new(), &features, &mut layer);
            for ((fixed, plain), unit) in layer.iter().zip(plain(&network, &features)).zip(&fixed.units) {
                assert!(
                    (fixed - plain).abs() <= 0.51 * unit * features.len() as f32,
                    "{width}: {fixed} {plain}"
                );
            }
        }
    }

    #[test]
    fn units_are_powers_of_2() {
        for (number, power) in [(1.0, 1.0), (1.1, 2.0), (0.3, 0.5), (0.25, 0.25), (3e-39, f32::MIN_POSITIVE)]
        {
            assert_eq!(power_of_2(number), power, "{number}");
        }
    }

    #[test]
    fn weights_that_are_multiples_of_the_units_lose_nothing() {
        let shape = Shape { features: 500, parts: 1, width: 96, blocks: 1 };
        let mut network = Network::untrained(shape, 9);
        network
            .weights_mut()
            .iter_mut()
            .for_each(|weight| *weight = (*weight * 64.0).round_ties_even() / 64.0);
        let fixed = FixedLayer::of(&network);
        let (mut exact, mut rounded) = (Workspace::new(shape), Workspace::new(shape));
        for first in 0..40 {
            let features: Vec<u16> = (first..500).step_by(7).collect();
            network.look(&features, &mut exact);
            network.look_by(&fixed, &features, &mut rounded);
            assert_eq!(exact.hidden, rounded.hidden);
            assert!(exact.hidden.iter().any(|entry| *entry > 0.0));
        }
    }

    #[test]
    fn sums_that_leave_the_range_stay_at_its_end() {
        let shape = Shape { features: 4, parts: 0, width: 1, blocks: 0 };
        let mut network = Network::new(shape, vec![0.0; shape.size()]);
        network.weights_mut()[..4].copy_from_slice(&[1.0, -1.0, 0.5, 0.0]);
        let fixed = FixedLayer::of(&network);
        let fill = |features: &[u16]| {
            let mut layer = [f32::NAN];
            fixed.fill(Arch::new(), features, &mut layer);
            layer[0]
        };
        let end = f32::from(i16::MAX) * fixed.units[0];
        assert!((2.5..5.0).contains(&end), "all weights come to 2.5");
        assert_eq!((fill(&[0; 2]), fill(&[0; 9]), fill(&[1; 9]), fill(&[3])), (2.0, end, 0.0, 0.0));
        // They are added up in their order.
        assert_eq!(fill(&[0, 0, 0, 0, 1]), end - 1.0);
    }

    #[test]
    fn a_network_of_zeros_or_of_the_largest_numbers_is_looked_at_all_the_same() {
        let shape = Shape { features: 200, parts: 0, width: 3, blocks: 0 };
        for weight in [0.0, f32::MIN_POSITIVE, 1e38, -f32::MAX] {
            let network = Network::new(shape, vec![weight; shape.size()]);
            let mut layer = [f32::NAN; 3];
            FixedLayer::of(&network).fill(Arch::new(), &[0, 1, 199], &mut layer);
            assert!(layer.iter().all(|entry| *entry >= 0.0), "{weight}: {layer:?}");
        }
    }

    /// The networks that come with the agents, in random games of all variants: shares of the win and points.
    #[test]
    fn what_a_network_says_hardly_changes() {
        fn check<G: Playable>() {
            let network = NeuralParameters::default().network::<G>().unwrap().0;
            assert_eq!(network.shape(), shape_of::<G>(network.shape().width, network.shape().blocks));
            let fixed = FixedLayer::of(&network);
            let (mut exact, mut rounded) = (Workspace::new(network.shape()), Workspace::new(network.shape()));
            let (mut features, mut legal, mut rng) = (Vec::new(), Vec::new(), Generator::new(8));
            for_each_variant::<G>(|rules, players| {
                let mut state = G::new(rules, players);
                while state.turn() != Turn::Over {
                    state.encode(&mut features);
                    network.look(&features, &mut exact);
                    network.look_by(&fixed, &features, &mut rounded);
                    let close = |a: &[f32], b: &[f32], most: f32| {
                        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < most), "{a:?} {b:?}\n{state}");
                    };
                    close(&network.wins(players, &exact), &network.wins(players, &rounded), 0.02);
                    close(&network.points_to_come(&exact), &network.points_to_come(&rounded), 0.5);
                    state.play_random(&mut rng, &mut legal);
                }
            });
        }
        check::<Azul>();
        check::<SummerPavilion>();
        check::<QueensGarden>();
    }
}
