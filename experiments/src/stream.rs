//! The streams of random numbers: what is drawn for different purposes never shares a seed.

use azulejo::Generator;
use azulejo::seed::derive;

/// A purpose for which random numbers are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Outcomes of chance nodes; the path is the seed block and the number of the chance node in its game.
    Deals = 1,
    /// Choices of an agent; the path is the game's index and the agent's seat.
    Agents = 2,
    /// Resampling for intervals.
    Resampling = 3,
    /// Outcomes that the engine protocol shows on request.
    Samples = 4,
    /// Games that are played to measure speed.
    Speed = 5,
    /// Moves and games of a tuning run.
    Tuning = 6,
    /// What a reviewer of a recorded game draws; the path is the number of the move.
    Review = 7,
    /// Games, examples and weights of a training run.
    Training = 8,
}

impl Stream {
    /// The seed of the piece of work that `path` names in this stream.
    pub fn seed(self, master: u64, path: &[u64]) -> u64 {
        derive(derive(master, &[self as u64]), path)
    }

    /// A generator for the piece of work that `path` names in this stream.
    pub fn generator(self, master: u64, path: &[u64]) -> Generator {
        Generator::new(self.seed(master, path))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::train::TrainingSeeds;
    use crate::tune::games_seed;

    /// What is learned or chosen by games must not be measured on the deals of these. Tournaments, self-play and
    /// balance are one kind: with the same seed they have the same deals by design, so that agents can be compared.
    #[test]
    fn no_two_kinds_of_work_share_a_deal() {
        let mut known = HashSet::new();
        for seed in 1..=5 {
            let training = TrainingSeeds(seed);
            let tuning = (0..20).flat_map(|steps| [0, 1].map(|kind| games_seed(seed, &[kind, steps])));
            let kinds = [seed, training.games(), training.measurements()].into_iter().chain(tuning);
            for master in kinds {
                let paths = (0..50).flat_map(|block| (0..12).map(move |node| [block, node]));
                for path in paths {
                    assert!(known.insert(Stream::Deals.seed(master, &path)), "{master} {path:?}");
                }
            }
        }
    }
}
