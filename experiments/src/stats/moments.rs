//! Means and variances of numbers that come one by one.

use super::estimate::Estimate;
use super::interval::Interval;

/// The number of values, their mean and their spread (B. P. Welford, "Note on a method for calculating
/// corrected sums of squares and products", Technometrics 4, 1962): exact in one pass and without memory of
/// the values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Moments {
    count: u64,
    mean: f64,
    /// The sum of the squared deviations from the mean.
    squares: f64,
}

impl Moments {
    /// Takes a value into account.
    pub(crate) fn push(&mut self, value: f64) {
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
    }

    /// Their mean; `None` without values.
    pub(crate) fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// The variance of the distribution that they come from; `None` with less than two.
    pub(crate) fn variance(&self) -> Option<f64> {
        (self.count > 1).then(|| self.squares / (self.count - 1) as f64)
    }

    /// The standard error of the mean; `None` with less than two values.
    pub(crate) fn error(&self) -> Option<f64> {
        Some((self.variance()? / self.count as f64).sqrt())
    }

    /// The mean with its interval by the central limit theorem, which needs two values; `None` without
    /// values.
    pub(crate) fn estimate(&self) -> Option<Estimate> {
        let around = |error: f64| Interval::around(self.mean, error);
        Some(Estimate { value: self.mean()?, interval: self.error().map(around) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Moments {
        let mut moments = Moments::default();
        values.iter().for_each(|&value| moments.push(value));
        moments
    }

    #[test]
    fn certified_values_of_the_nist_come_out() {
        // NIST Statistical Reference Datasets, NumAcc4: 10000000.2, then 10000000.1 and 10000000.3 by turns,
        // 1001 values: mean 10000000.2, standard deviation 0.1.
        let mut values = vec![10_000_000.2];
        values.extend((0..1000).map(|place| if place % 2 == 0 { 10_000_000.1 } else { 10_000_000.3 }));
        let found = of(&values);
        assert!((found.mean().unwrap() - 10_000_000.2).abs() < 1e-7);
        assert!((found.variance().unwrap().sqrt() - 0.1).abs() < 1e-7);
    }

    #[test]
    fn the_interval_is_1_96_standard_errors() {
        let coins: Vec<f64> = (0..401).map(|flip| f64::from(flip % 2)).collect();
        let found = of(&coins).estimate().unwrap();
        let interval = found.interval.unwrap();
        assert!((interval.high - interval.low - 2.0 * 1.96 * 0.5 / 400f64.sqrt()).abs() < 1e-4);
        assert!((interval.high + interval.low - 2.0 * found.value).abs() < 1e-12);
        assert_eq!(of(&[1.0]).estimate(), Some(Estimate { value: 1.0, interval: None }));
        assert_eq!(of(&[]).estimate(), None);
    }
}
