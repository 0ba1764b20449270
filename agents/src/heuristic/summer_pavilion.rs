//! The hand-made evaluation of Summer Pavilion.

use azulejo::summer_pavilion::{
    Action, Board, BoardSide, CENTER, CENTER_STAR, COLORS, Color, Feature, FeatureKind, Phase, SLOTS,
    STAR_SLOTS, STARS, Slot, SummerPavilion, SummerPavilionRules,
};
use azulejo::tiles::Tiles;
use azulejo::{Game, Generator, Seat, Turn};
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
    /// The worth of tiles of a color whose star is full, as a share of others'.
    pub homeless: f32,
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
    /// Factor on the points of runs that tiles acquired in the first round can give.
    pub draft_run_early: f32,
    /// The same in the last round.
    pub draft_run_late: f32,
    /// Factor on what tiles acquired bring a star nearer to its points.
    pub draft_star: f32,
    /// Tiles of one color that are expected to come in this round when tiles are acquired.
    pub draft_reach: f32,
    /// The share of the wild tiles in the hand that counts as held for each star when tiles are acquired.
    pub draft_share: f32,
    /// Worth of any tile acquired in the first round.
    pub draft_tile_early: f32,
    /// Worth of any tile acquired in the last round.
    pub draft_tile_late: f32,
    /// Worth of a wild tile acquired in the first round.
    pub draft_wild_early: f32,
    /// Worth of a wild tile acquired in the last round.
    pub draft_wild_late: f32,
    /// Worth of a wild tile as a bonus tile.
    pub bonus_wild: f32,
    /// How much more a tile acquired is worth that will be wild in the next round.
    pub draft_next: f32,
    /// How much more tiles acquired are worth of a color that the center star lacks.
    pub draft_center: f32,
    /// Worth of the start player token as long as a round follows.
    pub token: f32,
}

impl Default for SummerPavilionWeights {
    fn default() -> Self {
        SummerPavilionWeights {
            star: 2.13,
            reach: 30.04,
            mixed_reach: 3.84,
            apart: 0.33,
            number: 0.32,
            number_now: 1.43,
            number_reach: 1.7,
            bonus_early: 0.62,
            bonus_late: 0.96,
            feature: 0.86,
            homeless: 0.6,
            tile_early: 1.16,
            tile_late: 0.62,
            wild: 0.59,
            next_wild: 1.0,
            keep: 1.69,
            keep_wild: 0.49,
            draft_run_early: 0.01,
            draft_run_late: 0.01,
            draft_star: 1.13,
            draft_reach: 4.72,
            draft_share: 0.29,
            draft_tile_early: 2.02,
            draft_tile_late: 2.02,
            draft_wild_early: 3.86,
            draft_wild_late: 3.86,
            bonus_wild: 3.86,
            draft_next: 0.44,
            draft_center: 0.25,
            token: 5.55,
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
            Action::Acquire { source, color } => {
                let tiles = self.source(source.into());
                let own = if color == self.wild() { 0 } else { tiles.count(color.index()) };
                let drafter = Drafter::new(&rater, color.index());
                drafter.gain(own) + rater.beside(source.into(), own, tiles.count(rater.wild).min(1))
            }
            Action::Place { slot, color, wilds } => {
                let own = self.rules().side.cost(slot) - wilds;
                let star = placer.star(slot.star());
                star.gain(slot.position()) + star.step(slot.position(), star.kind_with(color.index()))
                    - placer.price(color.index(), own, wilds)
            }
            Action::Bonus(color) => rater.bonus(color.index()),
            Action::Pass => placer.pass(),
            Action::Keep(color) => rater.keep(color.index()),
            Action::Done => rater.discard(self.board(rater.seat).hand()),
        }));
    }

    fn best_action(
        &self,
        weights: &SummerPavilionWeights,
        rng: &mut Generator,
        actions: &mut Vec<Action>,
        ratings: &mut Vec<f32>,
    ) -> Action {
        let rater = Rater::new(self, weights).expect("a player is to move");
        match self.phase() {
            Phase::Acquire => best_acquisition(&rater, rng),
            Phase::Place => best_placement(&Placer::new(&rater), rng),
            Phase::Keep => rater.best_keep(),
            _ => {
                self.legal_actions(actions);
                self.rate_actions(weights, actions, ratings);
                actions[best_index(ratings, rng)]
            }
        }
    }
}

