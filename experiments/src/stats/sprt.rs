//! The generalized sequential probability ratio test on block scores.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::rating::ELO;

/// The weight of each score that is imagined so that a likelihood exists however one-sided the blocks are.
const IMAGINED: f64 = 1e-3;

/// Normalized Elo points for each standard deviation of a single game's score: close to a draw of equals,
/// where a game's score has a standard deviation of 1/2, they are Elo points (Van den Bergh, "Comments on
/// normalized Elo", 2020).
pub(super) const NORMALIZED_ELO: f64 = 2.0 * ELO;

/// In which unit the hypotheses of a test are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Elo points: odds of winning.
    Elo,
    /// Normalized Elo points: what the score is above an even share, in standard deviations of a game's
    /// score. How many games a test takes depends on this scale alone, not on how noisy the game is.
    Normalized,
}

impl Scale {
    /// The beginning of the keys of hypotheses in this unit.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Scale::Elo => "elo",
            Scale::Normalized => "nelo",
        }
    }

    /// The largest size of a hypothesis.
    fn most(self) -> f64 {
        match self {
            Scale::Elo => 1000.0,
            Scale::Normalized => 100.0,
        }
    }
}

/// What a sequential test compares. `FromStr` and `Display`: `elo0=0,elo1=20,alpha=0.05,beta=0.05`, or
/// `nelo0` and `nelo1` for normalized Elo; `alpha` and `beta` may be left out.
#[derive(Clone, Debug, PartialEq)]
pub struct SprtSettings {
    /// The unit of both hypotheses.
    pub scale: Scale,
    /// The null hypothesis: how much better the tested agent is.
    pub null: f64,
    /// The alternative, above the null hypothesis.
    pub alternative: f64,
    /// The probability of accepting the alternative where the null hypothesis is true.
    pub alpha: f64,
    /// The probability of accepting the null hypothesis where the alternative is true.
    pub beta: f64,
}

/// The probability of either error unless another one is asked for.
const ERROR: f64 = 0.05;

impl SprtSettings {
    /// A test for Elo points with error probabilities of 5 %.
    pub(crate) fn elo(null: f64, alternative: f64) -> Self {
        SprtSettings { scale: Scale::Elo, null, alternative, alpha: ERROR, beta: ERROR }
    }

    fn check(self) -> Result<Self, String> {
        let (name, most) = (self.scale.name(), self.scale.most());
        let SprtSettings { null, alternative, alpha, beta, .. } = self;
        if !(-most..=most).contains(&null) || !(-most..=most).contains(&alternative) {
            return Err(format!("{name}0={null},{name}1={alternative}: expected -{most} to {most}"));
        }
        if null >= alternative {
            return Err(format!(
                "{name}0={null},{name}1={alternative}: expected the second one to be larger"
            ));
        }
        let usual = |error: f64| 0.0 < error && error < 0.5;
        if !usual(alpha) || !usual(beta) {
            return Err(format!("alpha={alpha},beta={beta}: expected numbers between 0 and 0.5"));
        }
        Ok(self)
    }
}

impl FromStr for SprtSettings {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected elo0=X,elo1=Y or nelo0=X,nelo1=Y, and perhaps alpha=P,beta=P";
        let mut given = std::collections::BTreeMap::new();
        for pair in text.split(',') {
            let (key, value) = pair.split_once('=').ok_or_else(|| format!("found '{pair}', {expected}"))?;
            let number = value.parse().ok().filter(|number: &f64| number.is_finite());
            let number = number.ok_or_else(|| format!("found '{pair}', expected a number after {key}="))?;
            if given.insert(key, number).is_some() {
                return Err(format!("{key} is given twice"));
            }
        }
        let scale = if given.contains_key("nelo0") { Scale::Normalized } else { Scale::Elo };
        let name = scale.name();
        let mut take = |key: &str| given.remove(key);
        let null = take(&format!("{name}0")).ok_or(expected)?;
        let alternative = take(&format!("{name}1")).ok_or(expected)?;
        let (alpha, beta) = (take("alpha").unwrap_or(ERROR), take("beta").unwrap_or(ERROR));
        if let Some(key) = given.keys().next() {
            return Err(format!("found '{key}', {expected}"));
        }
        SprtSettings { scale, null, alternative, alpha, beta }.check()
    }
}

