//! Cycles among agents: A beats B, B beats C, C beats A.

/// How many triples of agents are intransitive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Triads {
    /// The triples of which all three pairs have met.
    pub all: u64,
    /// Those in which each agent beats one of the two others (M. G. Kendall and B. Babington Smith, "On the
    /// method of paired comparisons", Biometrika 31, 1940: "circular triads").
    pub circular: u64,
}

impl Triads {
    /// Counts the triples of `agents` agents. `beats` says whether the first agent beats the second one:
    /// neither does if they are even. A triple with an even pair is not circular.
    pub(crate) fn count(
        agents: usize,
        met: impl Fn(usize, usize) -> bool,
        beats: impl Fn(usize, usize) -> bool,
    ) -> Self {
        let mut found = Triads::default();
        for a in 0..agents {
            for b in a + 1..agents {
                for c in b + 1..agents {
                    if met(a, b) && met(b, c) && met(a, c) {
                        found.all += 1;
                        let around = beats(a, b) && beats(b, c) && beats(c, a);
                        let back = beats(b, a) && beats(c, b) && beats(a, c);
                        found.circular += u64::from(around || back);
                    }
                }
            }
        }
        found
    }

    /// The share of circular triples; `None` without triples.
    pub(crate) fn share(self) -> Option<f64> {
        (self.all > 0).then(|| self.circular as f64 / self.all as f64)
    }
}

#[cfg(test)]
mod tests {
    use azulejo::Generator;
    use rand::RngExt;

    use super::*;

    #[test]
    fn circular_triads_follow_from_the_scores() {
        // Kendall and Babington Smith: d = n (n − 1) (2n − 1) / 12 − Σ aᵢ² / 2 with aᵢ the agents that i
        // beats.
        for (n, seed) in (3..10_usize).flat_map(|n| (0..5).map(move |seed| (n, seed))) {
            let mut rng = Generator::new(seed);
            let coins: Vec<bool> = (0..n * n).map(|_| rng.random_bool(0.5)).collect();
            let beats = |a: usize, b: usize| if a < b { coins[a * n + b] } else { !coins[b * n + a] };
            let squares: usize =
                (0..n).map(|a| (0..n).filter(|&b| a != b && beats(a, b)).count().pow(2)).sum();
            let expected = (n * (n - 1) * (2 * n - 1)) as f64 / 12.0 - squares as f64 / 2.0;
            let found = Triads::count(n, |_, _| true, beats);
            assert_eq!((found.all, found.circular as f64), ((n * (n - 1) * (n - 2) / 6) as u64, expected));
        }
    }

    #[test]
    fn a_wheel_of_seven_has_the_most_cycles() {
        // The published maximum is (n³ − n) / 24 for odd n.
        let found = Triads::count(7, |_, _| true, |a, b| (7 + b - a) % 7 <= 3 && a != b);
        assert_eq!(found, Triads { all: 35, circular: 14 });
        assert_eq!(found.share(), Some(0.4));
    }

    #[test]
    fn triples_that_have_not_met_do_not_count() {
        let met = |a: usize, b: usize| (a, b) != (0, 3);
        let found = Triads::count(4, met, |a, b| a < b);
        assert_eq!(found, Triads { all: 2, circular: 0 });
        assert_eq!(Triads::default().share(), None);
    }
}
