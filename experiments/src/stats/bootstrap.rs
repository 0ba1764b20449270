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
    played: u64,
    imagined: f64,
}

impl<S> BlockKind<S> {
    /// The number of blocks, imaginary ones included.
    fn weight(&self) -> f64 {
        self.played as f64 + self.imagined
    }
}

impl<S> Default for Stratum<S> {
    fn default() -> Self {
        Stratum { kinds: Vec::new(), numbers: HashMap::new(), blocks: 0 }
    }
}

impl<S: Sums> Stratum<S> {
    /// Adds a block.
    pub(crate) fn push(&mut self, block: S) {
        let kind = self.kind(block);
        self.kinds[kind].played += 1;
        self.blocks += 1;
    }

    /// Adds a part of a block, of size `weight`, that was not played but that resamples know like any other.
    ///
    /// Results that are all alike would otherwise give an interval without width. With half a block for
    /// either result the weights of a win and a loss have the distribution that follows from Jeffreys' prior
    /// (Brown, Cai and DasGupta 2001): if all of B blocks were won, the interval ends about 2.5 / B below 1.
    pub(crate) fn imagine(&mut self, block: S, weight: f64) {
        let kind = self.kind(block);
        self.kinds[kind].imagined += weight;
    }

    fn kind(&mut self, block: S) -> usize {
        let list: Vec<f64> = block.sums().collect();
        let key = list.iter().map(|sum| sum.to_bits()).collect();
        let kinds = &mut self.kinds;
        *self.numbers.entry(key).or_insert_with(|| {
            kinds.push(BlockKind { sums: block, list, played: 0, imagined: 0.0 });
            kinds.len() - 1
        })
    }

    /// The number of blocks that were played.
    pub(crate) fn blocks(&self) -> u64 {
        self.blocks
    }

    /// The sums over the blocks that were played; `None` without any.
    pub(crate) fn totals(&self) -> Option<S> {
        self.weighted(self.kinds.iter().map(|kind| kind.played as f64))
    }

    /// The sums over all blocks, imaginary ones included; `None` if none was played.
    pub(crate) fn expected_totals(&self) -> Option<S> {
        self.weighted(self.kinds.iter().map(BlockKind::weight))
    }

    /// The sums with random weights; `None` if no block was played.
    ///
    /// The weights of all blocks are uniformly distributed over those with the sum of the blocks, so those of
    /// a kind of c blocks follow a gamma distribution with shape c, made to add up (Rubin 1981, section 2). A
    /// single block tells nothing about how blocks of its line-up vary; its weight is not made to add up, and
    /// so all line-ups of a single block together are one stratum ("collapsed strata": Cochran 1977, section
    /// 5A.12).
    fn resampled(&self, rng: &mut Generator) -> Option<S> {
        let drawn: Vec<f64> = self.kinds.iter().map(|kind| gamma(kind.weight(), rng)).collect();
        let (sum, all) = (drawn.iter().sum::<f64>(), self.kinds.iter().map(BlockKind::weight).sum::<f64>());
        let scale = if self.blocks == 1 { 1.0 } else { all / sum };
        self.weighted(drawn.iter().map(|weight| weight * scale))
    }

    fn weighted(&self, weights: impl Iterator<Item = f64>) -> Option<S> {
        let first = self.kinds.first().filter(|_| self.blocks > 0)?;
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
fn gamma(shape: f64, rng: &mut Generator) -> f64 {
    Gamma::new(shape, 1.0).expect("a kind holds blocks or parts of them").sample(rng)
}

/// The values of several statistics in all resamples, a list for each.
#[derive(Clone, Debug)]
pub(crate) struct Resamples(Vec<Vec<f64>>);

impl Resamples {
    /// Resamples the strata. Each statistic is a function of every stratum's totals (`None` for a stratum
    /// without blocks); one that has no value in some resample has no result.
    pub(crate) fn draw<S: Sums>(
        strata: &[Stratum<S>],
        mut rng: Generator,
        mut statistics: impl FnMut(&[Option<S>]) -> Vec<Option<f64>>,
    ) -> Self {
        let mut values: Vec<Vec<f64>> = Vec::new();
        for _ in 0..RESAMPLES {
            let totals: Vec<Option<S>> = strata.iter().map(|stratum| stratum.resampled(&mut rng)).collect();
            let drawn = statistics(&totals);
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
    statistics: impl FnMut(&[Option<S>]) -> Vec<Option<f64>>,
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

    fn mean(totals: &[Option<Block>]) -> Vec<Option<f64>> {
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
    fn one_sided_results_have_the_interval_of_jeffreys() {
        let mut won = stratum(&[1.0; 100]);
        won.imagine(block(0.0), 0.5);
        won.imagine(block(1.0), 0.5);
        let played = Block { games: 100.0, wins: 100.0 };
        assert_eq!(won.totals(), Some(played), "imaginary blocks are not results");
        assert_eq!(won.expected_totals(), Some(Block { games: 101.0, wins: 100.5 }));
        let found = bootstrap(&[won], Generator::new(1), mean)[0].unwrap();
        // The 2.5 % and the 97.5 % points of a beta distribution with parameters 100.5 and 0.5.
        assert!((found.low - 0.975_2).abs() < 0.002, "{found:?}");
        assert!((found.high - 0.999_995).abs() < 1e-5, "{found:?}");
    }

    #[test]
    fn superiority_is_that_of_engine_testing() {
        // Φ((W − L) / √(W + L)): 60 wins and 40 losses are 2 standard deviations, 110 and 90 √2, 45 and 55
        // −1.
        for (wins, losses, published) in [(60, 40, 0.977_2), (110, 90, 0.921_4), (45, 55, 0.158_7)] {
            let mut games = Stratum::default();
            (0..wins).for_each(|_| games.push(block(1.0)));
            (0..losses).for_each(|_| games.push(block(0.0)));
            let resamples = Resamples::draw(&[games], Generator::new(1), |totals| {
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
        let mut unplayed = Stratum::default();
        unplayed.imagine(block(1.0), 0.5);
        for stratum in [Stratum::default(), unplayed] {
            assert_eq!(bootstrap(&[stratum], Generator::new(1), mean), [None]);
        }
    }
}
