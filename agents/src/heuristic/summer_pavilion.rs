//! The hand-made evaluation of Summer Pavilion.

use azulejo::summer_pavilion::{
    Action, Board, BoardSide, CENTER, CENTER_STAR, COLORS, Color, Feature, SLOTS, STAR_SLOTS, Slot,
    SummerPavilion, SummerPavilionRules,
};
use azulejo::tiles::Tiles;
use azulejo::{Game, Generator, Turn};
use serde::{Deserialize, Serialize};

use super::{Heuristic, best_index};

/// Weights of Summer Pavilion's one-ply evaluation, in points unless another unit is named.
///
/// Pairs that end in `_early` and `_late` are the values in the first and in the last round; between them the
/// value changes evenly from round to round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SummerPavilionWeights {
    /// Factor on the points of a complete star. A star that lacks *m* tiles of those it may still get, *g*, counts
    /// (1 − *m* / *g*)² of it.
    pub star: f32,
    /// Tiles: how many of one color are expected to come in each later round.
    pub reach: f32,
    /// Tiles: the same for a star of different colors.
    pub mixed_reach: f32,
    /// Factor on the points of runs that a star can no longer give because tiles were laid apart.
    pub apart: f32,
    /// Factor on the points of a complete number. A number that lacks *m* slots of those that may still be filled,
    /// *g*, counts (1 − *m* / *g*)² of it.
    pub number: f32,
    /// Slots of one number that can be filled in this round.
    pub number_now: f32,
    /// Slots of one number that can be filled in each later round.
    pub number_reach: f32,
    /// Worth of a bonus tile in the first round.
    pub bonus_early: f32,
    /// Worth of a bonus tile in the last round.
    pub bonus_late: f32,
    /// Worth of a feature that is nearly complete as a share of a complete one; *m* of *n* slots count (*m* / *n*)²
    /// of it.
    pub feature: f32,
    /// Worth in the hand of a tile to be spent, in the first round.
    pub tile_early: f32,
    /// Worth in the hand of a tile to be spent, in the last round.
    pub tile_late: f32,
    /// How much more a wild tile is worth.
    pub wild: f32,
    /// How much more a tile of the next round's wild color is worth.
    pub next_wild: f32,
    /// Worth of a tile kept for the next round.
    pub keep: f32,
    /// How much more a kept tile is worth that will be wild.
    pub keep_wild: f32,
    /// Factor on the points of runs that tiles acquired can give.
    pub draft_run: f32,
    /// Factor on what tiles acquired bring a star nearer to its points.
    pub draft_star: f32,
    /// Worth of any tile acquired.
    pub draft_tile: f32,
    /// Worth of a wild tile acquired.
    pub draft_wild: f32,
    /// How much more a tile acquired is worth that will be wild in the next round.
    pub draft_next: f32,
    /// How much more tiles acquired are worth of a color that the center star lacks.
    pub draft_center: f32,
    /// Worth of the start player token.
    pub token: f32,
}

impl Default for SummerPavilionWeights {
    fn default() -> Self {
        SummerPavilionWeights {
            star: 1.0,
            reach: 3.0,
            mixed_reach: 4.0,
            apart: 0.5,
            number: 1.0,
            number_now: 2.0,
            number_reach: 2.0,
            bonus_early: 1.7,
            bonus_late: 1.2,
            feature: 0.5,
            tile_early: 1.2,
            tile_late: 0.8,
            wild: 0.5,
            next_wild: 0.7,
            keep: 1.2,
            keep_wild: 0.8,
            draft_run: 0.5,
            draft_star: 1.0,
            draft_tile: 1.0,
            draft_wild: 2.0,
            draft_next: 0.5,
            draft_center: 0.5,
            token: 0.5,
        }
    }
}

impl Heuristic for SummerPavilion {
    type Weights = SummerPavilionWeights;