/// The best action so far.
struct Best {
    rating: f32,
    action: Action,
    /// How many actions of this rating have been met.
    ties: u64,
}

impl Best {
    /// The action to begin with; any other of a rating above −∞ replaces it.
    fn new(action: Action, rating: f32) -> Self {
        Best { rating, action, ties: 1 }
    }

    /// Takes an action into account; of equal ones each stays with the same probability.
    #[inline(always)]
    fn offer(&mut self, rating: f32, action: Action, rng: &mut Generator) {
        if rating > self.rating {
            (self.rating, self.action, self.ties) = (rating, action, 1);
        } else if rating == self.rating {
            self.ties += 1;
            if rng.below(self.ties) == 0 {
                self.action = action;
            }
        }
    }
}

/// The acquisition of the highest rating, found without listing: what does not depend on the source is worked out
/// once for each color.
fn best_acquisition(rater: &Rater<'_>, rng: &mut Generator) -> Action {
    let state = rater.state;
    let mut best = Best::new(Action::Done, f32::NEG_INFINITY);
    for color in Color::ALL {
        let mut sources = state.sources_of(color);
        if sources == 0 {
            continue;
        }
        let drafter = Drafter::new(rater, color.index());
        let mut gains = [f32::NAN; 8];
        while sources != 0 {
            let source = sources.trailing_zeros() as usize;
            sources &= sources - 1;
            let tiles = state.source(source);
            let own = if color.index() == rater.wild { 0 } else { tiles.count(color.index()) };
            let known = &mut gains[usize::from(own) % 8];
            if known.is_nan() || own >= 8 {
                *known = drafter.gain(own);
            }
            let rating = *known + rater.beside(source, own, tiles.count(rater.wild).min(1));
            best.offer(rating, Action::Acquire { source: source as u8, color }, rng);
        }
    }
    best.action
}

/// The placement of the highest rating, or the pass, found without listing: of the mixes that pay for a slot only
/// the cheapest is looked at, and what does not depend on the color is worked out once for each slot.
fn best_placement(placer: &Placer<'_>, rng: &mut Generator) -> Action {
    let rater = placer.rater;
    let hand = rater.board.hand();
    let wilds = hand.count(rater.wild);
    let mut best = Best::new(Action::Pass, placer.pass());
    let mut held = 0;
    for color in 0..COLORS {
        held |= u8::from(hand.count(color) != 0) << color;
    }
    for star in 0..STARS {
        let colors = rater.board.accepted(star) & held;
        let free = rater.board.free(star);
        if colors == 0 || free == 0 {
            continue;
        }
        let rated = placer.star(star);
        let mut positions = free;
        while positions != 0 {
            let position = positions.trailing_zeros() as usize;
            positions &= positions - 1;
            let cost = COSTS[rated.layout][position];
            let mut gain = f32::NAN;
            let mut rest = colors;
            while rest != 0 {
                let color = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let own = hand.count(color);
                let beside = if color == rater.wild { 0 } else { wilds };
                if own + beside < cost {
                    continue;
                }
                if gain.is_nan() {
                    gain = rated.gain(position);
                }
                let paid_wild = if placer.prices[color] <= placer.prices[rater.wild] {
                    cost.saturating_sub(own)
                } else {
                    beside.min(cost - 1)
                };
                let rating = gain + rated.step(position, rated.kind_with(color))
                    - placer.price(color, cost - paid_wild, paid_wild);
                let slot = Slot::new(star, position);
                best.offer(rating, Action::Place { slot, color: Color::ALL[color], wilds: paid_wild }, rng);
            }
        }
    }
    best.action
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
    /// Not decided yet; the set of colors on it, bit [`Color::index`], has none or one.
    Open(u8),
}

