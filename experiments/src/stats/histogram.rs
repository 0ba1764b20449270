//! How often each whole number came.

use std::collections::BTreeMap;

/// Counts of whole numbers; memory grows with the number of different ones only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram(BTreeMap<i32, u64>);

/// Counts of neighboring numbers taken together.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Bins {
    /// The first number of the first bin.
    pub from: i32,
    /// The numbers in each bin.
    pub width: i32,
    /// The counts, bin by bin.
    pub counts: Vec<u64>,
}

impl Histogram {
    /// Counts a number.
    pub fn push(&mut self, value: i32) {
        *self.0.entry(value).or_default() += 1;
    }

    /// The median, of an even number of values the mean of the two in the middle; `None` without values.
    pub fn median(&self) -> Option<f64> {
        let all: u64 = self.0.values().sum();
        let middle = [self.at(all.checked_sub(1)? / 2)?, self.at(all / 2)?];
        Some((f64::from(middle[0]) + f64::from(middle[1])) / 2.0)
    }

    /// The value at a place in the order of all values, from 0.
    fn at(&self, place: u64) -> Option<i32> {
        let mut seen = 0;
        self.0.iter().find_map(|(&value, count)| {
            seen += count;
            (seen > place).then_some(value)
        })
    }

    /// The counts in bins of this width, which is at least 1; the bins begin at multiples of it.
    pub fn bins(&self, width: i32) -> Bins {
        let bin = |value: i32| value.div_euclid(width);
        let (Some(first), Some(last)) = (self.0.keys().next(), self.0.keys().next_back()) else {
            return Bins { from: 0, width, counts: Vec::new() };
        };
        let mut counts = vec![0; (bin(*last) - bin(*first) + 1) as usize];
        for (&value, count) in &self.0 {
            counts[(bin(value) - bin(*first)) as usize] += count;
        }
        Bins { from: bin(*first) * width, width, counts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_counted_in_bins() {
        let mut found = Histogram::default();
        [-3, 0, 4, 5, 5, 12].into_iter().for_each(|value| found.push(value));
        assert_eq!(found.bins(5), Bins { from: -5, width: 5, counts: vec![1, 2, 2, 1] });
        assert_eq!(found.median(), Some(4.5));
        found.push(7);
        assert_eq!(found.median(), Some(5.0));
        assert_eq!((Histogram::default().median(), Histogram::default().bins(2).counts.len()), (None, 0));
    }
}
