//! What a game draws at its chance nodes: [`Deals`].

use azulejo::Game;

use crate::stream::Stream;

/// The random generators of a game's chance nodes: one for each, so that games of one seed block get the same
/// deals however many random numbers a deal takes.
#[derive(Clone, Debug)]
pub struct Deals {
    seed: u64,
    block: u64,
    node: u64,
}

impl Deals {
    /// The deals of a seed block under a master seed.
    pub fn new(seed: u64, block: u64) -> Self {
        Deals { seed, block, node: 0 }
    }

    /// The outcome of the game's next chance node.
    ///
    /// # Panics
    /// May panic if the state is not at a chance node.
    pub fn draw<G: Game>(&mut self, state: &G) -> G::Outcome {
        let outcome = self.at(self.node, state);
        self.node += 1;
        outcome
    }

    /// The outcome of the chance node with this number in the game, counted from 0.
    ///
    /// # Panics
    /// May panic if the state is not at a chance node.
    pub fn at<G: Game>(&self, node: u64, state: &G) -> G::Outcome {
        state.sample_chance(&mut Stream::Deals.generator(self.seed, &[self.block, node]))
    }
}
