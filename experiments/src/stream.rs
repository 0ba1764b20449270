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