    fn rate_actions(&self, weights: &SummerPavilionWeights, actions: &[Action], ratings: &mut Vec<f32>) {
        ratings.clear();
        let Some(rater) = Rater::new(self, weights) else { return };
        let placer = Placer::new(&rater);
        ratings.extend(actions.iter().map(|&action| match action {
            Action::Acquire { source, color } => rater.acquisition(source.into(), color),
            Action::Place { slot, color, wilds } => {
                let own = self.rules().side.cost(slot) - wilds;
                placer.gain(slot, color) - placer.price(color, own, wilds)
            }
            Action::Bonus(color) => rater.draft(color.index(), 1),
            Action::Pass => placer.pass(),
            Action::Keep(color) => rater.keep(color),
            Action::Done => rater.done(),
        }));
    }

    fn best_action(
        &self,
        weights: &SummerPavilionWeights,
        rng: &mut Generator,
        actions: &mut Vec<Action>,
        ratings: &mut Vec<f32>,
    ) -> Action {
        self.legal_actions(actions);
        self.rate_actions(weights, actions, ratings);
        actions[best_index(ratings, rng)]
    }
}

/// A star with all slots filled, bit `p` for position `p`.
const FULL: usize = (1 << STAR_SLOTS) - 1;
/// The tiles that a whole star costs: 21 at most.
const STAR_COST: usize = 21;

/// The three ways in which a star's slots cost: colored side, gray outer stars, gray center.
const COSTS: [[u8; STAR_SLOTS]; 3] = [[1, 2, 3, 4, 5, 6], [3, 2, 1, 4, 5, 6], [3; STAR_SLOTS]];

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

/// `RUNS[layout][ring][tiles]`: the most points that so many tiles can still score in a star.
const RUNS: [[[u8; STAR_COST + 1]; FULL + 1]; 3] = {
    let mut table = [[[0; STAR_COST + 1]; FULL + 1]; 3];
    let mut layout = 0;
    while layout < 3 {
        let mut ring = FULL;
        while ring > 0 {
            ring -= 1;
            let mut position = 0;
            while position < STAR_SLOTS {
                let mut tiles = COSTS[layout][position] as usize;
                while ring >> position & 1 == 0 && tiles <= STAR_COST {
                    let rest = tiles - COSTS[layout][position] as usize;
                    let points = RUN[ring][position] + table[layout][ring | 1 << position][rest];
                    if points > table[layout][ring][tiles] {
                        table[layout][ring][tiles] = points;
                    }
                    tiles += 1;
                }
                position += 1;
            }
        }
        layout += 1;
    }
    table
};

