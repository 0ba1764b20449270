//! What the tiles in a hand are worth when they are spent in the best way: [`best_use`].

use azulejo::summer_pavilion::{Board, CENTER_STAR, COLORS, STAR_SLOTS, SummerPavilion};

use super::geometry::{COSTS, FULL, RUN, layout_of};
use super::judge::{SummerPavilionJudge, kind_index};
use super::kind::{HOMELESS, homes};
use crate::heuristic::{Millipoints, POINT};

/// `PATH[ring][slots]`: the most points that filling these free slots of a star can score, one after the other.
static PATH: [[u8; FULL + 1]; FULL + 1] = {
    let mut table = [[0; FULL + 1]; FULL + 1];
    let mut ring = 0;
    while ring <= FULL {
        let mut slots = 1;
        while slots <= FULL {
            let mut last = 0;
            while last < STAR_SLOTS {
                if slots >> last & 1 == 1 {
                    let before = slots & !(1 << last);
                    let points = table[ring][before] + RUN[(ring | before) & !(1 << last)][last];
                    table[ring][slots] =
                        if points > table[ring][slots] { points } else { table[ring][slots] };
                }
                last += 1;
            }
            slots += 1;
        }
        ring += 1;
    }
    table
};

/// Slots of one star that are filled together, and what they cost.
#[derive(Clone, Copy)]
struct Purchase {
    slots: u8,
    cost: u8,
}

/// By the costs of a star's slots: all sets of slots, the cheapest first.
static PURCHASES: [[Purchase; FULL + 1]; COSTS.len()] = {
    let mut table = [[Purchase { slots: 0, cost: 0 }; FULL + 1]; COSTS.len()];
    let mut layout = 0;
    while layout < COSTS.len() {
        let (mut count, mut cost) = (0, 0);
        while cost <= 21 {
            let mut slots = 0;
            while slots <= FULL {
                let (mut sum, mut position) = (0, 0);
                while position < STAR_SLOTS {
                    sum += if slots >> position & 1 == 1 { COSTS[layout][position] } else { 0 };
                    position += 1;
                }
                if sum == cost {
                    table[layout][count] = Purchase { slots: slots as u8, cost };
                    count += 1;
                }
                slots += 1;
            }
            cost += 1;
        }
        layout += 1;
    }
    table
};

/// The slots of an outer star beside its window.
const WINDOW: usize = 0b11_0000;

/// The most tiles of one color, wild ones among them, that a plan spends.
const PURSE: usize = 14;
/// The most wild tiles that a plan shares out.
const WILDS: usize = 8;

/// A gain in millipoints, in the upper bits, with the number of tiles spent in the lower eight.
type Spending = i32;

/// A spending of so many millipoints and tiles.
#[inline]
fn spending(gain: Millipoints, tiles: u8) -> Spending {
    (gain << 8) + Spending::from(tiles)
}

/// Beyond any spending that can be had.
const NEVER: Spending = i32::MIN / 4;

/// The plan of a seat's placements in the rest of the round.
struct Planner<'a> {
    judge: &'a SummerPavilionJudge,
    board: &'a Board,
    left: usize,
    /// What one more slot of each printed cost adds to the promise of numbers.
    number_step: [Millipoints; STAR_SLOTS + 1],
    /// By position in the center or another star of different colors: the gain of filling it, by cost.
    mixed: [Millipoints; STAR_SLOTS + 1],
    /// The colors that may go there, bit by color.
    mixed_colors: u8,
}

/// The worth of the hand of a seat that may still place in this round: what its best use gains, and what the rest is
/// worth when it is kept or discarded.
pub(super) fn best_use(
    state: &SummerPavilion,
    judge: &SummerPavilionJudge,
    board: &Board,
    left: usize,
    next_wild: usize,
) -> Millipoints {
    let hand = board.hand();
    if hand.is_empty() {
        return 0;
    }
    let wild = state.wild().index();
    let planner = Planner::new(judge, board, left);
    let homes = homes(judge.side(), board);
    let wilds = usize::from(hand.count(wild)).min(WILDS);
    // By the wild tiles spent, without and with a slot in the center: the best so far.
    let mut best = [[NEVER; WILDS + 1]; 2];
    best[0][0] = 0;
    let mut price_of_all = 0;
    for color in 0..COLORS {
        let own = hand.count(color);
        let price = judge.price(left, color == next_wild);
        price_of_all += price * Millipoints::from(own);
        if own == 0 {
            continue;
        }
        if color == wild {
            continue;
        }
        let gains = planner.gains(homes[color], color, own, usize::from(own) + wilds, price);
        let with_mixed = planner.with_mixed(&gains, color, price);
        let mut next = [[NEVER; WILDS + 1]; 2];
        for spent in 0..=wilds {
            for more in 0..=wilds - spent {
                let purse = (usize::from(own) + more).min(PURSE);
                let to = spent + more;
                next[0][to] = next[0][to].max(best[0][spent] + gains[purse]);
                next[1][to] =
                    next[1][to].max(best[1][spent] + gains[purse]).max(best[0][spent] + with_mixed[purse]);
            }
        }
        best = next;
    }
    if wilds > 0 {
        let price = judge.price(left, false);
        let gains = planner.gains(homes[wild], wild, wilds as u8, wilds, price);
        let with_mixed = planner.with_mixed(&gains, wild, price);
        let mut last = NEVER;
        for spent in 0..=wilds {
            let rest = wilds - spent;
            last = last.max(best[0][spent].max(best[1][spent]) + gains[rest]);
            last = last.max(best[0][spent] + with_mixed[rest]);
        }
        best[0][0] = last;
    } else {
        best[0][0] = best[0][0].max(best[1][0]);
    }
    let chosen = best[0][0];
    let (gain, spent) = (chosen >> 8, (chosen & 255) as u8);
    let rest = hand.total().saturating_sub(spent);
    let beyond = Millipoints::from(rest.saturating_sub(judge.keep_limit()));
    price_of_all + judge.share_of_plan(left, gain) - beyond * (judge.price(left, false) + judge.discard()).max(0)
}

