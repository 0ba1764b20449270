//! What is imagined beside the blocks that were played: [`HalfBlocks`].

use azulejo::Generator;

use super::bootstrap::gamma;

/// Half a block that everything is won in, and half a block that everything is lost in.
///
/// Results that are all alike would otherwise give an interval without width. With these halves the share of
/// wins in equal blocks has the distribution that follows from Jeffreys' prior (L. D. Brown, T. T. Cai and A.
/// DasGupta 2001): if all of B blocks were won, its interval ends about 2.5 / B below 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HalfBlocks {
    /// How much the blocks that were played weigh, 1 in the mean.
    pub played: f64,
    /// The part of a block that is won.
    pub won: f64,
    /// The part that is lost.
    pub lost: f64,
}

impl HalfBlocks {
    /// The part of a block that is imagined to be won, and that is imagined to be lost.
    pub(crate) const SIZE: f64 = 0.5;

    /// The halves in one resample of so many blocks.
    ///
    /// Resampled blocks add up to their number; in the posterior distribution their weight varies beside that of the
    /// halves, which is [`played`](HalfBlocks::played).
    ///
    /// # Panics
    /// Without blocks.
    pub(crate) fn draw(blocks: u64, rng: &mut Generator) -> Self {
        HalfBlocks {
            played: gamma(blocks as f64, rng) / blocks as f64,
            won: gamma(Self::SIZE, rng),
            lost: gamma(Self::SIZE, rng),
        }
    }

    /// The halves of the other side.
    pub(crate) fn swapped(self) -> Self {
        HalfBlocks { won: self.lost, lost: self.won, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Interval;

    #[test]
    fn one_sided_results_have_the_interval_of_jeffreys() {
        let mut rng = Generator::new(1);
        let mut shares: Vec<f64> = (0..20_000)
            .map(|_| {
                let HalfBlocks { played, won, lost } = HalfBlocks::draw(100, &mut rng);
                (100.0 * played + won) / (100.0 * played + won + lost)
            })
            .collect();
        let found = Interval::of_resamples(&mut shares).unwrap();
        // The 2.5 % and the 97.5 % points of a beta distribution with parameters 100.5 and 0.5.
        assert!((found.low - 0.975_2).abs() < 0.001, "{found:?}");
        assert!((found.high - 0.999_995).abs() < 1e-5, "{found:?}");
    }
}