/// `MISSING[layout][ring]`: the tiles that the free slots of a star cost together.
const MISSING: [[u8; FULL + 1]; 3] = {
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
fn layout_of(side: BoardSide, star: usize) -> usize {
    match (side, star) {
        (BoardSide::Colored, _) => 0,
        (BoardSide::Gray, CENTER_STAR) => 2,
        (BoardSide::Gray, _) => 1,
    }
}

/// `NUMBERS[side][cost]`: the slots of each printed cost, bit [`Slot::index`].
const NUMBERS: [[u64; STAR_SLOTS + 1]; 2] = {
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

/// `TOUCHING[slot]`: the numbers in [`Feature::ALL`] of the one or two features at a slot; one past it for none.
const TOUCHING: [[usize; 2]; SLOTS] = {
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

/// What a star is to become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// All tiles of this color (its number).
    Plain(usize),
    /// All tiles different.
    Mixed,
    /// Not decided yet.
    Open,
}

/// What rating any action of the player to move needs to know.
struct Rater<'a> {
    state: &'a SummerPavilion,
    rules: &'static SummerPavilionRules,
    board: &'a Board,
    weights: &'a SummerPavilionWeights,
    wild: usize,
    /// The color that will be wild in the next round, if there is one.
    next_wild: Option<usize>,
    /// The rounds that follow this one.
    left: f32,
    /// 1 in the first round, 0 in the last.
    early: f32,
}

impl<'a> Rater<'a> {
    #[inline]
    fn new(state: &'a SummerPavilion, weights: &'a SummerPavilionWeights) -> Option<Self> {
        let Turn::Player(seat) = state.turn() else { return None };
        let rules = state.rules();
        let round = state.round() as u8;
        let left = rules.rounds - round;
        Some(Rater {
            state,
            rules,
            board: state.board(seat),
            weights,
            wild: state.wild().index(),
            next_wild: (left > 0).then(|| rules.wild(round + 1).index()),
            left: left.into(),
            early: f32::from(left) / f32::from(rules.rounds.max(2) - 1),
        })
    }

    #[inline]
    fn ring(&self, star: usize) -> usize {
        FULL & !usize::from(self.board.free(star))
    }

    #[inline]
    fn between(&self, early: f32, late: f32) -> f32 {
        late + (early - late) * self.early
    }

    /// What a star is to become, as things lie.
    #[inline]
    fn kind(&self, star: usize) -> Kind {
        if self.rules.side == BoardSide::Colored {
            return if star == CENTER_STAR { Kind::Mixed } else { Kind::Plain(star) };
        }
        if self.ring(star).count_ones() < 2 {
            return Kind::Open;
        }
        let colors = self.board.colors_on(star);
        if colors & (colors - 1) == 0 { Kind::Plain(colors.trailing_zeros() as usize) } else { Kind::Mixed }
    }

    /// What a star becomes, or stays, with one more tile.
    #[inline]
    fn kind_with(&self, star: usize, color: usize) -> Kind {
        match self.kind(star) {
            Kind::Open => {
                let colors = self.board.colors_on(star);
                if colors == 0 || colors == 1 << color { Kind::Plain(color) } else { Kind::Mixed }
            }
            kind => kind,
        }
    }

    /// The worth of a star's points when it lacks `missing` tiles of `reach` that may still come.
    #[inline]
    fn star_worth(&self, kind: Kind, missing: f32, reach: f32) -> f32 {
        let points = match kind {
            Kind::Plain(color) => self.rules.star_points[color],
            Kind::Mixed => self.rules.mixed_star_points,
            Kind::Open => return 0.0,
        };
        if missing >= reach && missing > 0.0 {
            return 0.0;
        }
        let share = if missing > 0.0 { 1.0 - missing / reach } else { 1.0 };
        f32::from(points) * share * share
    }

    /// The star in which tiles of a color are most at home.
    #[inline]
    fn home(&self, color: usize) -> Option<usize> {
        if self.rules.side == BoardSide::Colored {
            return (self.board.free(color) != 0).then_some(color);
        }
        let mut best = None;
        let mut filled = 0;
        for star in 0..CENTER_STAR {
            let ring = self.ring(star);
            if ring == FULL || self.board.accepted(star) >> color & 1 == 0 {
                continue;
            }
            let fits = match self.kind_with(star, color) {
                Kind::Plain(_) => 1 + ring.count_ones(),
                _ => 0,
            };
            if fits > filled {
                (best, filled) = (Some(star), fits);
            }
        }
        best
    }

    /// The gain of `count` tiles of a color in the hand.
    fn draft(&self, color: usize, count: u8) -> f32 {
        let weights = self.weights;
        if color == self.wild {
            return weights.draft_wild * f32::from(count);
        }
        let hand = self.board.hand();
        let held = hand.count(color);
        let mut gain = weights.draft_tile * f32::from(count);
        if let Some(star) = self.home(color) {
            let (layout, ring) = (layout_of(self.rules.side, star), self.ring(star));
            let runs = &RUNS[layout][ring];
            let at = |tiles: u8| runs[usize::from(tiles).min(STAR_COST)];
            gain += weights.draft_run * f32::from(at(held + count) - at(held));
            let missing = f32::from(MISSING[layout][ring]);
            let reach = weights.reach * (self.left + 0.5);
            let kind = Kind::Plain(color);
            let worth = |tiles: u8| self.star_worth(kind, missing - f32::from(tiles), reach);
            gain += weights.draft_star * (worth(held + count) - worth(held));
        }
        if self.board.accepted(CENTER_STAR) >> color & 1 == 1 && self.board.free(CENTER_STAR) != 0 {
            gain += weights.draft_center;
        }
        if self.next_wild == Some(color) {
            let keep = self.rules.keep_limit;
            gain += weights.draft_next * f32::from((held + count).min(keep) - held.min(keep));
        }
        gain
    }

    fn acquisition(&self, source: usize, color: Color) -> f32 {
        let tiles = self.state.source(source);
        let wilds = tiles.count(self.wild).min(1);
        let color = color.index();
        let (own, mut gain) = if color == self.wild {
            (0, 0.0)
        } else {
            (tiles.count(color), self.draft(color, tiles.count(color)))
        };
        gain += self.weights.draft_wild * f32::from(wilds);
        if source == CENTER && self.state.token().is_none() {
            gain += self.weights.token + f32::from(self.rules.center_penalty) * f32::from(own + wilds);
        }
        gain
    }

    /// The worth of one tile of a color in the next round.
    #[inline]
    fn kept_worth(&self, color: usize) -> f32 {
        match self.next_wild {
            None => f32::from(self.rules.kept_penalty) - 1.0,
            Some(wild) if wild == color => self.weights.keep + self.weights.keep_wild,
            Some(_) if self.home(color).is_some() => self.weights.keep,
            Some(_) => 0.5 * self.weights.keep,
        }
    }

    /// The worth of a hand of which up to `limit` tiles are kept and the rest is discarded.
    fn kept_hand(&self, hand: Tiles, limit: u8) -> f32 {
        let discard = f32::from(self.rules.discard_penalty);
        let mut worth = discard * f32::from(hand.total());
        if self.next_wild.is_none() {
            return worth;
        }
        let mut counts: [(f32, u8); COLORS] =
            std::array::from_fn(|color| (self.kept_worth(color), hand.count(color)));
        let mut limit = limit;
        while limit > 0 {
            let mut best = 0;
            for i in 1..COLORS {
                if counts[i].1 > 0 && (counts[best].1 == 0 || counts[i].0 > counts[best].0) {
                    best = i;
                }
            }
            let taken = counts[best].1.min(limit);
            if taken == 0 {
                break;
            }
            worth += (counts[best].0 - discard).max(0.0) * f32::from(taken);
            counts[best].1 -= taken;
            limit -= taken;
        }
        worth
    }

    fn keep(&self, color: Color) -> f32 {
        let (hand, kept) = (self.board.hand(), self.board.kept());
        let limit = self.rules.keep_limit - kept.total() - 1;
        let rest = hand - Tiles::of(color.index(), 1);
        let lower = rest - rest.kinds_from(color.index());
        let discard = f32::from(self.rules.discard_penalty);
        self.kept_worth(color.index())
            + discard * f32::from(lower.total())
            + self.kept_hand(rest.kinds_from(color.index()), limit)
    }

    fn done(&self) -> f32 {
        f32::from(self.rules.discard_penalty) * f32::from(self.board.hand().total())
    }
}

/// What rating placements needs to know.
struct Placer<'a> {
    rater: &'a Rater<'a>,
    /// What one more slot of each printed cost adds.
    number_step: [f32; STAR_SLOTS + 1],
    /// The worth of a tile of each color while it can be spent.
    prices: [f32; COLORS],
    bonus: f32,
}

