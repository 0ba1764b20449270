//! The Bayesian bootstrap over seed blocks (Rubin 1981), stratified by line-up.
//!
//! The games of one block share their deals and so are not independent; blocks are. A resample therefore
//! assigns every block a random weight, each line-up for itself.

use std::collections::HashMap;

use azulejo::Generator;
use rand_distr::{Distribution, Gamma};

use super::interval::Interval;

/// How often the weights of the blocks are drawn anew.
pub(super) const RESAMPLES: usize = 2000;

/// What is summed over the games of a block, and then over blocks: a struct with a field for each sum. All
/// blocks of a stratum have the same number of sums, in the same order.
pub(crate) trait Sums: Clone {
    /// Every sum.
    fn sums(&self) -> impl Iterator<Item = f64>;

    /// Every sum, in the same order.
    fn sums_mut(&mut self) -> impl Iterator<Item = &mut f64>;
}

/// The blocks of one line-up. Equal blocks are counted together, so the memory needed does not grow with
/// their number.
#[derive(Clone, Debug)]
pub(crate) struct Stratum<S> {
    kinds: Vec<BlockKind<S>>,
    numbers: HashMap<Vec<u64>, usize>,
    blocks: u64,
}

/// Blocks with the same sums.
#[derive(Clone, Debug)]
struct BlockKind<S> {
    sums: S,
    /// The sums in their order: resamples add them up many times.
    list: Vec<f64>,
    blocks: u64,
}

impl<S> Default for Stratum<S> {
    fn default() -> Self {
        Stratum { kinds: Vec::new(), numbers: HashMap::new(), blocks: 0 }
    }
}

impl<S: Sums> Stratum<S> {
    /// Adds a block.
    pub(crate) fn push(&mut self, block: S) {
        let list: Vec<f64> = block.sums().collect();
        let key = list.iter().map(|sum| sum.to_bits()).collect();
        let kinds = &mut self.kinds;
        let kind = *self.numbers.entry(key).or_insert_with(|| {
            kinds.push(BlockKind { sums: block, list, blocks: 0 });
            kinds.len() - 1
        });
        self.kinds[kind].blocks += 1;
        self.blocks += 1;
    }

    /// The number of blocks.
    pub(crate) fn blocks(&self) -> u64 {
        self.blocks
    }

    /// The number of blocks of which something is true.
    pub(crate) fn blocks_with(&self, is_true: impl Fn(&S) -> bool) -> u64 {
        self.kinds.iter().filter(|kind| is_true(&kind.sums)).map(|kind| kind.blocks).sum()
    }

    /// The sums over all blocks; `None` without any.
    pub(crate) fn totals(&self) -> Option<S> {
        self.weighted(self.kinds.iter().map(|kind| kind.blocks as f64))
    }

    /// The sums with random weights; `None` without blocks.
    ///
    /// With weights that are uniformly distributed over those with the sum of the blocks (Rubin 1981, section 2)
    /// the sums of n blocks vary by (n − 1) / (n + 1) of what blocks tell of their variance, which many
    /// line-ups of few blocks each do not forgive. So the weights follow the Dirichlet distribution with
    /// parameters (n − 2) / n in place of 1, with which the variance is right; of two blocks one is taken twice,
    /// which is its limit (the same end as that of resampling n − 1 blocks: McCarthy and Snowden 1985). A
    /// single block tells nothing about how blocks of its line-up vary; its weight is not made to add up, and so
    /// all line-ups of a single block together are one stratum ("collapsed strata": Cochran 1977, section 5A.12).
    fn resampled(&self, rng: &mut Generator) -> Option<S> {
        let blocks = self.blocks as f64;
        let parameter = (blocks - 2.0) / blocks;
        let gammas = |parameter: f64, rng: &mut Generator| -> Vec<f64> {
            self.kinds.iter().map(|kind| gamma(parameter * kind.blocks as f64, rng)).collect()
        };
        let mut weights = match self.blocks {
            0 => return None,
            1 => return self.weighted(gammas(1.0, rng).into_iter()),
            2 => {
                let taken = if rng.below(2) == 0 { 0 } else { self.kinds.len() - 1 };
                (0..self.kinds.len()).map(|kind| f64::from(u8::from(kind == taken))).collect()
            }
            _ => gammas(parameter, rng),
        };
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight *= blocks / sum);
        self.weighted(weights.into_iter())
    }

    fn weighted(&self, weights: impl Iterator<Item = f64>) -> Option<S> {
        let first = self.kinds.first()?;
        let mut totals = vec![0.0; first.list.len()];
        for (kind, weight) in self.kinds.iter().zip(weights) {
            for (total, value) in totals.iter_mut().zip(&kind.list) {
                *total += weight * value;
            }
        }
        let mut sums = first.sums.clone();
        sums.sums_mut().zip(totals).for_each(|(sum, total)| *sum = total);
        Some(sums)
    }
}