impl fmt::Display for SprtSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.scale.name();
        write!(f, "{name}0={},{name}1={}", self.null, self.alternative)?;
        for (key, error) in [("alpha", self.alpha), ("beta", self.beta)] {
            if error != ERROR {
                write!(f, ",{key}={error}")?;
            }
        }
        Ok(())
    }
}

/// A test of how much better one agent is than the others at its table, stopped as soon as the games decide
/// it.
///
/// The score of a seed block is the share of its games that the tested agent won. Blocks are independent; the
/// games of one are not, so the block is the unit (for 2 players the "pentanomial" model). The log likelihood
/// ratio is that of the distributions of block scores under either hypothesis that fit the blocks best (Van
/// den Bergh, "The generalized maximum likelihood ratio for the expectation value of a distribution", 2019):
/// with share p̂ᵢ of score aᵢ the best fit with Σ pᵢ fᵢ = 0 is pᵢ = p̂ᵢ / (1 + θ fᵢ), where θ makes the sum
/// 0. For Elo points fᵢ = aᵢ − s with the expected share s; for normalized Elo see `Hypothesis::Deviations`.
/// The bounds are Wald's (1945): ln(β / (1 − α)) and ln((1 − β) / α).
#[derive(Clone, Debug)]
pub(crate) struct Sprt {
    null: Hypothesis,
    alternative: Hypothesis,
    bounds: (f64, f64),
    /// The different scores and how often each came.
    scores: Vec<(f64, f64)>,
    /// Games a block.
    size: usize,
    /// The wins and the number of the games of a block that is not complete.
    open: (f64, usize),
}

/// A statement about the distribution of block scores.
#[derive(Clone, Copy, Debug)]
enum Hypothesis {
    /// Its mean.
    Mean(f64),
    /// By how many of its standard deviations its mean is above `even`: μ − e = t σ.
    ///
    /// The best fit is a fixed point ("Comments on normalized Elo", section 4.1): around a distribution with
    /// mean μ and standard deviation σ the statement is linear, with fᵢ = aᵢ − e − t σ (1 + ((aᵢ − μ) / σ)²)
    /// / 2.
    Deviations { even: f64, t: f64 },
}

/// What a sequential test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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
pub(crate) fn expected_share(elo: f64, players: usize) -> f64 {
    let strength = (elo / ELO).exp();
    strength / (strength + players as f64 - 1.0)
}

impl Sprt {
    /// A test at tables of `players`, where blocks have as many games.
    pub(crate) fn new(settings: &SprtSettings, players: usize) -> Self {
        Sprt::with_blocks(settings, players, players)
    }