impl Kind {
    /// What the star becomes, or stays, with one more tile.
    #[inline]
    fn with(self, color: usize) -> Kind {
        match self {
            Kind::Open(colors) if colors == 0 || colors == 1 << color => Kind::Plain(color),
            Kind::Open(_) => Kind::Mixed,
            kind => kind,
        }
    }
}

/// No star: the home of a color that has none.
const HOMELESS: u8 = STARS as u8;

/// What rating any action of the player to move needs to know.
struct Rater<'a> {
    state: &'a SummerPavilion,
    rules: &'static SummerPavilionRules,
    seat: Seat,
    board: &'a Board,
    weights: &'a SummerPavilionWeights,
    wild: usize,
    /// The color that will be wild in the next round; [`COLORS`] if there is none.
    next_wild: usize,
    /// For each color the star in which its tiles are most at home.
    homes: [u8; COLORS],
    /// The rounds that follow this one.
    left: f32,
    /// 1 in the first round, 0 in the last.
    early: f32,
    draft_run: f32,
    draft_tile: f32,
    draft_wild: f32,
    token: f32,
}

impl<'a> Rater<'a> {
    #[inline]
    fn new(state: &'a SummerPavilion, weights: &'a SummerPavilionWeights) -> Option<Self> {
        let Turn::Player(seat) = state.turn() else { return None };
        let (rules, board) = (state.rules(), state.board(seat));
        let round = state.round() as u8;
        let left = rules.rounds - round;
        let early = f32::from(left) / f32::from(rules.rounds.max(2) - 1);
        let between = |early_value: f32, late_value: f32| late_value + (early_value - late_value) * early;
        Some(Rater {
            state,
            rules,
            seat,
            board,
            weights,
            wild: state.wild().index(),
            next_wild: if left > 0 { rules.wild(round + 1).index() } else { COLORS },
            homes: homes(rules.side, board),
            left: left.into(),
            early,
            draft_run: between(weights.draft_run_early, weights.draft_run_late),
            draft_tile: between(weights.draft_tile_early, weights.draft_tile_late),
            draft_wild: between(weights.draft_wild_early, weights.draft_wild_late),
            token: if left > 0 { weights.token } else { 0.0 },
        })
    }

    #[inline]
    fn between(&self, early: f32, late: f32) -> f32 {
        late + (early - late) * self.early
    }

    /// The worth of a star's points when it lacks `missing` tiles of `reach` that may still come.
    #[inline]
    fn star_worth(&self, kind: Kind, missing: f32, reach: f32) -> f32 {
        let points = match kind {
            Kind::Plain(color) => self.rules.star_points[color],
            Kind::Mixed => self.rules.mixed_star_points,
            Kind::Open(_) => return 0.0,
        };
        let share = if missing <= 0.0 { 1.0 } else { (1.0 - missing / reach.max(0.1)).max(0.0) };
        f32::from(points) * share * share
    }

    /// What an acquisition gives beside the tiles of the color chosen: a wild tile, and the token.
    #[inline]
    fn beside(&self, source: usize, own: u8, wilds: u8) -> f32 {
        let gain = self.draft_wild * f32::from(wilds);
        if source == CENTER && self.state.token().is_none() {
            gain + self.token + f32::from(self.rules.center_penalty) * f32::from(own + wilds)
        } else {
            gain
        }
    }

    fn bonus(&self, color: usize) -> f32 {
        if color == self.wild { self.weights.bonus_wild } else { Drafter::new(self, color).gain(1) }
    }

    /// The worth of one tile of a color in the next round.
    #[inline]
    fn kept_worth(&self, color: usize) -> f32 {
        if color == self.next_wild {
            self.weights.keep + self.weights.keep_wild
        } else if self.homes[color] == HOMELESS {
            self.weights.keep * self.weights.homeless
        } else {
            self.weights.keep
        }
    }

