//! Means and variances of numbers that come one by one.

use super::estimate::Estimate;
use super::interval::{Interval, Z};

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

    /// The mean of shares from 0 to 1, with an interval that stays within these bounds; `None` without values.
    ///
    /// It is Wilson's for as many single answers, yes or no, as have this standard error: p (1 − p) / e² of them (E. B. Wilson,
    /// "Probable inference, the law of succession, and statistical inference", Journal of the American Statistical
    /// Association 22, 1927; L. Kish, Survey Sampling, 1965, for their number). Where all values are alike it is their
    /// own number.
    pub(crate) fn share_estimate(&self) -> Option<Estimate> {
        let share = self.mean()?;
        let Some(error) = self.error() else { return Some(Estimate { value: share, interval: None }) };
        let spread = share * (1.0 - share);
        let count = if error > 0.0 && spread > 0.0 { spread / (error * error) } else { self.count as f64 };
        let center = (share + Z * Z / (2.0 * count)) / (1.0 + Z * Z / count);
        let half = Z / (1.0 + Z * Z / count) * (spread / count + Z * Z / (4.0 * count * count)).sqrt();
        Some(Estimate::widened(
            share,
            Some(Interval { low: (center - half).max(0.0), high: (center + half).min(1.0) }),
        ))
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

    #[test]
    fn shares_stay_between_0_and_1() {
        // Wilson's interval for 1 of 500: 0.000 353 to 0.011 245.
        let mut rare = vec![0.0; 499];
        rare.push(1.0);
        let found = of(&rare).share_estimate().unwrap();
        assert!((found.low().unwrap() - 0.000_353).abs() < 2e-6, "{found:?}");
        assert!((found.high().unwrap() - 0.011_245).abs() < 4e-5, "{found:?}");
        // For 0 of 10: 0 to 0.277 5.
        let never = of(&[0.0; 10]).share_estimate().unwrap();
        assert_eq!((never.value, never.low()), (0.0, Some(0.0)));
        assert!((never.high().unwrap() - 0.277_5).abs() < 1e-4, "{never:?}");
        assert_eq!(of(&[1.0]).share_estimate(), Some(Estimate { value: 1.0, interval: None }));
        assert_eq!(of(&[]).share_estimate(), None);
    }
}