    /// A test with blocks of `size` games.
    fn with_blocks(settings: &SprtSettings, players: usize, size: usize) -> Self {
        let hypothesis = |better: f64| match settings.scale {
            Scale::Elo => Hypothesis::Mean(expected_share(better, players)),
            // The mean of independent games deviates less than one by the root of their number.
            Scale::Normalized => Hypothesis::Deviations {
                even: expected_share(0.0, players),
                t: better / NORMALIZED_ELO * (size as f64).sqrt(),
            },
        };
        let SprtSettings { alpha, beta, .. } = settings;
        Sprt {
            null: hypothesis(settings.null),
            alternative: hypothesis(settings.alternative),
            bounds: ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()),
            scores: [0.0, 0.5, 1.0].map(|score| (score, IMAGINED)).to_vec(),
            size,
            open: (0.0, 0),
        }
    }

    /// Takes the tested agent's share of a game's win into account. Games come block by block; a block counts
    /// once it is complete.
    pub(crate) fn push_game(&mut self, win: f64) {
        self.open = (self.open.0 + win, self.open.1 + 1);
        if self.open.1 == self.size {
            let (wins, games) = std::mem::take(&mut self.open);
            self.push(wins / games as f64);
        }
    }

    /// Takes a block's score, from 0 to 1, into account.
    fn push(&mut self, score: f64) {
        match self.scores.iter_mut().find(|(known, _)| *known == score) {
            Some((_, count)) => *count += 1.0,
            None => self.scores.push((score, 1.0)),
        }
    }

    /// The log likelihood ratio of the alternative and the null hypothesis.
    pub(crate) fn log_ratio(&self) -> f64 {
        self.log_likelihood(self.alternative) - self.log_likelihood(self.null)
    }

    /// The bounds of the log likelihood ratio: the null hypothesis is accepted below the first, the
    /// alternative above the second.
    pub(crate) fn bounds(&self) -> (f64, f64) {
        self.bounds
    }

    /// What the blocks so far say; open within a block.
    pub(crate) fn verdict(&self) -> Verdict {
        match (self.open.1, self.log_ratio()) {
            (0, ratio) if ratio <= self.bounds.0 => Verdict::Null,
            (0, ratio) if ratio >= self.bounds.1 => Verdict::Alternative,
            _ => Verdict::Open,
        }
    }

    /// The log likelihood of the best fit under a hypothesis, less that of the best fit of all.
    fn log_likelihood(&self, hypothesis: Hypothesis) -> f64 {
        let terms = match hypothesis {
            Hypothesis::Mean(mean) => self.scores.iter().map(|(score, _)| score - mean).collect(),
            Hypothesis::Deviations { even, t } => self.linearized(even, t),
        };
        let tilt = self.tilt(&terms);
        -self.scores.iter().zip(&terms).map(|(&(_, count), term)| count * (tilt * term).ln_1p()).sum::<f64>()
    }

    /// The terms fᵢ of the hypothesis of a number of standard deviations, around its best fit.
    fn linearized(&self, even: f64, t: f64) -> Vec<f64> {
        let all: f64 = self.scores.iter().map(|(_, count)| count).sum();
        let mut shares = vec![1.0 / self.scores.len() as f64; self.scores.len()];
        let mut terms = Vec::new();
        for _ in 0..MAX_LINEARIZED {
            let fit = || self.scores.iter().map(|&(score, _)| score).zip(&shares);
            let mean: f64 = fit().map(|(score, share)| score * share).sum();
            let spread = fit().map(|(score, share)| share * (score - mean).powi(2)).sum::<f64>().sqrt();
            let term = |&(score, _): &(f64, f64)| {
                score - even - 0.5 * t * spread * (1.0 + ((score - mean) / spread).powi(2))
            };
            terms = self.scores.iter().map(term).collect();
            let tilt = self.tilt(&terms);
            let counts = self.scores.iter().map(|(_, count)| count / all);
            let next: Vec<f64> =
                counts.zip(&terms).map(|(share, term)| share / (1.0 + tilt * term)).collect();
            let moved = next.iter().zip(&shares).map(|(new, old)| (new - old).abs()).fold(0.0, f64::max);
            shares = next;
            if moved < 1e-9 {
                break;
            }
        }
        terms
    }

    /// The θ for which the best fit has Σ pᵢ fᵢ = 0: the root of Σ cᵢ fᵢ / (1 + θ fᵢ), which falls in θ.
    ///
    /// Some terms are above 0 and some below, because the scores 0, 1/2 and 1 are always among those known.
    fn tilt(&self, terms: &[f64]) -> f64 {
        // Every weight stays positive between these bounds.
        let most = terms.iter().copied().fold(f64::MIN, f64::max);
        let least = terms.iter().copied().fold(f64::MAX, f64::min);
        let (mut low, mut high) = (-1.0 / most, -1.0 / least);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            let counted = self.scores.iter().zip(terms);
            let sum: f64 = counted.map(|(&(_, count), term)| count * term / (1.0 + middle * term)).sum();
            if sum > 0.0 { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }
}

/// A bound on the steps to the fixed point; a few are enough.
const MAX_LINEARIZED: usize = 20;

#[cfg(test)]
mod tests {
    use azulejo::Generator;
    use rand::RngExt;

    use super::*;

    /// Hypotheses that expect these mean scores of two players.
    fn between(null: f64, alternative: f64) -> Sprt {
        let elo = |share: f64| 400.0 * (share / (1.0 - share)).log10();
        Sprt::new(&SprtSettings::elo(elo(null), elo(alternative)), 2)
    }

    fn counted(settings: &str, size: usize, scores: &[(f64, u32)]) -> Sprt {
        let mut test = Sprt::with_blocks(&settings.parse().unwrap(), 2, size);
        for &(score, count) in scores {
            (0..count).for_each(|_| test.push(score));
        }
        test
    }