/// A number from the gamma distribution with this shape, which must be positive, and scale 1.
pub(crate) fn gamma(shape: f64, rng: &mut Generator) -> f64 {
    Gamma::new(shape, 1.0).expect("a shape is above 0").sample(rng)
}

/// The values of several statistics in all resamples, a list for each.
#[derive(Clone, Debug)]
pub(crate) struct Resamples(Vec<Vec<f64>>);

impl Resamples {
    /// Resamples the strata. Each statistic is a function of every stratum's totals (`None` for a stratum
    /// without blocks) and of what it draws itself, such as [`HalfBlocks`](super::HalfBlocks); one that has no
    /// value in some resample has no result.
    pub(crate) fn draw<S: Sums>(
        strata: &[Stratum<S>],
        mut rng: Generator,
        mut statistics: impl FnMut(&[Option<S>], &mut Generator) -> Vec<Option<f64>>,
    ) -> Self {
        let mut values: Vec<Vec<f64>> = Vec::new();
        for _ in 0..RESAMPLES {
            let totals: Vec<Option<S>> = strata.iter().map(|stratum| stratum.resampled(&mut rng)).collect();
            let drawn = statistics(&totals, &mut rng);
            values.resize_with(drawn.len(), Vec::new);
            for (list, value) in values.iter_mut().zip(drawn) {
                list.extend(value);
            }
        }
        Resamples(values)
    }

    /// The interval of each statistic.
    ///
    /// Whether the blocks suffice for an interval is for the caller to decide: one block alone, of all
    /// line-ups that count, says nothing about its spread.
    pub(crate) fn intervals(&self) -> Vec<Option<Interval>> {
        let complete = |list: &Vec<f64>| {
            if list.len() == RESAMPLES { Interval::of_resamples(&mut list.clone()) } else { None }
        };
        self.0.iter().map(complete).collect()
    }

    /// How likely it is that one statistic is larger than another: the share of the resamples in which it is,
    /// equal ones counting half. The weights of a resample are drawn from the posterior distribution (Rubin
    /// 1981), and so is this the posterior probability; for wins and losses it is close to Φ((W − L) / √(W +
    /// L)), the likelihood of superiority of engine testing.
    pub(crate) fn superiority(&self, one: usize, other: usize) -> Option<f64> {
        let (one, other) = (self.0.get(one)?, self.0.get(other)?);
        if one.len() != RESAMPLES || other.len() != RESAMPLES {
            return None;
        }
        let above = |(a, b): (&f64, &f64)| if a > b { 1.0 } else { 0.5 * f64::from(u8::from(a == b)) };
        Some(one.iter().zip(other).map(above).sum::<f64>() / RESAMPLES as f64)
    }
}

