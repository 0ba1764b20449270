//! The board as the evaluation reads it: tables by slots, by rings of filled slots and by features.

use azulejo::summer_pavilion::{BoardSide, CENTER_STAR, Feature, SLOTS, STAR_SLOTS};

/// A star with all slots filled, bit `p` for position `p`.
pub(super) const FULL: usize = (1 << STAR_SLOTS) - 1;

/// The three ways in which a star's slots cost: colored side, gray outer stars, gray center.
pub(super) const COSTS: [[u8; STAR_SLOTS]; 3] = [[1, 2, 3, 4, 5, 6], [3, 2, 1, 4, 5, 6], [3; STAR_SLOTS]];

/// `RUN[ring][position]`: the length of the run through a position of a ring of 6 slots once it is filled.
pub(super) const RUN: [[u8; STAR_SLOTS]; FULL + 1] = {
    let mut table = [[0; STAR_SLOTS]; FULL + 1];
    let mut ring = 0;
    while ring <= FULL {
        let mut position = 0;
        while position < STAR_SLOTS {
            let filled = ring | 1 << position;
            let (mut run, mut back) = (1, 1);
            while run < STAR_SLOTS && filled >> ((position + run) % STAR_SLOTS) & 1 == 1 {
                run += 1;
            }
            while run < STAR_SLOTS && filled >> ((position + STAR_SLOTS - back) % STAR_SLOTS) & 1 == 1 {
                (run, back) = (run + 1, back + 1);
            }
            table[ring][position] = run as u8;
            position += 1;
        }
        ring += 1;
    }
    table
};

/// `MOST[ring]`: the most points that filling a star's free slots can score.
pub(super) const MOST: [u8; FULL + 1] = {
    let mut table = [0; FULL + 1];
    let mut ring = FULL;
    while ring > 0 {
        ring -= 1;
        let mut position = 0;
        while position < STAR_SLOTS {
            if ring >> position & 1 == 0 {
                let points = RUN[ring][position] + table[ring | 1 << position];
                table[ring] = if points > table[ring] { points } else { table[ring] };
            }
            position += 1;
        }
    }
    table
};

/// `MISSING[layout][ring]`: the tiles that the free slots of a star cost together.
pub(super) const MISSING: [[u8; FULL + 1]; 3] = {
    let mut table = [[0; FULL + 1]; 3];
    let mut i = 0;
    while i < 3 * (FULL + 1) * STAR_SLOTS {
        let (layout, ring, position) = (i / 6 / (FULL + 1), i / 6 % (FULL + 1), i % 6);
        if ring >> position & 1 == 0 {
            table[layout][ring] += COSTS[layout][position];
        }
        i += 1;
    }
    table
};

/// The number among [`COSTS`] of a star's costs.
#[inline]
pub(super) fn layout_of(side: BoardSide, star: usize) -> usize {
    match (side, star) {
        (BoardSide::Colored, _) => 0,
        (BoardSide::Gray, CENTER_STAR) => 2,
        (BoardSide::Gray, _) => 1,
    }
}

/// `NUMBERS[side][cost]`: the slots of each printed cost, bit [`Slot::index`].
pub(super) const NUMBERS: [[u64; STAR_SLOTS + 1]; 2] = {
    let mut table = [[0; STAR_SLOTS + 1]; 2];
    let mut slot = 0;
    while slot < SLOTS {
        let (star, position) = (slot / STAR_SLOTS, slot % STAR_SLOTS);
        let gray = if star == CENTER_STAR { 2 } else { 1 };
        table[0][COSTS[0][position] as usize] |= 1 << slot;
        table[1][COSTS[gray][position] as usize] |= 1 << slot;
        slot += 1;
    }
    table
};

/// `TOUCHING[slot]`: the numbers in [`Feature::ALL`] of the one or two features at a slot; one past it for
/// none.
pub(super) const TOUCHING: [[usize; 2]; SLOTS] = {
    let mut table = [[Feature::ALL.len(); 2]; SLOTS];
    let mut slot = 0;
    while slot < SLOTS {
        let (mut found, mut i) = (0, 0);
        while i < Feature::ALL.len() {
            if Feature::ALL[i].slots >> slot & 1 == 1 {
                table[slot][found] = i;
                found += 1;
            }
            i += 1;
        }
        slot += 1;
    }
    table
};
