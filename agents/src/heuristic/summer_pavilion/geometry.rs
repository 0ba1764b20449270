//! The board as the evaluation reads it: tables by slots, by rings of filled slots and by features.

use azulejo::summer_pavilion::{BoardSide, CENTER_STAR, Feature, SLOTS, STAR_SLOTS, STARS};

/// A star with all slots filled, bit `p` for position `p`.
pub(super) const FULL: usize = (1 << STAR_SLOTS) - 1;

/// The stars, or a star's positions, with room up to a power of two: a mask keeps an index inside.
pub(super) const STAR_PLACES: usize = STARS.next_power_of_two();

/// The three ways in which a star's slots cost: colored side, gray outer stars, gray center.
pub(super) const COSTS: [[u8; STAR_PLACES]; 3] =
    [[1, 2, 3, 4, 5, 6, 0, 0], [3, 2, 1, 4, 5, 6, 0, 0], [3, 3, 3, 3, 3, 3, 0, 0]];

/// `PAYABLE[layout][purse]`: the positions that cost no more than so many tiles, 0 to 6.
pub(super) const PAYABLE: [[u8; STAR_SLOTS + 1]; 3] = {
    let mut table = [[0; STAR_SLOTS + 1]; 3];
    let mut i = 0;
    while i < 3 * (STAR_SLOTS + 1) * STAR_SLOTS {
        let (layout, purse, position) = (i / 6 / (STAR_SLOTS + 1), i / 6 % (STAR_SLOTS + 1), i % 6);
        if COSTS[layout][position] as usize <= purse {
            table[layout][purse] |= 1 << position;
        }
        i += 1;
    }
    table
};

/// `RUN[ring][position]`: the length of the run through a position of a ring of 6 slots once it is filled.
const RUN: [[u8; STAR_SLOTS]; FULL + 1] = {
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

/// `RUN_AND_LOST[ring][position]`: the points of the run through a free position of a star once it is filled, and those
/// that can then no longer be scored.
pub(super) const RUN_AND_LOST: [[[f32; 2]; STAR_PLACES]; FULL + 1] = {
    let mut table = [[[0.0; 2]; STAR_PLACES]; FULL + 1];
    let mut i = 0;
    while i < (FULL + 1) * STAR_SLOTS {
        let (ring, position) = (i / STAR_SLOTS, i % STAR_SLOTS);
        if ring >> position & 1 == 0 {
            let run = RUN[ring][position];
            table[ring][position] = [run as f32, (MOST[ring] - MOST[ring | 1 << position] - run) as f32];
        }
        i += 1;
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
        table[0][PRINTED[0][slot] as usize] |= 1 << slot;
        table[1][PRINTED[1][slot] as usize] |= 1 << slot;
        slot += 1;
    }
    table
};

/// `PRINTED[side][slot]`: the printed cost of each slot, by [`Slot::index`].
pub(super) const PRINTED: [[u8; SLOTS]; 2] = {
    let mut table = [[0; SLOTS]; 2];
    let mut slot = 0;
    while slot < SLOTS {
        let (star, position) = (slot / STAR_SLOTS, slot % STAR_SLOTS);
        table[0][slot] = COSTS[0][position];
        table[1][slot] = COSTS[if star == CENTER_STAR { 2 } else { 1 }][position];
        slot += 1;
    }
    table
};

/// `FEATURE_STARS[feature]`: the stars whose slots surround each of [`Feature::ALL`].
pub(super) const FEATURE_STARS: [u8; Feature::ALL.len()] = {
    let mut table = [0; Feature::ALL.len()];
    let mut i = 0;
    while i < Feature::ALL.len() * SLOTS {
        let (feature, slot) = (i / SLOTS, i % SLOTS);
        if Feature::ALL[feature].slots >> slot & 1 == 1 {
            table[feature] |= 1 << (slot / STAR_SLOTS);
        }
        i += 1;
    }
    table
};

/// `TOUCHING[star][position]`: the numbers in [`Feature::ALL`] of the one or two features at a slot; one past it for
/// none.
pub(super) const TOUCHING: [[[u8; 2]; STAR_PLACES]; STAR_PLACES] = {
    let mut table = [[[Feature::ALL.len() as u8; 2]; STAR_PLACES]; STAR_PLACES];
    let mut slot = 0;
    while slot < SLOTS {
        let (mut found, mut i) = (0, 0);
        while i < Feature::ALL.len() {
            if Feature::ALL[i].slots >> slot & 1 == 1 {
                table[slot / STAR_SLOTS][slot % STAR_SLOTS][found] = i as u8;
                found += 1;
            }
            i += 1;
        }
        slot += 1;
    }
    table
};