/// The intervals of several statistics: [`Resamples::draw`], then [`Resamples::intervals`].
pub(crate) fn bootstrap<S: Sums>(
    strata: &[Stratum<S>],
    rng: Generator,
    statistics: impl FnMut(&[Option<S>], &mut Generator) -> Vec<Option<f64>>,
) -> Vec<Option<Interval>> {
    Resamples::draw(strata, rng, statistics).intervals()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The games of a block and the wins in them.
    #[derive(Clone, Debug, PartialEq)]
    struct Block {
        games: f64,
        wins: f64,
    }

    impl Sums for Block {
        fn sums(&self) -> impl Iterator<Item = f64> {
            [self.games, self.wins].into_iter()
        }

        fn sums_mut(&mut self) -> impl Iterator<Item = &mut f64> {
            [&mut self.games, &mut self.wins].into_iter()
        }
    }

    fn block(wins: f64) -> Block {
        Block { games: 1.0, wins }
    }

    fn stratum(values: &[f64]) -> Stratum<Block> {
        let mut stratum = Stratum::default();
        values.iter().for_each(|&value| stratum.push(block(value)));
        stratum
    }

    fn mean(totals: &[Option<Block>], _: &mut Generator) -> Vec<Option<f64>> {
        vec![totals[0].as_ref().map(|sums| sums.wins / sums.games)]
    }

    #[test]
    fn totals_are_sums() {
        assert_eq!(stratum(&[1.0, 0.0, 1.0, 0.5]).totals(), Some(Block { games: 4.0, wins: 2.5 }));
        assert_eq!(Stratum::<Block>::default().totals(), None);
    }

    #[test]
    fn the_interval_of_a_mean_is_the_normal_one() {
        // 400 coin flips: the standard error of the mean is 0.5 / 20.
        let flips: Vec<f64> = (0..400).map(|flip| f64::from(flip % 2)).collect();
        let found = bootstrap(&[stratum(&flips)], Generator::new(1), mean)[0].unwrap();
        assert!((found.low - (0.5 - 1.96 * 0.025)).abs() < 0.005, "{found:?}");
        assert!((found.high - (0.5 + 1.96 * 0.025)).abs() < 0.005, "{found:?}");
    }

    #[test]
    fn sums_vary_as_much_as_blocks_tell() {
        // The variance of a mean of n blocks is their variance, with n − 1 below the sum of squares, over n.
        for values in
            [&[0.0, 1.0][..], &[0.0, 0.5, 1.0], &[0.0, 0.0, 0.0, 0.25, 1.0], &[0.0, 0.75, 0.75, 0.0]]
        {
            let (count, mut rng) = (values.len() as f64, Generator::new(1));
            let average = values.iter().sum::<f64>() / count;
            let squares: f64 = values.iter().map(|value| (value - average).powi(2)).sum();
            let expected = squares / (count - 1.0) / count;
            let mut moments = crate::stats::Moments::default();
            let stratum = stratum(values);
            (0..20_000).for_each(|_| moments.push(stratum.resampled(&mut rng).unwrap().wins / count));
            let found = moments.variance().unwrap();
            assert!((found / expected - 1.0).abs() < 0.05, "{values:?}: {found}, expected {expected}");
            assert!((moments.mean().unwrap() - average).abs() < 0.02, "{values:?}");
        }
    }

    #[test]
    fn superiority_is_that_of_engine_testing() {
        // Φ((W − L) / √(W + L)): 60 wins and 40 losses are 2 standard deviations, 110 and 90 √2, 45 and 55
        // −1.
        for (wins, losses, published) in [(60, 40, 0.977_2), (110, 90, 0.921_4), (45, 55, 0.158_7)] {
            let mut games = Stratum::default();
            (0..wins).for_each(|_| games.push(block(1.0)));
            (0..losses).for_each(|_| games.push(block(0.0)));
            let resamples = Resamples::draw(&[games], Generator::new(1), |totals, _| {
                let of_both = |sums: &Block| vec![Some(sums.wins), Some(sums.games - sums.wins)];
                totals[0].as_ref().map_or(Vec::new(), of_both)
            });
            let found = resamples.superiority(0, 1).unwrap();
            assert!((found - published).abs() < 0.02, "{found} is not {published}");
            assert_eq!(resamples.superiority(0, 0), Some(0.5));
            assert_eq!(resamples.superiority(0, 2), None);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_interval() {
        let strata = [stratum(&[0.0, 1.0, 1.0, 0.0, 0.5])];
        let run = |seed| bootstrap(&strata, Generator::new(seed), mean);
        assert_eq!(run(3), run(3));
    }

    #[test]
    fn a_statistic_without_values_has_no_interval() {
        assert_eq!(bootstrap(&[Stratum::default()], Generator::new(1), mean), [None]);
    }
}
