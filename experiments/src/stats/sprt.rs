//! The generalized sequential probability ratio test on block scores.

use super::rating::ELO;

/// The weight of each score that is imagined so that a likelihood exists however one-sided the blocks are.
const IMAGINED: f64 = 1e-3;

/// A test of one hypothesis about a mean score against another, stopped as soon as the blocks decide it.
///
/// The score of a seed block is the share of its games that the tested agent won. Blocks are independent; the
/// games of one are not, so the block is the unit (for 2 players the "pentanomial" model). The log likelihood
/// ratio is that of the distributions of block scores with mean s₁ and with mean s₀ that fit the blocks best
/// (Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a distribution", 2019):
/// with share p̂ᵢ of score aᵢ the best fit with mean s is pᵢ = p̂ᵢ / (1 + θ (aᵢ − s)), where θ makes the mean s.
/// The bounds are Wald's (1945): ln(β / (1 − α)) and ln((1 − β) / α).
#[derive(Clone, Debug)]
pub struct Sprt {
    /// The mean score under the null hypothesis.
    null: f64,
    /// The mean score under the alternative.
    alternative: f64,
    /// The probability of either error.
    error: f64,
    /// The different scores and how often each came.
    scores: Vec<(f64, f64)>,
}

/// What a sequential test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The blocks so far do not decide.
    Open,
    /// The null hypothesis is accepted.
    Null,
    /// The alternative is accepted.
    Alternative,
}

/// The share of wins that is expected of one seat at a table of `players` whose agent is `elo` rating points
/// better than all the others: 10^(elo / 400) / (10^(elo / 400) + n − 1) for n players (Plackett–Luce).
pub fn expected_share(elo: f64, players: usize) -> f64 {
    let strength = (elo / ELO).exp();
    strength / (strength + players as f64 - 1.0)
}

impl Sprt {
    /// A test of the mean score `null` against `alternative`, with the same probability of either error.
    ///
    /// # Panics
    /// Unless 0 < null < alternative < 1 and 0 < error < 1/2.
    pub fn new(null: f64, alternative: f64, error: f64) -> Self {
        assert!(
            0.0 < null && null < alternative && alternative < 1.0,
            "{null} and {alternative} are no test"
        );
        assert!(0.0 < error && error < 0.5, "{error} is no probability of an error");
        Sprt { null, alternative, error, scores: [0.0, 0.5, 1.0].map(|score| (score, IMAGINED)).to_vec() }
    }

    /// Takes a block's score, from 0 to 1, into account.
    pub fn push(&mut self, score: f64) {
        match self.scores.iter_mut().find(|(known, _)| *known == score) {
            Some((_, count)) => *count += 1.0,
            None => self.scores.push((score, 1.0)),
        }
    }

    /// The log likelihood ratio of the alternative and the null hypothesis.
    pub fn log_ratio(&self) -> f64 {
        self.log_likelihood(self.alternative) - self.log_likelihood(self.null)
    }

    /// The bounds of the log likelihood ratio: the null hypothesis is accepted below the first, the alternative
    /// above the second.
    pub fn bounds(&self) -> (f64, f64) {
        let bound = ((1.0 - self.error) / self.error).ln();
        (-bound, bound)
    }

    /// What the blocks so far say.
    pub fn verdict(&self) -> Verdict {
        let (low, high) = self.bounds();
        match self.log_ratio() {
            ratio if ratio <= low => Verdict::Null,
            ratio if ratio >= high => Verdict::Alternative,
            _ => Verdict::Open,
        }
    }

    /// The log likelihood of the best fit with this mean, less that of the best fit of all.
    fn log_likelihood(&self, mean: f64) -> f64 {
        let tilt = self.tilt(mean);
        -self.scores.iter().map(|&(score, count)| count * (tilt * (score - mean)).ln_1p()).sum::<f64>()
    }

    /// The θ for which the best fit has this mean: the root of Σ cᵢ (aᵢ − s) / (1 + θ (aᵢ − s)), which falls in θ.
    fn tilt(&self, mean: f64) -> f64 {
        // Every weight stays positive between these bounds, because scores reach from 0 to 1.
        let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            let slope =
                |&(score, count): &(f64, f64)| count * (score - mean) / (1.0 + middle * (score - mean));
            let sum: f64 = self.scores.iter().map(slope).sum();
            if sum > 0.0 { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }
}

#[cfg(test)]
mod tests {
    use azulejo::Generator;

    use super::*;

    #[test]
    fn shares_follow_the_rating() {
        assert_eq!(expected_share(0.0, 2), 0.5);
        assert!((expected_share(400.0, 2) - 10.0 / 11.0).abs() < 1e-12);
        assert!((expected_share(0.0, 3) - 1.0 / 3.0).abs() < 1e-12);
        assert!((expected_share(400.0, 4) - 10.0 / 13.0).abs() < 1e-12);
    }

    #[test]
    fn two_scores_give_the_binomial_ratio() {
        // With scores 0 and 1 only, the best fit with mean s is the binomial one.
        let mut test = Sprt::new(0.5, 0.6, 0.05);
        (0..130).for_each(|block| test.push(f64::from(u8::from(block < 78))));
        let exact = 78.0 * (0.6_f64 / 0.5).ln() + 52.0 * (0.4_f64 / 0.5).ln();
        assert!((test.log_ratio() - exact).abs() < 0.01, "{} is not {exact}", test.log_ratio());
    }

    #[test]
    fn near_the_mean_the_ratio_is_that_of_a_normal_distribution() {
        // N (s1 − s0) (2 m − s0 − s1) / (2 σ²) for hypotheses close to the mean m.
        let mut test = Sprt::new(0.5, 0.51, 0.05);
        for (score, count) in [(0.0, 100), (0.25, 200), (0.5, 390), (0.75, 200), (1.0, 110)] {
            (0..count).for_each(|_| test.push(score));
        }
        let (blocks, mean) = (1000.0, 505.0 / 1000.0);
        let variance = (200.0 * 0.0625 + 390.0 * 0.25 + 200.0 * 0.5625 + 110.0) / blocks - mean * mean;
        let normal = blocks * 0.01 * (2.0 * mean - 1.01) / (2.0 * variance);
        assert!((test.log_ratio() - normal).abs() < 0.01, "{} is not {normal}", test.log_ratio());
    }

    #[test]
    fn errors_are_as_rare_as_asked_for() {
        let mut wrong = [0, 0];
        for (truth, mean) in [(0, 0.5), (1, 0.6)] {
            for trial in 0..400 {
                let (mut test, mut rng) = (Sprt::new(0.5, 0.6, 0.05), Generator::new(trial));
                let right = [Verdict::Null, Verdict::Alternative][truth];
                let verdict = loop {
                    let score =
                        [0.0, 0.5, 1.0][usize::from(rng.unit() < mean) + usize::from(rng.unit() < mean)];
                    test.push(score);
                    match test.verdict() {
                        Verdict::Open => {}
                        verdict => break verdict,
                    }
                };
                wrong[truth] += usize::from(verdict != right);
            }
        }
        // 5 % of 400 are 20, with a standard error of 4.4.
        assert!(wrong.iter().all(|&wrong| wrong <= 33), "{wrong:?} of 400 are wrong");
    }
}
