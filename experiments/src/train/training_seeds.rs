//! What a training run draws its random numbers from: [`TrainingSeeds`].

use azulejo::Generator;

use crate::stream::Stream;

/// The seeds of a training run, which all follow from the seed of its configuration, each by a path of its own in the
/// stream of training.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrainingSeeds(pub u64);

impl TrainingSeeds {
    /// The seed of the weights that a run begins with.
    pub(super) fn network(self) -> u64 {
        self.seed(&[])
    }

    /// The master seed of the games that measure strength, the same in all stages.
    pub(crate) fn measurements(self) -> u64 {
        self.seed(&[2])
    }

    /// The master seed of the games that are learned from: of their deals and of the agents that play them.
    ///
    /// It is not the run's own, whose deals are those of every tournament with that seed: a network would be measured on
    /// deals that it has learned from.
    pub(crate) fn games(self) -> u64 {
        self.seed(&[3])
    }

    /// What a game's random and drawn actions come from.
    pub(super) fn actions(self, game: u64) -> Generator {
        Generator::new(self.seed(&[game, 0]))
    }

    /// What a game's table is drawn from.
    pub(super) fn table(self, game: u64) -> Generator {
        Generator::new(self.seed(&[game, 1]))
    }

    /// What a game is called by other names from.
    pub(super) fn symmetry(self, game: u64) -> Generator {
        Generator::new(self.seed(&[game, 2]))
    }

    /// What a game's seats are given away from.
    pub(super) fn seats(self, game: u64) -> Generator {
        Generator::new(self.seed(&[game, 3]))
    }

    /// What a stage's batches are drawn from.
    pub(super) fn batches(self, stage: u64) -> Generator {
        Generator::new(self.seed(&[stage, 0, 0]))
    }

    /// What the positions are drawn from that show a stage's losses.
    pub(super) fn losses(self, stage: u64) -> Generator {
        Generator::new(self.seed(&[stage, 1, 0]))
    }

    fn seed(self, path: &[u64]) -> u64 {
        Stream::Training.seed(self.0, path)
    }
}