    /// What it costs to discard tiles.
    #[inline]
    fn discard(&self, tiles: Tiles) -> f32 {
        f32::from(self.rules.discard_penalty) * f32::from(tiles.total())
    }

    /// Which tiles of a hand, at most `limit`, are worth keeping.
    #[inline]
    fn kept(&self, hand: Tiles, mut limit: u8) -> Tiles {
        let mut kept = Tiles::EMPTY;
        if self.next_wild == COLORS {
            return kept;
        }
        let mut take = |color: usize| {
            let tiles = Tiles::of(color, hand.count(color).min(limit));
            limit -= tiles.total();
            kept += tiles;
        };
        take(self.next_wild);
        for homeless in [false, true] {
            for color in (0..COLORS).filter(|&color| color != self.next_wild) {
                if (self.homes[color] == HOMELESS) == homeless {
                    take(color);
                }
            }
        }
        kept
    }

    /// The worth of a hand of which up to `limit` tiles are kept and the rest is discarded.
    fn kept_hand(&self, hand: Tiles, limit: u8) -> f32 {
        let kept = self.kept(hand, limit);
        let worth: f32 = (0..COLORS).map(|color| self.kept_worth(color) * f32::from(kept.count(color))).sum();
        worth + self.discard(hand - kept)
    }

    fn keep(&self, color: usize) -> f32 {
        let limit = self.rules.keep_limit - self.board.kept().total() - 1;
        let rest = self.board.hand() - Tiles::of(color, 1);
        let keepable = rest.kinds_from(color);
        let worth = if self.next_wild == COLORS { LAST_KEPT } else { self.kept_worth(color) };
        worth + self.discard(rest - keepable) + self.kept_hand(keepable, limit)
    }

    /// The next tile to keep.
    fn best_keep(&self) -> Action {
        let (hand, kept) = (self.board.hand(), self.board.kept());
        let keepable = hand.kinds_from(kept.last_kind());
        let wanted = self.kept(keepable, self.rules.keep_limit - kept.total());
        wanted.iter().next().map_or(Action::Done, |(color, _)| Action::Keep(Color::ALL[color]))
    }
}

/// The worth of a tile kept in the last round: it costs what a discarded one costs, and time.
const LAST_KEPT: f32 = -2.0;

/// For each color the star in which its tiles are most at home, or [`HOMELESS`].
#[inline]
fn homes(side: BoardSide, board: &Board) -> [u8; COLORS] {
    if side == BoardSide::Colored {
        return std::array::from_fn(|color| if board.free(color) != 0 { color as u8 } else { HOMELESS });
    }
    // The fullest star of the color, then one with nothing on it.
    let (mut homes, mut tiles) = ([HOMELESS; COLORS], [0; COLORS]);
    for star in 0..CENTER_STAR {
        let filled = STAR_SLOTS as u32 - board.free(star).count_ones();
        if filled == STAR_SLOTS as u32 {
            continue;
        }
        for color in 0..COLORS {
            let plain = kind_of(side, board, star).with(color) == Kind::Plain(color);
            if plain && 1 + filled > tiles[color] {
                (homes[color], tiles[color]) = (star as u8, 1 + filled);
            }
        }
    }
    homes
}

/// What a star is to become, as things lie.
#[inline]
fn kind_of(side: BoardSide, board: &Board, star: usize) -> Kind {
    if side == BoardSide::Colored {
        return if star == CENTER_STAR { Kind::Mixed } else { Kind::Plain(star) };
    }
    let colors = board.colors_on(star);
    if board.free(star).count_ones() + 2 > STAR_SLOTS as u32 {
        Kind::Open(colors)
    } else if colors & (colors - 1) == 0 {
        Kind::Plain(colors.trailing_zeros() as usize)
    } else {
        Kind::Mixed
    }
}