impl<'a> Placer<'a> {
    fn new(rater: &'a Rater<'a>) -> Self {
        let weights = rater.weights;
        let tile = rater.between(weights.tile_early, weights.tile_late);
        let mut prices = [tile; COLORS];
        prices[rater.wild] += weights.wild;
        if let Some(next) = rater.next_wild {
            prices[next] += weights.next_wild;
        }
        let span = weights.number_now + weights.number_reach * rater.left;
        let side = match rater.rules.side {
            BoardSide::Colored => 0,
            BoardSide::Gray => 1,
        };
        let mut number_step = [0.0; STAR_SLOTS + 1];
        for (i, &points) in rater.rules.number_points.iter().enumerate() {
            if points != 0 {
                let missing = (NUMBERS[side][i + 1] & !rater.board.filled()).count_ones() as f32;
                let share = |missing: f32| {
                    let share = if missing <= 0.0 { 1.0 } else { (1.0 - missing / span).max(0.0) };
                    share * share
                };
                number_step[i + 1] =
                    weights.number * f32::from(points) * (share(missing - 1.0) - share(missing));
            }
        }
        let bonus = rater.between(weights.bonus_early, weights.bonus_late);
        Placer { rater, number_step, prices, bonus }
    }

    #[inline]
    fn price(&self, color: Color, own: u8, wilds: u8) -> f32 {
        self.prices[color.index()] * f32::from(own) + self.prices[self.rater.wild] * f32::from(wilds)
    }

