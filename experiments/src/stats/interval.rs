//! Intervals.

/// A central interval, of 95 % unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The low end: the 2.5 % point.
    pub low: f64,
    /// The high end: the 97.5 % point.
    pub high: f64,
}

/// The 97.5 % point of the normal distribution.
pub(super) const Z: f64 = 1.959_963_984_540_054;

impl Interval {
    /// The interval around a value with this standard error, by the central limit theorem.
    pub(crate) fn around(value: f64, error: f64) -> Self {
        Interval { low: value - Z * error, high: value + Z * error }
    }

    /// The percentile interval of resampled values; `None` if there are none.
    ///
    /// Sorts the values. Between two values the percentile is interpolated linearly.
    pub(crate) fn of_resamples(values: &mut [f64]) -> Option<Self> {
        values.sort_unstable_by(f64::total_cmp);
        Some(Interval { low: quantile(values, 0.025)?, high: quantile(values, 0.975)? })
    }
}

/// How much wider intervals of 95 % have to be so that with 95 % all of so many hold at once, whatever they have to do with each other
/// (Bonferroni), where errors are normal.
pub(super) fn widening(comparisons: usize) -> f64 {
    upper_point(0.025 / comparisons.max(1) as f64) / upper_point(0.025)
}

/// The point of the normal distribution above which the share `tail` lies, at most one half, to 0.00045 (Hastings; Abramowitz and
/// Stegun 1964, 26.2.23).
fn upper_point(tail: f64) -> f64 {
    let t = (-2.0 * tail.ln()).sqrt();
    t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
}

fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share * (sorted.len().checked_sub(1)?) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    Some(below + (above - below) * place.fract())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_the_normal_distribution_are_those_of_tables() {
        for (tail, point) in
            [(0.5, 0.0), (0.025, Z), (0.01, 2.326348), (0.0025, 2.807034), (0.00005, 3.890592)]
        {
            assert!((upper_point(tail) - point).abs() < 4.5e-4, "{tail}: {}", upper_point(tail));
        }
        assert_eq!((widening(0), widening(1)), (1.0, 1.0));
        assert!((widening(10) - 2.807034 / Z).abs() < 5e-4);
    }

    #[test]
    fn percentiles_interpolate() {
        let mut values: Vec<f64> = (0..=100).rev().map(f64::from).collect();
        assert_eq!(Interval::of_resamples(&mut values), Some(Interval { low: 2.5, high: 97.5 }));
        assert_eq!(Interval::of_resamples(&mut [4.0]), Some(Interval { low: 4.0, high: 4.0 }));
        assert_eq!(Interval::of_resamples(&mut []), None);
    }
}
