//! The one named random generator of the project and the derivation of seeds.
//!
//! Every game, agent and deal draws from a [`Generator`] of its own, whose seed is a function of a master
//! seed and of the numbers that name the piece of work ([`derive()`]). So results never depend on the number
//! of threads or on the order of work.
//!
//! The generator is one of the `rand` family: with `rand::RngExt` and `rand::seq` in scope it draws numbers from
//! distributions, chooses from lists and shuffles them. Play has two tools of its own, since every random game
//! goes through them thousands of times: [`Generator::below`], a multiplication without the branch of
//! `random_range`, and fractions, which serve several small choices from one random word.

use std::convert::Infallible;

use rand::{Rng, SeedableRng, TryRng};
use rand_pcg::Pcg64Mcg;

/// The project's random generator: PCG XSL 128/64 (MCG), the same on every platform.
///
/// The sequence of numbers for a seed is part of the project's contract: a test pins it.
///
/// ```
/// use azulejo::Generator;
/// use rand::seq::{IndexedRandom, SliceRandom};
/// use rand::{Rng, RngExt};
///
/// let mut rng = Generator::new(7);
/// let (word, share): (u64, f64) = (rng.next_u64(), rng.random());
/// let seat = *[0, 1, 2].choose(&mut rng).expect("a list of three");
/// let mut order = [0, 1, 2, 3];
/// order.shuffle(&mut rng);
/// # assert!(word > 0 && share < 1.0 && seat < 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator(Pcg64Mcg);

impl Generator {
    /// A generator whose sequence is determined by `seed`.
    pub fn new(seed: u64) -> Self {
        Generator(Pcg64Mcg::seed_from_u64(seed))
    }

    /// A number drawn uniformly from `0..n` (bias below `n` / 2⁶⁴).
    ///
    /// `n` must not be 0; for 0 it returns 0.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        self.fraction().below(n)
    }

    /// A fresh random fraction from which several small choices can be taken.
    #[inline]
    pub(crate) fn fraction(&mut self) -> Fraction {
        Fraction(self.0.next_u64())
    }
}

/// Makes it a generator for everything in `rand`.
impl TryRng for Generator {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.0.try_next_u32()
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(bytes)
    }
}

/// A random number in [0, 1) with 64 bits, used up choice by choice.
///
/// [`below`](Fraction::below) takes the leading digit in base `n` and keeps the rest, so that one random word
/// serves several independent choices. After choices with n₁ · n₂ · … = N in all, each result is uniform up
/// to N / 2⁶⁴; draw a new fraction before N exceeds about 2³².
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fraction(u64);

impl Fraction {
    /// A number from `0..n`, independent of the numbers taken before.
    #[inline]
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        let wide = u128::from(self.0) * u128::from(n);
        self.0 = wide as u64;
        (wide >> 64) as u64
    }
}

/// A seed for the piece of work that `path` names under a master seed, e.g. `derive(seed, &[GAME, 17])`.
///
/// Different paths give unrelated seeds: each step goes through the finalizer of SplitMix64
/// (Steele, Lea, Flood 2014).
pub fn derive(master: u64, path: &[u64]) -> u64 {
    path.iter().fold(mix(master), |seed, &step| mix(seed ^ mix(step.wrapping_add(0x6A09_E667_F3BC_C909))))
}

fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;

    #[test]
    fn the_sequence_is_stable() {
        let mut rng = Generator::new(42);
        let first: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(first, [10_580_897_095_847_554_459, 2_459_073_333_136_617_071, 6_565_857_352_388_044_582]);
        assert_eq!(derive(42, &[1, 2]), 14_613_442_060_369_596_711);
    }

    /// What results rest on and `rand` draws, in its own words.
    #[test]
    fn numbers_drawn_through_rand_are_stable() {
        let (mut rng, mut twin) = (Generator::new(3), Generator::new(3));
        for _ in 0..1000 {
            let word = twin.next_u64();
            assert_eq!(rng.random::<f64>(), (word >> 11) as f64 * (1.0 / (1u64 << 53) as f64));
            assert_eq!(rng.random_bool(0.5), twin.below(2) == 0);
            assert_eq!(rng.random_range(0..1000), twin.below(1000));
        }
    }

    #[test]
    fn choices_from_one_fraction_are_uniform_and_independent() {
        let mut rng = Generator::new(1);
        let mut counts = [[0u32; 5]; 7];
        for _ in 0..70_000 {
            let mut fraction = rng.fraction();
            counts[fraction.below(7) as usize][fraction.below(5) as usize] += 1;
        }
        let chi: f64 = counts.iter().flatten().map(|&n| (f64::from(n) - 2000.0).powi(2) / 2000.0).sum();
        assert!(chi < 73.4, "chi-squared {chi} with 34 degrees of freedom is above its 99.99 % point");
    }

    #[test]
    fn derived_seeds_differ() {
        let mut seeds: Vec<u64> = (0..1000).flat_map(|i| [derive(7, &[i]), derive(7, &[0, i])]).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 2000);
    }
}
