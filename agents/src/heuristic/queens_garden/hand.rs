//! What the contents of a storage are worth, and what payments cost.

use azulejo::queens_garden::{Board, COLORS, KINDS, Kind, KindSet, PATTERNS, TileCounts};

use super::ground::bits;
use super::stage::Stage;
use super::weights::QueensGardenWeights;

/// The contents of a storage.
#[derive(Clone, Copy)]
pub(super) struct Hand {
    pub tiles: TileCounts,
    pub expansions: KindSet,
    pub jokers: u8,
}

impl Hand {
    pub fn of(board: &Board) -> Self {
        Hand { tiles: board.tiles(), expansions: board.expansions(), jokers: board.jokers() }
    }

    /// The kinds of all tiles and expansions.
    #[inline]
    pub fn kinds(&self) -> KindSet {
        self.tiles.kinds() | self.expansions
    }
}

/// What is gained, beyond what it costs, by placing each kind as a tile and as an expansion: 0 if it cannot be laid.
pub(super) struct Surplus {
    pub tiles: [f32; KINDS],
    pub expansions: [f32; KINDS],
}

/// The worth of stored things at one stage of the game.
pub(super) struct Purse {
    pub surplus: Surplus,
    /// The worth of a joker.
    pub joker: f32,
    /// The usual price of a hexagon.
    item: f32,
    waste: f32,
    placeable: f32,
    duplicate: f32,
    crowded: f32,
    roomy: f32,
    /// By the number of kinds in the longer of an item's two lines: its worth as payment.
    payment: [f32; PATTERNS + 1],
    /// By what a payment still lacks: the share of the surplus that counts.
    ready: [f32; PATTERNS + 1],
}

impl Purse {
    pub fn new(weights: &QueensGardenWeights, stage: Stage) -> Self {
        let item = stage.pick(&weights.item);
        let mut payment = [item; PATTERNS + 1];
        (payment[1], payment[2]) = (weights.lone * item, weights.pair * item);
        let (mut ready, lacking) = ([1.0; PATTERNS + 1], stage.pick(&weights.lacking));
        for lack in 1..=PATTERNS {
            ready[lack] = ready[lack - 1] * lacking;
        }
        Purse {
            surplus: Surplus { tiles: [0.0; KINDS], expansions: [0.0; KINDS] },
            joker: stage.pick(&weights.joker),
            item,
            waste: stage.pick(&weights.waste),
            placeable: weights.placeable,
            duplicate: weights.duplicate * item,
            crowded: weights.crowded,
            roomy: weights.roomy,
            payment,
            ready,
        }
    }

    /// The gain of a placement beyond the payment that a hexagon of this value takes at the usual price.
    #[inline]
    pub fn beyond_cost(&self, gain: f32, value: u8) -> f32 {
        (gain - self.item * f32::from(value)).max(0.0)
    }

    /// The worth of an item whose longer line has `line` kinds.
    #[inline(always)]
    fn item(&self, value: u8, line: u8, jokers: u8, surplus: f32) -> f32 {
        let ready = self.ready[value.saturating_sub(line + jokers) as usize];
        self.payment[line as usize] + self.placeable * ready * surplus
            - self.waste * f32::from(value) * (1.0 - ready)
    }

    /// The worth of each item of a storage.
    pub fn worths(&self, hand: &Hand) -> Worths {
        let kinds = hand.kinds();
        let (colors, patterns) = (kinds.by_color(), kinds.by_pattern());
        let mut worths = Worths { tiles: [0.0; KINDS], expansions: [0.0; KINDS], duplicate: self.duplicate };
        for index in bits(kinds.mask()) {
            let line = colors.get(index / PATTERNS).max(patterns.get(index % PATTERNS));
            let value = (index % PATTERNS) as u8 + 1;
            worths.tiles[index] = self.item(value, line, hand.jokers, self.surplus.tiles[index]);
            worths.expansions[index] = self.item(value, line, hand.jokers, self.surplus.expansions[index]);
        }
        worths
    }

    /// The kinds of a storage whose items gain nothing by longer lines.
    pub fn content(&self, hand: &Hand) -> u64 {
        let kinds = hand.kinds();
        let (colors, patterns) = (kinds.by_color(), kinds.by_pattern());
        bits(kinds.mask()).fold(0, |all, index| {
            let line = colors.get(index / PATTERNS).max(patterns.get(index % PATTERNS));
            let enough = line >= LONG && line + hand.jokers > (index % PATTERNS) as u8;
            all | u64::from(enough) << index
        })
    }