    /// What a tile on a slot gains, without what is paid for it.
    fn gain(&self, slot: Slot, color: Color) -> f32 {
        let rater = self.rater;
        let (star, position) = (slot.star(), slot.position());
        let (layout, ring) = (layout_of(rater.rules.side, star), rater.ring(star));
        let (cost, after) = (COSTS[layout][position], ring | 1 << position);
        let run = RUN[ring][position];
        let (total, total_after) = (RUNS[layout][ring][STAR_COST], RUNS[layout][after][STAR_COST]);
        let lost = total - total_after - run;
        f32::from(run) - rater.weights.apart * f32::from(lost)
            + rater.weights.star * self.star_gain(star, color.index(), layout, ring, cost)
            + self.number_step[cost as usize]
            + self.feature_gain(slot)
    }

    #[inline]
    fn star_gain(&self, star: usize, color: usize, layout: usize, ring: usize, cost: u8) -> f32 {
        let rater = self.rater;
        let kind = rater.kind_with(star, color);
        let hand = rater.board.hand();
        let reach = match kind {
            Kind::Plain(color) => {
                let wilds = if color == rater.wild { 0 } else { hand.count(rater.wild) };
                f32::from(hand.count(color) + wilds) + rater.weights.reach * rater.left
            }
            _ => 0.5 * f32::from(hand.total()) + rater.weights.mixed_reach * rater.left,
        };
        let missing = f32::from(MISSING[layout][ring]);
        let cost = f32::from(cost);
        rater.star_worth(kind, missing - cost, reach - cost)
            - rater.star_worth(rater.kind(star), missing, reach)
    }

    fn feature_gain(&self, slot: Slot) -> f32 {
        let filled = self.rater.board.filled();
        let mut gain = 0.0;
        for index in TOUCHING[slot.index()] {
            let Some(feature) = Feature::ALL.get(index) else { break };
            let size = feature.slots.count_ones() as f32;
            let done = (feature.slots & filled).count_ones() as f32;
            let part = |done: f32| {
                if done == size { 1.0 } else { self.rater.weights.feature * (done / size) * (done / size) }
            };
            let tiles = f32::from(self.rater.rules.bonus_tiles(feature.kind));
            gain += tiles * self.bonus * (part(done + 1.0) - part(done));
        }
        gain
    }

    /// What changes when all tiles in the hand are kept or discarded instead of spent.
    fn pass(&self) -> f32 {
        let hand = self.rater.board.hand();
        let spendable: f32 = hand.iter().map(|(color, count)| self.prices[color] * f32::from(count)).sum();
        self.rater.kept_hand(hand, self.rater.rules.keep_limit) - spendable
    }
}
