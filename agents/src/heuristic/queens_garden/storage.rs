//! What the contents of a storage are worth, and what payments cost.

use azulejo::bits::positions;
use azulejo::queens_garden::{
    Board, COLORS, KINDS, Kind, KindSet, PATTERNS, Pattern, QueensGardenRules, TileCounts,
};

use super::joker_worth;
use super::stage::Stage;
use super::weights::QueensGardenWeights;

/// The contents of a storage.
#[derive(Clone, Copy)]
pub(super) struct StoredItems {
    pub tiles: TileCounts,
    pub expansions: KindSet,
    pub jokers: u8,
}

impl StoredItems {
    pub(super) fn of(board: &Board) -> Self {
        StoredItems { tiles: board.tiles(), expansions: board.expansions(), jokers: board.jokers() }
    }

    /// The kinds of all tiles and expansions.
    #[inline]
    pub(super) fn kinds(&self) -> KindSet {
        self.tiles.kinds() | self.expansions
    }
}

/// What is gained, beyond what it costs, by placing each kind as a tile and as an expansion: 0 if it cannot
/// be laid.
pub(super) struct Surplus {
    pub tiles: [f32; KINDS],
    pub expansions: [f32; KINDS],
}

/// The worth of stored things at one stage of the game.
pub(super) struct StageWorth {
    pub surplus: Surplus,
    /// The worth of a joker.
    pub joker: f32,
    /// The usual price of a hexagon.
    item: f32,
    /// By value: the loss for an item that cannot be placed at all.
    waste: [f32; PATTERNS + 1],
    duplicate: f32,
    crowded: f32,
    roomy: f32,
    /// By the number of kinds in the longer of an item's two lines: its worth as payment.
    payment: [f32; PATTERNS + 1],
    /// By what a payment still lacks: the share of the surplus that counts.
    counted: [f32; PATTERNS + 1],
    /// By what a payment still lacks: the share of the waste that counts.
    wasted: [f32; PATTERNS + 1],
}

impl StageWorth {
    #[inline]
    pub(super) fn new(rules: &QueensGardenRules, weights: &QueensGardenWeights, stage: Stage) -> Self {
        let (item, waste) = (stage.pick(&weights.item), stage.pick(&weights.waste));
        let mut payment = [item; PATTERNS + 1];
        (payment[1], payment[2]) = (weights.lone * item, weights.pair * item);
        let (mut ready, lacking) = ([1.0; PATTERNS + 1], stage.pick(&weights.lacking));
        for lack in 1..=PATTERNS {
            ready[lack] = ready[lack - 1] * lacking;
        }
        StageWorth {
            surplus: Surplus { tiles: [0.0; KINDS], expansions: [0.0; KINDS] },
            joker: joker_worth(rules, weights, stage),
            item,
            waste: std::array::from_fn(|value| waste * value as f32),
            duplicate: weights.duplicate * item,
            crowded: weights.crowded,
            roomy: weights.roomy,
            payment,
            counted: ready.map(|ready| weights.placeable * ready),
            wasted: ready.map(|ready| 1.0 - ready),
        }
    }

    /// The gain of a placement beyond the payment that a hexagon of this value takes at the usual price.
    #[inline]
    pub(super) fn beyond_cost(&self, gain: f32, value: u8) -> f32 {
        (gain - self.item * f32::from(value)).max(0.0)
    }

    /// The worth of an item whose longer line has `line` kinds.
    #[inline(always)]
    fn item(&self, value: u8, line: u8, jokers: u8, surplus: f32) -> f32 {
        let lack = value.saturating_sub(line + jokers) as usize;
        self.payment[line as usize] + self.counted[lack] * surplus
            - self.waste[value as usize] * self.wasted[lack]
    }