/// What rating acquired tiles of one color needs to know.
struct Drafter<'a> {
    rater: &'a Rater<'a>,
    color: usize,
    held: u8,
    /// The most points by tiles in the color's home.
    runs: &'static [u8; STAR_COST + 1],
    missing: f32,
    reach: f32,
    /// The worth of what is held already.
    before: f32,
}

/// Where tiles score nothing.
static NO_RUNS: [u8; STAR_COST + 1] = [0; STAR_COST + 1];

impl<'a> Drafter<'a> {
    #[inline]
    fn new(rater: &'a Rater<'a>, color: usize) -> Self {
        let weights = rater.weights;
        let held = rater.board.hand().count(color);
        let mut drafter =
            Drafter { rater, color, held, runs: &NO_RUNS, missing: f32::INFINITY, reach: 1.0, before: 0.0 };
        if rater.homes[color] != HOMELESS {
            let star = usize::from(rater.homes[color]);
            let (layout, ring) =
                (layout_of(rater.rules.side, star), FULL & !usize::from(rater.board.free(star)));
            drafter.runs = &RUNS[layout][ring];
            let wilds = weights.draft_share * f32::from(rater.board.hand().count(rater.wild));
            drafter.missing = f32::from(MISSING[layout][ring]) - wilds;
            drafter.reach = weights.draft_reach + weights.reach * rater.left;
        }
        drafter.before = drafter.worth(held);
        drafter
    }

    /// The worth of so many tiles in the hand.
    #[inline]
    fn worth(&self, tiles: u8) -> f32 {
        let (rater, weights) = (self.rater, self.rater.weights);
        let runs = rater.draft_run * f32::from(self.runs[usize::from(tiles).min(STAR_COST)]);
        let star = rater.star_worth(Kind::Plain(self.color), self.missing - f32::from(tiles), self.reach);
        let next = if self.color == rater.next_wild {
            weights.draft_next * f32::from(tiles.min(rater.rules.keep_limit))
        } else {
            0.0
        };
        runs + weights.draft_star * star + next
    }

    /// The gain of `count` tiles more in the hand.
    #[inline]
    fn gain(&self, count: u8) -> f32 {
        if count == 0 {
            return 0.0;
        }
        let (rater, board) = (self.rater, self.rater.board);
        let center = board.accepted(CENTER_STAR) >> self.color & 1 == 1 && board.free(CENTER_STAR) != 0;
        rater.draft_tile * f32::from(count) + self.worth(self.held + count) - self.before
            + if center { rater.weights.draft_center } else { 0.0 }
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
        let mut prices =
            rater.homes.map(|home| if home == HOMELESS { tile * weights.homeless } else { tile });
        prices[rater.wild] = tile + weights.wild;
        if rater.next_wild < COLORS {
            prices[rater.next_wild] += weights.next_wild;
        }
        let bonus = rater.between(weights.bonus_early, weights.bonus_late);
        Placer { rater, number_step: number_steps(rater), prices, bonus }
    }

    #[inline]
    fn price(&self, color: usize, own: u8, wilds: u8) -> f32 {
        self.prices[color] * f32::from(own) + self.prices[self.rater.wild] * f32::from(wilds)
    }

