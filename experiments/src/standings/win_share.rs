//! Shares of wins.

use super::sums::BlockSums;
use crate::stats::{HalfBlocks, Stratum};

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
        let (wins, seats) = self.sums(totals);
        (seats > 0.0).then(|| wins / seats)
    }

    /// The share for totals of a resample, with blocks of which `won` and `lost` are imagined; `None` without
    /// games.
    ///
    /// However many line-ups there are, an agent wins half a block beside them and loses one.
    pub(crate) fn with_half_blocks(
        &self,
        totals: &[Option<BlockSums>],
        played: &PlayedBlocks,
        HalfBlocks { played: weight, won, lost }: HalfBlocks,
    ) -> Option<f64> {
        let ((wins, seats), block) = (self.sums(totals), played.seats_a_block);
        (seats > 0.0).then(|| (weight * wins + won * block) / (weight * seats + (won + lost) * block))
    }

    /// The blocks that the share is taken of, in totals of the games that were played.
    pub(crate) fn played(&self, strata: &[Stratum<BlockSums>], totals: &[Option<BlockSums>]) -> PlayedBlocks {
        let blocks = self.parts.iter().map(|part| strata[part.lineup].blocks()).sum::<u64>();
        PlayedBlocks { blocks, seats_a_block: self.sums(totals).1 / blocks.max(1) as f64 }
    }

    /// The wins, and the seats in all games.
    fn sums(&self, totals: &[Option<BlockSums>]) -> (f64, f64) {
        let (mut wins, mut seats) = (0.0, 0.0);
        for part in &self.parts {
            if let Some(sums) = &totals[part.lineup] {
                wins += part.winner.wins(sums);
                seats += sums.games * part.seats;
            }
        }
        (wins, seats)
    }
}

/// The blocks that a share of wins is taken of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlayedBlocks {
    /// Their number.
    pub blocks: u64,
    /// The seats that the winner holds in all games of one, in the mean.
    seats_a_block: f64,
}

impl PlayedBlocks {
    /// Whether they can tell how much the share varies: there are at least two.
    pub(crate) fn vary(&self) -> bool {
        self.blocks > 1
    }
}
