//! What plays at the levels of a game's ladder: [`Rung`].

use serde::Serialize;

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
    /// How strong it is in games for two; `None` if it was not measured.
    pub rating: Option<RungRating>,
}

/// The rating of a level in games for two, in Elo points above `greedy` without slips, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RungRating {
    /// The rating.
    pub rating: i16,
    /// The interval's lower end.
    pub low: i16,
    /// The interval's upper end.
    pub high: i16,
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
        Rung { player: RungPlayer::Greedy, slips, rating: None }
    }

    /// `neural` with so many simulations a move.
    pub(crate) const fn neural(sims: u64) -> Self {
        Rung { player: RungPlayer::Neural { sims }, slips: 0, rating: None }
    }

    /// The same with so many slips in 100 choices.
    pub(crate) const fn slipping(self, slips: u8) -> Self {
        Rung { slips, ..self }
    }

    /// The same with a measured rating and its interval.
    ///
    /// # Panics
    /// If the rating does not lie in its interval.
    pub const fn rated(self, rating: i16, low: i16, high: i16) -> Self {
        assert!(low <= rating && rating <= high, "a rating lies in its interval");
        Rung { rating: Some(RungRating { rating, low, high }), ..self }
    }
}
