//! A network's layers in 16 bits: [`FixedLayers`].
//!
//! A look at a state adds up some hundred rows of a matrix that does not fit into a processor's nearest memory, and then as many of each block's. As
//! integers of 16 bits they take half of that memory, and a vector holds twice as many. Integers are added up alike on every processor.
//!
//! Each entry of a layer has a unit of its own, such that 16 bits hold
//!
//! - in the first layer the bias and the [`ROWS_IN_RANGE`] largest weights together;
//! - in what a block adds the bias and [`PRODUCTS_IN_RANGE`] times the largest product, where an entry of the layer before is as large as 16
//!   bits hold. Products are rounded down, and the half unit that each loses on average is given back.
//!
//! What is summed up in play is far from that: sums that leave the range stay at its end.

use super::fixed_kernels::{LINE, Line, add_rectified, collect_whole};
use super::network::{Network, Tensor, Workspace};

/// The largest number of 16 bits.
const RANGE: f64 = i16::MAX as f64;

/// So many rows of the first layer added up stay within the range whatever they are.
const ROWS_IN_RANGE: usize = 64;

/// The largest product in what a block adds may be there so many times. With two weights just fit.
const PRODUCTS_IN_RANGE: f64 = 3.0;

/// A network's layers, rounded to integers of 16 bits.
#[derive(Debug)]
pub(super) struct FixedLayers {
    first: FixedMatrix,
    blocks: Vec<FixedBlock>,
}

/// The matrix before a layer.
#[derive(Debug)]
struct FixedMatrix {
    /// Row after row, each filled up to whole lines.
    rows: Vec<Line>,
    bias: Vec<Line>,
    /// What a unit of each entry is worth.
    units: Vec<f32>,
}

/// A residual block.
#[derive(Debug)]
struct FixedBlock {
    /// The reciprocals of the units of the layer before.
    per_unit: Vec<f32>,
    matrix: FixedMatrix,
}

impl FixedLayers {
    /// The layers of a network.
    pub(super) fn of(network: &Network) -> Self {
        let first =
            FixedMatrix::of_features(network.tensor(Tensor::Features), network.tensor(Tensor::FeaturesBias));
        let mut units = first.units.clone();
        let block = |block: usize| {
            let per_unit = units.iter().map(|unit| unit.recip()).collect();
            let (matrix, bias) = (Tensor::Block(block), Tensor::BlockBias(block));
            let matrix = FixedMatrix::of_block(network.tensor(matrix), network.tensor(bias), &units);
            for (unit, added) in units.iter_mut().zip(&matrix.units) {
                *unit = unit_of(RANGE * (f64::from(*unit) + f64::from(*added)));
            }
            FixedBlock { per_unit, matrix }
        };
        let blocks = (0..network.shape().blocks).map(block).collect();
        FixedLayers { first, blocks }
    }

    /// Puts a state's active features through the layers; what the heads need stays in the workspace.
    ///
    /// # Panics
    /// If there is no such feature, or if the workspace was made for another shape.
    pub(super) fn look(&self, features: &[u16], workspace: &mut Workspace) {
        let Workspace { arch, hidden, whole, .. } = workspace;
        let FixedMatrix { rows, bias, units } = &self.first;
        hidden.fill(0.0);
        add_rectified(*arch, rows, bias, features, units, hidden);
        for FixedBlock { per_unit, matrix: FixedMatrix { rows, bias, units } } in &self.blocks {
            let found = collect_whole(*arch, hidden, per_unit, whole);
            add_rectified(*arch, rows, bias, &whole[..found], units, hidden);
        }
    }
}

impl FixedMatrix {
    /// The matrix before the first layer.
    fn of_features(matrix: &[f32], bias: &[f32]) -> Self {
        let unit = |column: usize| {
            let weights = column_of(matrix, bias.len(), column).map(|(_, weight)| f64::from(weight.abs()));
            unit_of(f64::from(bias[column].abs()) + sum_of_largest(weights.collect(), ROWS_IN_RANGE))
        };
        FixedMatrix::rounded(matrix, bias, |_| 1.0, (0..bias.len()).map(unit).collect())
    }

    /// A block's matrix behind a layer with these units.
    fn of_block(matrix: &[f32], bias: &[f32], before: &[f32]) -> Self {
        let largest = |row: usize| (RANGE + 1.0) * f64::from(before[row]);
        let unit = |column: usize| {
            let products = column_of(matrix, bias.len(), column)
                .map(|(row, weight)| f64::from(weight.abs()) * largest(row));
            unit_of(f64::from(bias[column].abs()) + PRODUCTS_IN_RANGE * products.fold(0.0, f64::max))
        };
        // A product of two numbers of 16 bits is divided by 2¹⁶, which is twice the largest factor.
        let factor = |row| 2.0 * largest(row);
        FixedMatrix::rounded(matrix, bias, factor, (0..bias.len()).map(unit).collect())
    }

