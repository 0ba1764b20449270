//! What a storage can still place if nothing more is acquired.

use azulejo::bits::positions;
use azulejo::queens_garden::{Board, KINDS, Kind, KindSet, PATTERNS, TileCounts};

/// What a garden gains by each kind, laid as a tile or as an expansion, on its best place; −∞ where there is
/// none.
pub(super) struct Gains {
    pub tiles: [f32; KINDS],
    pub expansions: [f32; KINDS],
}

/// Placements that a storage can pay, chosen one by one: always the one with the highest gain less its cost.
pub(super) struct Plan {
    /// What the garden gains by all of them.
    pub gain: f32,
    /// The values of the tiles and expansions that are left over.
    pub left: f32,
}

/// The places that a face-up expansion adds for tiles.
const EXPANSION_PLACES: u32 = 5;

impl Plan {
    /// The plan for a board. Payments take what would gain least itself, jokers last.
    pub(super) fn new(board: &Board, gains: &Gains) -> Self {
        let mut rest = Rest {
            tiles: board.tiles(),
            expansions: board.expansions(),
            jokers: board.jokers(),
            free: board.garden().free().count_ones(),
        };
        let mut gain = 0.0;
        while let Some((kind, as_tile)) = rest.best(gains) {
            let gains_of = if as_tile { &gains.tiles } else { &gains.expansions };
            gain += gains_of[kind.index()];
            rest.place(kind, as_tile, gains);
        }
        let tiles: u32 = rest.tiles.iter().map(|kind| u32::from(kind.value())).sum();
        let expansions: u32 = rest.expansions.iter().map(|kind| u32::from(kind.value())).sum();
        Plan { gain, left: (tiles + expansions) as f32 }
    }
}

/// What is left of a storage while a plan is made.
struct Rest {
    tiles: TileCounts,
    expansions: KindSet,
    jokers: u8,
    /// Free places of the garden.
    free: u32,
}

impl Rest {
    fn kinds(&self) -> KindSet {
        self.tiles.kinds() | self.expansions
    }

    /// The kind to be placed next, and whether as a tile.
    fn best(&self, gains: &Gains) -> Option<(Kind, bool)> {
        let kinds = self.kinds();
        let (colors, patterns) = (kinds.by_color(), kinds.by_pattern());
        let (mut best, mut highest) = (None, 0.0);
        let mut consider = |index: usize, gain: f32, as_tile: bool| {
            let line = colors.get(index / PATTERNS).max(patterns.get(index % PATTERNS));
            let value = (index % PATTERNS) as u8 + 1;
            let profit = gain - f32::from(value - 1);
            if value <= line + self.jokers && profit > highest {
                (best, highest) = (Some((Kind::from_index(index), as_tile)), profit);
            }
        };
        if self.free > 0 {
            positions(self.tiles.kinds().mask()).for_each(|index| consider(index, gains.tiles[index], true));
        }
        positions(self.expansions.mask()).for_each(|index| consider(index, gains.expansions[index], false));
        best
    }

    /// Takes a hexagon and its payment out of the storage.
    fn place(&mut self, kind: Kind, as_tile: bool, gains: &Gains) {
        self.take(kind, as_tile);
        self.free = if as_tile { self.free - 1 } else { self.free + EXPANSION_PLACES };
        let others = self.kinds() - KindSet::of(kind);
        let color = others & KindSet::of_color(kind.color());
        let pattern = others & KindSet::of_pattern(kind.pattern());
        let mut line = if color.len() >= pattern.len() { color } else { pattern };
        for _ in 1..kind.value() {
            let worth = |kind: &Kind| gains.tiles[kind.index()].max(gains.expansions[kind.index()]);
            match line.iter().min_by(|a, b| worth(a).total_cmp(&worth(b))) {
                Some(paid) => {
                    line -= KindSet::of(paid);
                    self.take(paid, self.tiles.kinds().contains(paid));
                }
                None => self.jokers -= 1,
            }
        }
    }

    fn take(&mut self, kind: Kind, as_tile: bool) {
        if as_tile {
            self.tiles -= TileCounts::of(kind);
        } else {
            self.expansions -= KindSet::of(kind);
        }
    }
}
