//! Shares of wins.

use super::sums::BlockSums;
use crate::stats::{HalfBlocks, Interval, Stratum};

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
        let games: f64 =
            self.parts.iter().filter_map(|part| totals[part.lineup].as_ref()).map(|it| it.games).sum();
        let seats = self.sums(totals).1;
        let blocks_with = |is_true: fn(f64, f64) -> bool| -> u64 {
            let of = |part: &Part| {
                strata[part.lineup].blocks_with(|sums| is_true(part.winner.wins(sums), sums.games))
            };
            self.parts.iter().map(of).sum()
        };
        PlayedBlocks {
            blocks,
            won: blocks_with(|wins, _| wins > 0.0),
            lost: blocks_with(|wins, games| wins < games),
            best: games / seats,
            seats_a_block: seats / blocks.max(1) as f64,
        }
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
    /// Those in which something was won.
    pub won: u64,
    /// Those in which something was lost.
    pub lost: u64,
    /// The share of who wins every game: 1 for who holds one seat.
    best: f64,
    /// The seats that the winner holds in all games of one, in the mean.
    seats_a_block: f64,
}

impl PlayedBlocks {
    /// Whether they can tell how much the share varies: there are at least two.
    pub(crate) fn vary(&self) -> bool {
        self.blocks > 1
    }

    /// The interval of the share, which ends at that of who wins everything where something was lost in one block at most, and
    /// at 0 where something was won in one at most.
    ///
    /// One block cannot tell what is rare from what is very rare: without this the interval is too narrow where hardly a
    /// game is lost (the modified Jeffreys interval: L. D. Brown, T. T. Cai and A. DasGupta 2001, section 4.1.2).
    pub(crate) fn open(&self, Interval { low, high }: Interval) -> Interval {
        Interval {
            low: if self.won > 1 { low } else { 0.0 },
            high: if self.lost > 1 { high } else { high.max(self.best) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_block_does_not_close_an_interval() {
        let found = Interval { low: 0.2, high: 0.8 };
        let opened = |won, lost, best| {
            let Interval { low, high } =
                PlayedBlocks { blocks: 25, won, lost, best, seats_a_block: 2.0 }.open(found);
            (low, high)
        };
        assert_eq!(opened(25, 1, 1.0), (0.2, 1.0));
        assert_eq!(opened(1, 25, 1.0), (0.0, 0.8));
        assert_eq!(opened(2, 2, 1.0), (0.2, 0.8));
        // Who holds all seats wins everything, and no more than that.
        assert_eq!(opened(25, 0, 0.5), (0.2, 0.8));
    }
}