    /// A bias and a matrix, each of whose rows is multiplied by a factor, in these units.
    fn rounded(matrix: &[f32], bias: &[f32], factor: impl Fn(usize) -> f64, units: Vec<f32>) -> Self {
        let lines = |row: &[f32], factor: f64| -> Vec<Line> {
            let whole = |(&number, &unit): (&f32, &f32)| f64::from(number) * factor / f64::from(unit);
            let entries: Vec<i16> =
                row.iter().zip(&units).map(|pair| whole(pair).round_ties_even() as i16).collect();
            entries.chunks(LINE).map(Line::of).collect()
        };
        let rows =
            matrix.chunks(bias.len()).enumerate().flat_map(|(row, weights)| lines(weights, factor(row)));
        FixedMatrix { rows: rows.collect(), bias: lines(bias, 1.0), units }
    }
}

/// A column of a matrix with rows of this width: each row's number and weight.
fn column_of(matrix: &[f32], width: usize, column: usize) -> impl Iterator<Item = (usize, f32)> {
    matrix.iter().copied().skip(column).step_by(width).enumerate()
}

/// The sum of so many of the largest numbers, none of them below 0.
fn sum_of_largest(mut numbers: Vec<f64>, count: usize) -> f64 {
    if numbers.len() > count {
        numbers.select_nth_unstable_by(count, |a, b| b.total_cmp(a));
        numbers.truncate(count);
        // Sums do not depend on how the largest were found.
        numbers.sort_unstable_by(f64::total_cmp);
    }
    numbers.iter().sum()
}

/// The unit of numbers up to this one: the least of which it is no more than 16 bits hold, within what is stored in full.
fn unit_of(most: f64) -> f32 {
    ((most / RANGE) as f32).clamp(f32::MIN_POSITIVE, f32::MAX)
}

#[cfg(test)]
mod tests {
    use azulejo::azul::Azul;
    use azulejo::queens_garden::QueensGarden;
    use azulejo::summer_pavilion::SummerPavilion;
    use azulejo::testing::for_each_variant;
    use azulejo::{Generator, Parts, Turn};

    use super::*;
    use crate::Playable;
    use crate::neural::network::Shape;
    use crate::neural::{NeuralParameters, shape_of};

    /// Numbers less their mean.
    fn centered(numbers: &[f32]) -> Vec<f32> {
        let mean = numbers.iter().sum::<f32>() / numbers.len() as f32;
        numbers.iter().map(|number| number - mean).collect()
    }

    /// The last layer of both, after a look at these features.
    fn layers(network: &Network, features: &[u16]) -> [Vec<f32>; 2] {
        let (mut exact, mut rounded) = (Workspace::new(network.shape()), Workspace::new(network.shape()));
        network.look(features, &mut exact);
        FixedLayers::of(network).look(features, &mut rounded);
        [exact.hidden, rounded.hidden]
    }

    #[test]
    fn the_first_layer_is_the_network_s_to_within_what_is_rounded_at_every_width() {
        for width in [1, 31, 32, 64, 130, 192, 256] {
            let network = Network::untrained(Shape { features: 300, parts: 1, width, blocks: 0 }, 7);
            let features: Vec<u16> = (0..300).step_by(4).collect();
            let [exact, rounded] = layers(&network, &features);
            let units = FixedLayers::of(&network).first.units;
            for ((exact, rounded), unit) in exact.iter().zip(rounded).zip(units) {
                assert!(
                    (exact - rounded).abs() <= 0.51 * unit * features.len() as f32,
                    "{width}: {exact} {rounded}"
                );
            }
        }
    }

    #[test]
    fn blocks_are_the_network_s_to_within_what_is_rounded_at_every_width() {
        for (width, blocks) in [(31, 2), (64, 1), (130, 3), (256, 1), (256, 2)] {
            let network = Network::untrained(Shape { features: 300, parts: 1, width, blocks }, 7);
            let features: Vec<u16> = (0..300).step_by(4).collect();
            let [exact, rounded] = layers(&network, &features);
            let largest = exact.iter().copied().fold(0.0, f32::max);
            for (exact, rounded) in exact.iter().zip(rounded) {
                assert!((exact - rounded).abs() < 0.01 * largest, "{width}, {blocks}: {exact} {rounded}");
            }
        }
    }

