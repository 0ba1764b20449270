//! What plays at the levels of a game's ladder: [`Rung`].

/// The number of levels of every game.
pub const LEVELS: usize = 10;

/// What plays at a game's levels, from 1 up.
pub type Ladder = [Rung; LEVELS];

/// What plays at one level of a game. It is limited by simulations, not by time, so a level is as strong on every machine and its
/// games repeat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung {
    /// Who chooses.
    pub player: RungPlayer,
    /// Of 100 choices so many are made at random.
    pub slips: u8,
}

/// Who chooses at a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RungPlayer {
    /// `greedy`.
    Greedy,
    /// `neural` with so many simulations.
    Neural {
        /// Simulations a move.
        sims: u64,
    },
}

impl Rung {
    /// `greedy` with so many slips in 100 choices.
    pub(crate) const fn greedy(slips: u8) -> Self {
        Rung { player: RungPlayer::Greedy, slips }
    }

    /// `neural` with so many simulations a move.
    pub(crate) const fn neural(sims: u64) -> Self {
        Rung { player: RungPlayer::Neural { sims }, slips: 0 }
    }

    /// The same with so many slips in 100 choices.
    pub(crate) const fn slipping(self, slips: u8) -> Self {
        Rung { slips, ..self }
    }
}