    #[test]
    fn published_ratios_of_engine_tests_come_out() {
        // Results of chess engines' tests with the ratios that fastchess pins (app/tests/sprt_test.cpp):
        // games as losses, draws, wins; pairs of games by their score.
        let games = |settings, [losses, draws, wins]: [u32; 3]| {
            counted(settings, 1, &[(0.0, losses), (0.5, draws), (1.0, wins)]).log_ratio()
        };
        let pairs = |settings, counts: [u32; 5]| {
            let scores: Vec<(f64, u32)> = [0.0, 0.25, 0.5, 0.75, 1.0].into_iter().zip(counts).collect();
            counted(settings, 2, &scores).log_ratio()
        };
        for (found, published) in [
            (games("elo0=0.5,elo1=2.5", [21184, 40708, 21404]), -1.57),
            (games("elo0=0,elo1=2", [57030, 106593, 57433]), -2.59),
            (games("nelo0=0,nelo1=2", [36027, 68692, 36433]), 0.92),
            (games("nelo0=-1.75,nelo1=0.25", [10650, 20431, 10871]), 2.30),
            (pairs("elo0=0.5,elo1=2.5", [223, 9863, 21279, 10037, 246]), -3.07),
            (pairs("elo0=0,elo1=2", [871, 26175, 55983, 26678, 821]), -4.98),
            (pairs("nelo0=0,nelo1=2", [365, 16618, 36229, 16974, 390]), 2.25),
            (pairs("nelo0=-1.75,nelo1=0.25", [127, 4883, 10712, 5150, 104]), 3.01),
        ] {
            assert!((found - published).abs() < 0.02, "{found} is not {published}");
        }
    }

    #[test]
    fn settings_print_and_parse_back() {
        for text in ["elo0=0,elo1=20", "nelo0=-5,nelo1=2.5,alpha=0.1", "elo0=0,elo1=5,alpha=0.01,beta=0.1"] {
            assert_eq!(text.parse::<SprtSettings>().unwrap().to_string(), text);
        }
        let message = |text: &str| text.parse::<SprtSettings>().unwrap_err();
        assert!(message("elo0=0").starts_with("expected elo0=X,elo1=Y"));
        assert!(message("elo0=0,nelo1=3").starts_with("expected elo0=X"));
        assert!(message("elo0=3,elo1=3").contains("expected the second one to be larger"));
        assert!(message("elo0=0,elo1=2e9").contains("expected -1000 to 1000"));
        assert!(message("elo0=0,elo1=5,alpha=0.7").starts_with("alpha=0.7"));
        assert!(message("elo0=0,elo1=5,gamma=0.7").starts_with("found 'gamma'"));
        assert!(message("elo0=0,elo1=x").contains("expected a number after elo1="));
        assert_eq!(message("elo0=0,elo0=1"), "elo0 is given twice");
    }

    #[test]
    fn the_two_errors_have_bounds_of_their_own() {
        let bounds = counted("elo0=0,elo1=5,alpha=0.01,beta=0.1", 2, &[]).bounds();
        assert_eq!(bounds, ((0.1f64 / 0.99).ln(), (0.9f64 / 0.01).ln()));
    }

    #[test]
    fn games_count_by_complete_blocks() {
        let mut test = counted("elo0=0,elo1=200", 3, &[]);
        let nothing = test.log_ratio();
        test.push_game(1.0);
        test.push_game(0.5);
        assert_eq!(test.log_ratio(), nothing);
        test.push_game(0.0);
        assert_eq!(test.log_ratio(), counted("elo0=0,elo1=200", 3, &[(0.5, 1)]).log_ratio());
    }

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
        let mut test = between(0.5, 0.6);
        (0..130).for_each(|block| test.push(f64::from(u8::from(block < 78))));
        let exact = 78.0 * (0.6_f64 / 0.5).ln() + 52.0 * (0.4_f64 / 0.5).ln();
        assert!((test.log_ratio() - exact).abs() < 0.01, "{} is not {exact}", test.log_ratio());
    }

    #[test]
    fn near_the_mean_the_ratio_is_that_of_a_normal_distribution() {
        // N (s1 − s0) (2 m − s0 − s1) / (2 σ²) for hypotheses close to the mean m.
        let mut test = between(0.5, 0.51);
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
                let (mut test, mut rng) = (between(0.5, 0.6), Generator::new(trial));
                let right = [Verdict::Null, Verdict::Alternative][truth];
                let verdict = loop {
                    let score = [0.0, 0.5, 1.0]
                        [usize::from(rng.random_bool(mean)) + usize::from(rng.random_bool(mean))];
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