    /// What it adds to the worth of a storage to put these tiles, `number` of them, and these expansions in;
    /// `worths` are those of its items.
    pub(super) fn gain(
        &self,
        stored: &StoredItems,
        worths: &Worths,
        (tiles, number): (KindSet, u8),
        expansions: KindSet,
    ) -> f32 {
        let old = stored.tiles.kinds();
        let kinds = old | stored.expansions | tiles | expansions;
        // Of the other items lines do not change.
        let touched = crossing((kinds - stored.kinds()).mask()) & !worths.content;
        let (colors, patterns) = (kinds.by_color(), kinds.by_pattern());
        let item = |index: usize, surplus: &[f32; KINDS]| {
            let line = colors.get(index / PATTERNS).max(patterns.get(index % PATTERNS));
            self.item((index % PATTERNS) as u8 + 1, line, stored.jokers, surplus[index])
        };
        let doubles = tiles & old;
        let mut gain = if doubles.is_empty() { 0.0 } else { self.duplicate * f32::from(doubles.len()) };
        for index in positions((tiles - old).mask()) {
            gain += item(index, &self.surplus.tiles);
        }
        for index in positions(expansions.mask()) {
            gain += item(index, &self.surplus.expansions);
        }
        for index in positions(old.mask() & touched) {
            gain += item(index, &self.surplus.tiles) - worths.tiles[index];
        }
        for index in positions(stored.expansions.mask() & touched) {
            gain += item(index, &self.surplus.expansions) - worths.expansions[index];
        }
        gain + self.crowding(worths.used) - self.crowding(worths.used + number)
    }

    /// What it adds to the worth of a storage to take one of its tiles or expansions out.
    pub(super) fn loss(&self, stored: &StoredItems, worths: &Worths, kind: Kind, as_tile: bool) -> f32 {
        let (worth, relief) = match as_tile {
            true => (worths.tile(stored, kind.index()), 1),
            false => (worths.expansions[kind.index()], 0),
        };
        self.crowding(worths.used) - self.crowding(worths.used - relief) - worth
    }

    /// The loss for so many spaces of the storage in use.
    #[inline]
    pub(super) fn crowding(&self, used: u8) -> f32 {
        self.crowded * (f32::from(used) - self.roomy).max(0.0)
    }
}

/// A line of so many kinds is as good as a longer one, for an item that it can pay.
const LONG: u8 = 3;

/// What each item of a storage is worth there.
pub(super) struct Worths {
    /// By kind, of the first tile.
    pub tiles: [f32; KINDS],
    pub expansions: [f32; KINDS],
    /// The worth of a further tile of the same kind.
    duplicate: f32,
    /// The kinds whose items gain nothing by longer lines.
    content: u64,
    /// The spaces in use.
    used: u8,
}

/// The kinds of the colors and of the patterns of these.
#[inline]
fn crossing(kinds: u64) -> u64 {
    /// The first kind of each color.
    const FIRSTS: u64 = KindSet::of_pattern(Pattern::Tree).mask();
    const COLOR: u64 = (1 << PATTERNS) - 1;
    let thirds = kinds | kinds >> 1 | kinds >> 2;
    let colors = (thirds | thirds >> 3) & FIRSTS;
    let halves = kinds | kinds >> (3 * PATTERNS);
    let patterns = (halves | halves >> PATTERNS | halves >> (2 * PATTERNS)) & COLOR;
    (colors * COLOR) | (patterns * FIRSTS)
}

impl Worths {
    /// Of an empty storage.
    pub(super) fn none() -> Self {
        Worths { tiles: [0.0; KINDS], expansions: [0.0; KINDS], duplicate: 0.0, content: 0, used: 0 }
    }