    /// What rating placements on a star needs to know.
    #[inline]
    fn star(&self, star: usize) -> StarRater<'_> {
        let rater = self.rater;
        let hand = rater.board.hand();
        let kind = kind_of(rater.rules.side, rater.board, star);
        let ring = FULL & !usize::from(rater.board.free(star));
        let layout = layout_of(rater.rules.side, star);
        let missing = f32::from(MISSING[layout][ring]);
        let mixed = 0.5 * f32::from(hand.total()) + rater.weights.mixed_reach * rater.left;
        let mut rated = StarRater { placer: self, star, layout, ring, kind, missing, mixed, before: 0.0 };
        rated.before = rater.star_worth(kind, missing, rated.reach(kind));
        rated
    }

    /// What a tile on a slot brings features nearer to their bonus tiles.
    #[inline]
    fn feature_gain(&self, slot: usize) -> f32 {
        let (rules, filled) = (self.rater.rules, self.rater.board.filled());
        let mut gain = 0.0;
        for index in TOUCHING[slot] {
            let Some(feature) = Feature::ALL.get(index) else { break };
            let size: u32 = if feature.kind == FeatureKind::Window { 2 } else { 4 };
            let done = (feature.slots & filled).count_ones();
            // The step from (m / n)² to ((m + 1) / n)², and to 1 at the end.
            let progress = (2 * done + 1) as f32 / (size * size) as f32;
            let last = if done + 1 == size { 1.0 - self.rater.weights.feature } else { 0.0 };
            gain +=
                f32::from(rules.bonus_tiles(feature.kind)) * (self.rater.weights.feature * progress + last);
        }
        gain * self.bonus
    }

    /// What changes when all tiles in the hand are kept or discarded instead of spent.
    fn pass(&self) -> f32 {
        let hand = self.rater.board.hand();
        let spendable: f32 = (0..COLORS).map(|color| self.prices[color] * f32::from(hand.count(color))).sum();
        self.rater.kept_hand(hand, self.rater.rules.keep_limit) - spendable
    }
}

/// What one more slot of each printed cost adds.
#[inline]
fn number_steps(rater: &Rater<'_>) -> [f32; STAR_SLOTS + 1] {
    let weights = rater.weights;
    let span = (weights.number_now + weights.number_reach * rater.left).max(1.0);
    let side = usize::from(rater.rules.side == BoardSide::Gray);
    let share = |missing: f32| {
        let share = (1.0 - missing / span).max(0.0);
        share * share
    };
    let mut steps = [0.0; STAR_SLOTS + 1];
    for (points, cost) in rater.rules.number_points.iter().zip(1..) {
        let missing = (NUMBERS[side][cost] & !rater.board.filled()).count_ones() as f32;
        if *points != 0 && missing > 0.0 {
            steps[cost] = weights.number * f32::from(*points) * (share(missing - 1.0) - share(missing));
        }
    }
    steps
}

/// What rating placements on one star needs to know.
struct StarRater<'a> {
    placer: &'a Placer<'a>,
    star: usize,
    layout: usize,
    ring: usize,
    kind: Kind,
    /// The tiles that the free slots cost.
    missing: f32,
    /// The tiles that may still come to a star of different colors.
    mixed: f32,
    /// The worth of the star's points as things lie.
    before: f32,
}

impl StarRater<'_> {
    /// The tiles that may still come to the star as one of this kind.
    #[inline]
    fn reach(&self, kind: Kind) -> f32 {
        let rater = self.placer.rater;
        match kind {
            Kind::Plain(color) => {
                let hand = rater.board.hand();
                let wilds = if color == rater.wild { 0 } else { hand.count(rater.wild) };
                f32::from(hand.count(color) + wilds) + rater.weights.reach * rater.left
            }
            _ => self.mixed,
        }
    }

    #[inline]
    fn kind_with(&self, color: usize) -> Kind {
        self.kind.with(color)
    }

    /// What a tile on a slot gains whatever its color: the run, numbers and features.
    #[inline]
    fn gain(&self, position: usize) -> f32 {
        let (after, placer) = (self.ring | 1 << position, self.placer);
        let run = RUN[self.ring][position];
        let most = |ring: usize| RUNS[self.layout][ring][STAR_COST];
        let lost = most(self.ring) - most(after) - run;
        f32::from(run) - placer.rater.weights.apart * f32::from(lost)
            + placer.number_step[usize::from(COSTS[self.layout][position])]
            + placer.feature_gain(self.star * STAR_SLOTS + position)
    }

    /// What it brings the star nearer to its points if that becomes one of this kind.
    #[inline]
    fn step(&self, position: usize, kind: Kind) -> f32 {
        let cost = f32::from(COSTS[self.layout][position]);
        let rater = self.placer.rater;
        let after = rater.star_worth(kind, self.missing - cost, self.reach(kind) - cost);
        rater.weights.star * (after - self.before)
    }
}