    #[test]
    fn no_weight_leaves_the_range() {
        const WIDTH: usize = 130;
        const LINES_A_ROW: usize = WIDTH.div_ceil(LINE);
        let network = Network::untrained(Shape { features: 300, parts: 0, width: WIDTH, blocks: 2 }, 7);
        let FixedLayers { first, blocks } = FixedLayers::of(&network);
        // Each weight in its units, against what is stored.
        let check = |tensor: Tensor, matrix: &FixedMatrix, factor: &dyn Fn(usize) -> f64| {
            for (row, (weights, lines)) in
                network.tensor(tensor).chunks(WIDTH).zip(matrix.rows.chunks(LINES_A_ROW)).enumerate()
            {
                let entries = lines.iter().flat_map(Line::entries);
                for ((weight, unit), entry) in weights.iter().zip(&matrix.units).zip(entries) {
                    let exact = f64::from(*weight) * factor(row) / f64::from(*unit);
                    assert!((exact - f64::from(*entry)).abs() < 0.51, "{tensor:?}: {exact} {entry}");
                }
            }
        };
        check(Tensor::Features, &first, &|_| 1.0);
        for (block, FixedBlock { per_unit, matrix }) in blocks.iter().enumerate() {
            check(Tensor::Block(block), matrix, &|row| 65_536.0 / f64::from(per_unit[row]));
            // The largest product takes up a third of the range, but for the bias.
            let largest = |column: usize| {
                let of_column =
                    matrix.rows.iter().flat_map(Line::entries).skip(column).step_by(LINES_A_ROW * LINE);
                of_column.map(|entry| entry.unsigned_abs()).max()
            };
            assert!((0..WIDTH).all(|column| (21_000..=21_845).contains(&largest(column).unwrap())));
        }
    }

    #[test]
    fn units_are_the_least_that_reach() {
        assert_eq!([0.0, 2.0 * RANGE, 1e300].map(unit_of), [f32::MIN_POSITIVE, 2.0, f32::MAX]);
    }

    #[test]
    fn sums_that_leave_the_range_stay_at_its_end() {
        let shape = Shape { features: 4, parts: 0, width: 1, blocks: 0 };
        let mut network = Network::new(shape, vec![0.0; shape.size()]);
        network.weights_mut()[..4].copy_from_slice(&[1.0, -1.0, 0.5, 0.0]);
        let check = |features: &[u16], sum: f32| {
            let mut workspace = Workspace::new(shape);
            FixedLayers::of(&network).look(features, &mut workspace);
            assert!((workspace.hidden[0] - sum).abs() < 1e-3, "{features:?}: {:?}", workspace.hidden);
        };
        check(&[0; 2], 2.0);
        check(&[1; 9], 0.0);
        check(&[3], 0.0);
        // All weights come to 2.5.
        check(&[0; 9], 2.5);
        // They are added up in their order.
        check(&[0, 0, 0, 0, 1], 1.5);
    }

    #[test]
    fn a_network_of_zeros_or_of_the_largest_numbers_is_looked_at_all_the_same() {
        let shape = Shape { features: 200, parts: 0, width: 3, blocks: 2 };
        for weight in [0.0, f32::MIN_POSITIVE, 1e38, -f32::MAX] {
            let network = Network::new(shape, vec![weight; shape.size()]);
            let [exact, rounded] = layers(&network, &[0, 1, 199]);
            assert!(rounded.iter().all(|entry| *entry >= 0.0), "{weight}: {rounded:?}");
            assert!(weight != 0.0 || exact == rounded);
        }
    }

    /// The networks that come with the agents, in random games of all variants: shares of the win, points, and logits but for what all have
    /// in common.
    #[test]
    fn what_a_network_says_hardly_changes() {
        fn check<G: Playable>() {
            let network = NeuralParameters::default().network::<G>().unwrap().0;
            assert_eq!(network.shape(), shape_of::<G>(network.shape().width, network.shape().blocks));
            let fixed = FixedLayers::of(&network);
            let (mut exact, mut rounded) = (Workspace::new(network.shape()), Workspace::new(network.shape()));
            let (mut features, mut legal, mut rng) = (Vec::new(), Vec::new(), Generator::new(8));
            let (mut of_exact, mut of_rounded) = (Vec::new(), Vec::new());
            for_each_variant::<G>(|rules, players| {
                let mut state = G::new(rules, players);
                while state.turn() != Turn::Over {
                    state.encode(&mut features);
                    network.look(&features, &mut exact);
                    fixed.look(&features, &mut rounded);
                    let close = |a: &[f32], b: &[f32], most: f32| {
                        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < most), "{a:?} {b:?}\n{state}");
                    };
                    close(&network.wins(players, &exact), &network.wins(players, &rounded), 0.01);
                    close(&network.points_to_come(&exact), &network.points_to_come(&rounded), 0.25);
                    if matches!(state.turn(), Turn::Player(_)) {
                        state.legal_actions(&mut legal);
                        let outputs = legal.iter().map(|&action| G::parts(state.output(action)));
                        let outputs: Vec<Parts> = outputs.collect();
                        network.logits(&outputs, &mut exact, &mut of_exact);
                        network.logits(&outputs, &mut rounded, &mut of_rounded);
                        close(&centered(&of_exact), &centered(&of_rounded), 0.1);
                    }
                    state.play_random(&mut rng, &mut legal);
                }
            });
        }
        check::<Azul>();
        check::<SummerPavilion>();
        check::<QueensGarden>();
    }
}