    /// Values the items of a storage.
    pub(super) fn update(&mut self, stage_worth: &StageWorth, stored: &StoredItems) {
        let (tiles, kinds) = (stored.tiles.kinds(), stored.kinds());
        let (colors, patterns) = (kinds.by_color(), kinds.by_pattern());
        (self.duplicate, self.content) = (stage_worth.duplicate, 0);
        self.used = stored.tiles.total() + stored.jokers;
        for index in positions(kinds.mask()) {
            let line = colors.get(index / PATTERNS).max(patterns.get(index % PATTERNS));
            let value = (index % PATTERNS) as u8 + 1;
            if tiles.mask() >> index & 1 != 0 {
                self.tiles[index] =
                    stage_worth.item(value, line, stored.jokers, stage_worth.surplus.tiles[index]);
            }
            if stored.expansions.mask() >> index & 1 != 0 {
                self.expansions[index] =
                    stage_worth.item(value, line, stored.jokers, stage_worth.surplus.expansions[index]);
            }
            let enough = line >= LONG && line + stored.jokers >= value;
            self.content |= u64::from(enough) << index;
        }
    }

    /// What it costs to pay a kind, and whether the tile is the cheaper thing to pay it with.
    #[inline]
    fn cost(&self, stored: &StoredItems, kind: usize) -> f32 {
        let tile = stored.tiles.kinds().mask() >> kind & 1 != 0;
        let expansion = stored.expansions.mask() >> kind & 1 != 0;
        match (tile, expansion) {
            (true, true) => self.tile(stored, kind).min(self.expansions[kind]),
            (true, false) => self.tile(stored, kind),
            _ => self.expansions[kind],
        }
    }

    /// The worth of one of the tiles of a kind: of several, one is a duplicate.
    #[inline]
    pub(super) fn tile(&self, stored: &StoredItems, kind: usize) -> f32 {
        if stored.tiles.count(Kind::from_index(kind)) > 1 { self.duplicate } else { self.tiles[kind] }
    }

    /// The least that it costs to pay `owed` things with different kinds out of `kinds` and with jokers;
    /// `None` if there are too few.
    #[inline]
    pub(super) fn cheapest(&self, stored: &StoredItems, kinds: u64, owed: u8, joker: f32) -> Option<f32> {
        if kinds.count_ones() + u32::from(stored.jokers) < owed.into() {
            return None;
        }
        let (mut costs, mut len) = ([f32::INFINITY; PATTERNS], 0);
        for kind in positions(kinds) {
            costs[len] = self.cost(stored, kind);
            len += 1;
        }
        sort(&mut costs);
        let (mut total, mut used, mut jokers) = (0.0, 0, stored.jokers);
        for _ in 0..owed {
            if used < len && (jokers == 0 || costs[used] <= joker) {
                total += costs[used];
                used += 1;
            } else {
                total += joker;
                jokers -= 1;
            }
        }
        Some(total)
    }

    /// The least that it costs to pay for placing a kind, the placed hexagon not counted; `None` if it cannot
    /// be paid.
    #[inline]
    pub(super) fn payment(&self, stored: &StoredItems, placed: Kind, joker: f32) -> Option<f32> {
        let owed = placed.value() - 1;
        if owed == 0 {
            return Some(0.0);
        }
        let others = stored.kinds() - KindSet::of(placed);
        let lines = [KindSet::of_color(placed.color()), KindSet::of_pattern(placed.pattern())];
        let ways = lines.map(|line| self.cheapest(stored, (others & line).mask(), owed, joker));
        match ways {
            [Some(a), Some(b)] => Some(a.min(b)),
            [a, b] => a.or(b),
        }
    }
}

/// Sorts six numbers by a network of exchanges, without branches: which is less cannot be predicted.
#[inline]
pub(super) fn sort(numbers: &mut [f32; 6]) {
    const EXCHANGES: [(usize, usize); 12] =
        [(0, 5), (1, 3), (2, 4), (1, 2), (3, 4), (0, 3), (2, 5), (0, 1), (2, 3), (4, 5), (1, 2), (3, 4)];
    for (low, high) in EXCHANGES {
        let (a, b) = (numbers[low], numbers[high]);
        (numbers[low], numbers[high]) = if b < a { (b, a) } else { (a, b) };
    }
}

const _: () = assert!(COLORS == PATTERNS, "a payment has at most as many kinds as a line");
