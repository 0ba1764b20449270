//! The bootstrap over seed blocks (Efron 1979), stratified by line-up.
//!
//! The games of one block share their deals and so are not independent; blocks are. A resample therefore draws
//! whole blocks with replacement, as many of each line-up as were played.

use std::collections::HashMap;

use azulejo::Generator;

use super::interval::Interval;

/// How often blocks are drawn anew.
pub const RESAMPLES: usize = 2000;

/// Sums over blocks; what each place counts is the caller's affair.
pub type Totals = Vec<f64>;

/// The blocks of one line-up. Each block is a list of sums; equal blocks are stored once.
#[derive(Clone, Debug, Default)]
pub struct Stratum {
    kinds: Vec<Totals>,
    numbers: HashMap<Vec<u64>, u32>,
    blocks: Vec<u32>,
    imaginary: Vec<u32>,
}

impl Stratum {
    /// Adds a block. All blocks of a stratum have the same number of sums.
    ///
    /// # Panics
    /// After four billion different blocks.
    pub fn push(&mut self, block: Totals) {
        let kind = self.kind(block);
        self.blocks.push(kind);
    }

    /// Adds a block that was not played but that resamples may draw like any other.
    ///
    /// Results that are all alike would otherwise give an interval without width. With one imaginary block of the
    /// opposite result among B of one kind, the number of times that a resample draws it is about Poisson
    /// distributed with mean 1; its 97.5 % point is 3, so the interval ends about 3 / B away: the "rule of three"
    /// (Hanley and Lippman-Hand 1983). With many varied blocks it changes next to nothing.
    ///
    /// # Panics
    /// After four billion different blocks.
    pub fn imagine(&mut self, block: Totals) {
        let kind = self.kind(block);
        self.imaginary.push(kind);
    }

    fn kind(&mut self, block: Totals) -> u32 {
        let key = block.iter().map(|sum| sum.to_bits()).collect();
        let kinds = &mut self.kinds;
        *self.numbers.entry(key).or_insert_with(|| {
            kinds.push(block);
            u32::try_from(kinds.len() - 1).expect("the kinds of blocks fit into memory")
        })
    }

    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The sums over all blocks; `None` without blocks.
    pub fn totals(&self) -> Option<Totals> {
        let mut counts = vec![0; self.kinds.len()];
        self.blocks.iter().for_each(|&kind| counts[kind as usize] += 1);
        if self.blocks.is_empty() { None } else { self.weighted(&counts) }
    }

    /// The sums over as many blocks drawn with replacement; `None` without blocks.
    fn resampled(&self, rng: &mut Generator) -> Option<Totals> {
        let mut counts = vec![0; self.kinds.len()];
        for _ in 0..self.blocks.len() {
            let drawn = rng.below((self.blocks.len() + self.imaginary.len()) as u64) as usize;
            let kind = self.blocks.get(drawn).or_else(|| self.imaginary.get(drawn - self.blocks.len()));
            counts[*kind.expect("one of the blocks is drawn") as usize] += 1;
        }
        if self.blocks.is_empty() { None } else { self.weighted(&counts) }
    }

    fn weighted(&self, counts: &[u32]) -> Option<Totals> {
        let mut sums = vec![0.0; self.kinds.first()?.len()];
        for (kind, &count) in self.kinds.iter().zip(counts) {
            for (sum, value) in sums.iter_mut().zip(kind) {
                *sum += f64::from(count) * value;
            }
        }
        Some(sums)
    }
}

/// The intervals of several statistics, each a function of every stratum's totals (`None` for a stratum without
/// blocks).
///
/// A statistic that has no value in some resample gets no interval. Whether the blocks suffice for an interval
/// is for the caller to decide: one block alone says nothing about its spread.
pub fn bootstrap(
    strata: &[Stratum],
    mut rng: Generator,
    mut statistics: impl FnMut(&[Option<Totals>]) -> Vec<Option<f64>>,
) -> Vec<Option<Interval>> {
    let mut values: Vec<Vec<f64>> = Vec::new();
    for _ in 0..RESAMPLES {
        let totals: Vec<Option<Totals>> = strata.iter().map(|stratum| stratum.resampled(&mut rng)).collect();
        let drawn = statistics(&totals);
        values.resize_with(drawn.len(), Vec::new);
        for (list, value) in values.iter_mut().zip(drawn) {
            list.extend(value);
        }
    }
    let complete = |list: &mut Vec<f64>| {
        if list.len() == RESAMPLES { Interval::of_resamples(list) } else { None }
    };
    values.iter_mut().map(complete).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stratum(values: &[f64]) -> Stratum {
        let mut stratum = Stratum::default();
        values.iter().for_each(|&value| stratum.push(vec![1.0, value]));
        stratum
    }

    fn mean(totals: &[Option<Totals>]) -> Vec<Option<f64>> {
        vec![totals[0].as_ref().map(|sums| sums[1] / sums[0])]
    }

    #[test]
    fn totals_are_sums() {
        assert_eq!(stratum(&[1.0, 0.0, 1.0, 0.5]).totals(), Some(vec![4.0, 2.5]));
        assert_eq!(Stratum::default().totals(), None);
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
    fn one_sided_results_follow_the_rule_of_three() {
        let mut won = stratum(&[1.0; 100]);
        won.imagine(vec![1.0, 0.0]);
        won.imagine(vec![1.0, 1.0]);
        assert_eq!(won.totals(), Some(vec![100.0, 100.0]), "imaginary blocks are not results");
        let found = bootstrap(&[won], Generator::new(1), mean)[0].unwrap();
        assert!((found.low - 0.97).abs() < 1e-9 && found.high == 1.0, "{found:?}");
    }

    #[test]
    fn the_same_seed_gives_the_same_interval() {
        let strata = [stratum(&[0.0, 1.0, 1.0, 0.0, 0.5])];
        let run = |seed| bootstrap(&strata, Generator::new(seed), mean);
        assert_eq!(run(3), run(3));
    }

    #[test]
    fn a_statistic_without_values_has_no_interval() {
        let found = bootstrap(&[Stratum::default()], Generator::new(1), mean);
        assert_eq!(found, [None]);
    }
}
