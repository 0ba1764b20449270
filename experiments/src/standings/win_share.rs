//! Shares of wins.

use super::sums::BlockSums;
use crate::stats::Stratum;

/// A share of wins for each seat and game: a sum of wins over a sum of seats, over several line-ups.
#[derive(Clone, Debug, Default)]
pub(crate) struct WinShare {
    pub(super) parts: Vec<Part>,
}

/// What a line-up adds to a share of wins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub lineup: usize,
    pub winner: Winner,
    /// The seats that the winner holds.
    pub seats: f64,
}

/// Whose wins are counted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Winner {
    /// Those of the member at this place in the line-up.
    Member(usize),
    /// Those at this seat.
    Seat(usize),
}

impl Winner {
    fn wins(self, sums: &BlockSums) -> f64 {
        match self {
            Winner::Member(place) => sums.members[place],
            Winner::Seat(seat) => sums.seats[seat],
        }
    }
}

impl WinShare {
    /// The share for totals of each line-up; `None` without games.
    pub(crate) fn value(&self, totals: &[Option<BlockSums>]) -> Option<f64> {
        let (mut wins, mut seats) = (0.0, 0.0);
        for part in &self.parts {
            if let Some(sums) = &totals[part.lineup] {
                wins += part.winner.wins(sums);
                seats += sums.games * part.seats;
            }
        }
        (seats > 0.0).then(|| wins / seats)
    }

    /// Whether its games can tell how much it varies: there are at least two blocks.
    pub(crate) fn varies(&self, strata: &[Stratum<BlockSums>]) -> bool {
        self.parts.iter().map(|part| strata[part.lineup].blocks()).sum::<u64>() > 1
    }
}