    /// What it adds to the worth of a storage to put these tiles and expansions in; `worths` are those of its items
    /// and `content` those that gain nothing by longer lines.
    pub fn gain(
        &self,
        hand: &Hand,
        worths: &Worths,
        content: u64,
        tiles: KindSet,
        expansions: KindSet,
    ) -> f32 {
        let old = hand.tiles.kinds();
        let kinds = old | hand.expansions | tiles | expansions;
        let (colors, patterns) = (kinds.by_color(), kinds.by_pattern());
        let item = |index: usize, surplus: &[f32; KINDS]| {
            let line = colors.get(index / PATTERNS).max(patterns.get(index % PATTERNS));
            self.item((index % PATTERNS) as u8 + 1, line, hand.jokers, surplus[index])
        };
        let mut gain = self.duplicate * f32::from((tiles & old).len());
        for index in bits((tiles - old).mask()) {
            gain += item(index, &self.surplus.tiles);
        }
        for index in bits(expansions.mask()) {
            gain += item(index, &self.surplus.expansions);
        }
        for index in bits(old.mask() & !content) {
            gain += item(index, &self.surplus.tiles) - worths.tiles[index];
        }
        for index in bits(hand.expansions.mask() & !content) {
            gain += item(index, &self.surplus.expansions) - worths.expansions[index];
        }
        let used = hand.tiles.total() + hand.jokers;
        gain + self.crowding(used) - self.crowding(used + tiles.len())
    }

    /// What it adds to the worth of a storage to take one of its tiles or expansions out.
    pub fn loss(&self, hand: &Hand, worths: &Worths, kind: Kind, as_tile: bool) -> f32 {
        let used = hand.tiles.total() + hand.jokers;
        let (worth, relief) = match as_tile {
            true => (worths.tile(hand, kind.index()), 1),
            false => (worths.expansions[kind.index()], 0),
        };
        self.crowding(used) - self.crowding(used - relief) - worth
    }

    /// The loss for so many spaces of the storage in use.
    #[inline]
    pub fn crowding(&self, used: u8) -> f32 {
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
}

impl Worths {
    /// The worth of a further tile of the same kind.
    pub fn duplicate(&self) -> f32 {
        self.duplicate
    }

    /// What it costs to pay a kind, and whether the tile is the cheaper thing to pay it with.
    #[inline]
    fn cost(&self, hand: &Hand, kind: usize) -> f32 {
        let tile = hand.tiles.kinds().mask() >> kind & 1 != 0;
        let expansion = hand.expansions.mask() >> kind & 1 != 0;
        match (tile, expansion) {
            (true, true) => self.tile(hand, kind).min(self.expansions[kind]),
            (true, false) => self.tile(hand, kind),
            _ => self.expansions[kind],
        }
    }

    /// The worth of one of the tiles of a kind: of several, one is a duplicate.
    #[inline]
    pub fn tile(&self, hand: &Hand, kind: usize) -> f32 {
        if hand.tiles.count(Kind::from_index(kind)) > 1 { self.duplicate } else { self.tiles[kind] }
    }

    /// The least that it costs to pay `owed` things with different kinds out of `kinds` and with jokers; `None` if
    /// there are too few.
    #[inline]
    pub fn cheapest(&self, hand: &Hand, kinds: u64, owed: u8, joker: f32) -> Option<f32> {
        if kinds.count_ones() + u32::from(hand.jokers) < owed.into() {
            return None;
        }
        let (mut costs, mut len) = ([0.0; PATTERNS], 0);
        for kind in bits(kinds) {
            let cost = self.cost(hand, kind);
            let mut at = len;
            while at > 0 && costs[at - 1] > cost {
                costs[at] = costs[at - 1];
                at -= 1;
            }
            costs[at] = cost;
            len += 1;
        }
        let (mut total, mut used, mut jokers) = (0.0, 0, hand.jokers);
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

    /// The least that it costs to pay for placing a kind, the placed hexagon not counted; `None` if it cannot be paid.
    #[inline]
    pub fn payment(&self, hand: &Hand, placed: Kind, joker: f32) -> Option<f32> {
        let owed = placed.value() - 1;
        if owed == 0 {
            return Some(0.0);
        }
        let others = hand.kinds() - KindSet::of(placed);
        let lines = [KindSet::of_color(placed.color()), KindSet::of_pattern(placed.pattern())];
        let ways = lines.map(|line| self.cheapest(hand, (others & line).mask(), owed, joker));
        match ways {
            [Some(a), Some(b)] => Some(a.min(b)),
            [a, b] => a.or(b),
        }
    }
}

const _: () = assert!(COLORS == PATTERNS, "a payment has at most as many kinds as a line");