impl<'a> Planner<'a> {
    #[inline]
    fn new(judge: &'a SummerPavilionJudge, board: &'a Board, left: usize) -> Self {
        let mut planner = Planner {
            judge,
            board,
            left,
            number_step: judge.number_steps(board.filled(), left),
            mixed: [NEVER >> 8; STAR_SLOTS + 1],
            mixed_colors: 0,
        };
        // The center, or on the gray side the first star of different colors that has room.
        for star in (0..=CENTER_STAR).rev() {
            if board.free(star) != 0 && kind_index(judge.side(), board, star) == CENTER_STAR {
                planner.mixed_colors = board.accepted(star);
                let layout = layout_of(judge.side(), star);
                let ring = FULL & !usize::from(board.free(star));
                let bonus = planner.slot_bonuses(star, layout);
                for position in (0..STAR_SLOTS).filter(|position| ring >> position & 1 == 0) {
                    let cost = usize::from(COSTS[layout][position]);
                    let gain = planner.purchase_gain(star, CENTER_STAR, 1 << position, &bonus);
                    planner.mixed[cost] = planner.mixed[cost].max(gain);
                }
                break;
            }
        }
        planner
    }

    /// What each slot of a star adds beside its run and its star: numbers and features.
    #[inline]
    fn slot_bonuses(&self, star: usize, layout: usize) -> [Millipoints; STAR_SLOTS] {
        std::array::from_fn(|position| {
            self.number_step[usize::from(COSTS[layout][position])]
                + self.judge.feature_step(star, position, self.board.filled(), self.left)
        })
    }

    /// What filling some free slots of a star that becomes one of this kind gains.
    #[inline]
    fn purchase_gain(
        &self,
        star: usize,
        kind: usize,
        slots: usize,
        bonus: &[Millipoints; STAR_SLOTS],
    ) -> Millipoints {
        let ring = FULL & !usize::from(self.board.free(star));
        let table = self.judge.star(self.left, star, kind);
        let mut gain =
            Millipoints::from(PATH[ring][slots]) * POINT + table.worth(ring | slots) - table.worth(ring);
        let mut rest = slots;
        while rest != 0 {
            gain += bonus[rest.trailing_zeros() as usize % STAR_SLOTS];
            rest &= rest - 1;
        }
        if slots & WINDOW == WINDOW && star != CENTER_STAR {
            gain += self.judge.whole_window(self.left);
        }
        gain
    }

    /// By the number of tiles that may be spent: the best spending on a color's home with `own` tiles of the color.
    #[inline]
    fn gains(
        &self,
        home: u8,
        color: usize,
        own: u8,
        purse: usize,
        price: Millipoints,
    ) -> [Spending; PURSE + 1] {
        let mut best = [0; PURSE + 1];
        if home == HOMELESS {
            return best;
        }
        let star = usize::from(home);
        let layout = layout_of(self.judge.side(), star);
        let ring = FULL & !usize::from(self.board.free(star));
        let bonus = self.slot_bonuses(star, layout);
        let purse = purse.min(PURSE);
        for &Purchase { slots, cost } in &PURCHASES[layout][1..] {
            if usize::from(cost) > purse {
                break;
            }
            if usize::from(slots) & ring != 0 || slots.count_ones() > own.into() {
                continue;
            }
            let gain =
                self.purchase_gain(star, color, slots.into(), &bonus) - price * Millipoints::from(cost);
            let known = &mut best[usize::from(cost)];
            *known = (*known).max(spending(gain, cost));
        }
        for tiles in 1..=PURSE {
            best[tiles] = best[tiles].max(best[tiles - 1]);
        }
        best
    }

    /// The same with one tile of the color on a star of different colors beside.
    #[inline]
    fn with_mixed(
        &self,
        gains: &[Spending; PURSE + 1],
        color: usize,
        price: Millipoints,
    ) -> [Spending; PURSE + 1] {
        let mut best = [NEVER; PURSE + 1];
        if self.mixed_colors >> color & 1 == 0 {
            return best;
        }
        for (cost, gain) in self.mixed.iter().enumerate().skip(1) {
            let gain = spending(gain - price * cost as Millipoints, cost as u8);
            for purse in cost..=PURSE {
                best[purse] = best[purse].max(gains[purse - cost] + gain);
            }
        }
        best
    }
}
