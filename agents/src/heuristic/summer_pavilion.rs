//! The hand-made evaluation of Summer Pavilion.

mod value;

use azulejo::summer_pavilion::{
    Action, Board, BoardSide, CENTER, CENTER_STAR, COLORS, Color, Feature, FeatureKind, Phase, SLOTS,
    STAR_SLOTS, STARS, Slot, SummerPavilion, SummerPavilionRules,
};
use azulejo::tiles::Tiles;
use azulejo::{Game, Generator, Seat, Turn};
use serde::{Deserialize, Serialize};

use super::Heuristic;

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
    /// Share that counts, when tiles are acquired, of what the best slot that they can pay for gains.
    pub draft_slot: f32,
    /// Factor on the points lost with the start player token.
    pub center: f32,
    /// Worth of the start player token as long as a round follows.
    pub token: f32,
}

impl Default for SummerPavilionWeights {
    fn default() -> Self {
        SummerPavilionWeights {
            star: 7.6,
            reach: 12.79,
            mixed_reach: 3.56,
            apart: 0.27,
            number: 0.43,
            number_now: 1.56,
            number_reach: 1.36,
            bonus_early: 0.04,
            bonus_late: 7.91,
            feature: 0.9,
            homeless: 0.42,
            tile_early: 2.8,
            tile_late: 2.58,
            wild: 0.18,
            next_wild: 3.42,
            keep: 3.11,
            keep_wild: 2.36,
            draft_star: 0.35,
            draft_reach: 8.19,
            draft_share: 0.2,
            draft_tile_early: 2.23,
            draft_tile_late: 1.38,
            draft_wild_early: 3.19,
            draft_wild_late: 3.02,
            bonus_wild: 2.88,
            draft_next: 0.25,
            draft_center: 0.07,
            draft_slot: 0.22,
            center: 0.33,
            token: 4.51,
        }
    }
}

impl Heuristic for SummerPavilion {
    type Weights = SummerPavilionWeights;

    const TEMPERATURE: f32 = 1.0;

    fn rate_actions(&self, weights: &SummerPavilionWeights, actions: &[Action], ratings: &mut Vec<f32>) {
        ratings.clear();
        let Some(rater) = Rater::new(self, weights) else { return };
        let placer = Placer::new(&rater);
        ratings.extend(actions.iter().map(|&action| match action {
            Action::Acquire { source, color } => {
                let tiles = self.source(source.into());
                let own = if color == self.wild() { 0 } else { tiles.count(color.index()) };
                let drafter = Drafter::new(&placer, color.index());
                drafter.gain(own) + rater.beside(source.into(), own, tiles.count(rater.wild).min(1))
            }
            Action::Place { slot, color, wilds } => {
                let own = self.rules().side.cost(slot) - wilds;
                let star = placer.star(slot.star());
                star.gain(slot.position()) + star.step(slot.position(), star.kind.with(color.index()))
                    - placer.price(color.index(), own, wilds)
            }
            Action::Bonus(color) => placer.bonus(color.index()),
            Action::Pass => placer.pass(),
            Action::Keep(color) => rater.keep(color.index()),
            Action::Done => rater.discard(self.board(rater.seat).hand()),
        }));
    }

    fn best_action(
        &self,
        weights: &SummerPavilionWeights,
        rng: &mut Generator,
        _actions: &mut Vec<Action>,
        _ratings: &mut Vec<f32>,
    ) -> Action {
        let rater = Rater::new(self, weights).expect("a player is to move");
        match self.phase() {
            Phase::Acquire => best_acquisition(&Placer::new(&rater), rng),
            Phase::Place => best_placement(&Placer::new(&rater), rng),
            Phase::Bonus => best_bonus(&Placer::new(&rater), rng),
            Phase::Keep => rater.best_keep(),
            Phase::Deal | Phase::Supply | Phase::Over => unreachable!("a player is to move"),
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
fn best_acquisition(placer: &Placer<'_>, rng: &mut Generator) -> Action {
    let (rater, state) = (placer.rater, placer.rater.state);
    let mut best = Best::new(Action::Done, f32::NEG_INFINITY);
    for color in Color::ALL {
        let mut sources = state.sources_of(color);
        if sources == 0 {
            continue;
        }
        let drafter = Drafter::new(placer, color.index());
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

/// The bonus tile of the highest rating.
fn best_bonus(placer: &Placer<'_>, rng: &mut Generator) -> Action {
    let mut best = Best::new(Action::Done, f32::NEG_INFINITY);
    for (color, _) in placer.rater.state.supply().iter() {
        best.offer(placer.bonus(color), Action::Bonus(Color::ALL[color]), rng);
    }
    best.action
}

/// The placement of the highest rating, or the pass, found without listing: of the mixes that pay for a slot only
/// the cheapest is looked at, and what does not depend on the color is worked out once for each slot.
fn best_placement(placer: &Placer<'_>, rng: &mut Generator) -> Action {
    let rater = placer.rater;
    let hand = rater.board.hand();
    let mut best = Best::new(Action::Pass, placer.pass());
    let held = (0..COLORS).fold(0, |held, color| held | u8::from(hand.count(color) != 0) << color);
    for star in 0..STARS {
        let (colors, mut free) = (rater.board.accepted(star) & held, rater.board.free(star));
        if colors == 0 || free == 0 {
            continue;
        }
        let rated = placer.star(star);
        let purse = purse(hand, rater.wild, colors);
        while free != 0 {
            let position = free.trailing_zeros() as usize;
            free &= free - 1;
            if COSTS[rated.layout][position] <= purse {
                offer_slot(&rated, position, colors, &mut best, rng);
            }
        }
    }
    best.action
}

/// The most tiles that can be paid for a tile of one of some colors, all in the hand.
#[inline]
fn purse(hand: Tiles, wild: usize, mut colors: u8) -> u8 {
    let mut most = 0;
    while colors != 0 {
        let color = colors.trailing_zeros() as usize;
        colors &= colors - 1;
        let beside = if color == wild { 0 } else { hand.count(wild) };
        most = most.max(hand.count(color) + beside);
    }
    most
}

/// Takes all placements on a free slot with one of some colors, all in the hand, into account.
#[inline]
fn offer_slot(star: &StarRater<'_>, position: usize, colors: u8, best: &mut Best, rng: &mut Generator) {
    let (placer, rater) = (star.placer, star.placer.rater);
    let hand = rater.board.hand();
    let (slot, cost) = (Slot::new(star.star, position), COSTS[star.layout][position]);
    let gain = star.gain(position);
    let mut rest = colors;
    while rest != 0 {
        let color = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let own = hand.count(color);
        let beside = if color == rater.wild { 0 } else { hand.count(rater.wild) };
        if own + beside < cost {
            continue;
        }
        let wilds = if placer.prices[color] <= placer.prices[rater.wild] {
            cost.saturating_sub(own)
        } else {
            beside.min(cost - 1)
        };
        let rating =
            gain + star.step(position, star.kind.with(color)) - placer.price(color, cost - wilds, wilds);
        best.offer(rating, Action::Place { slot, color: Color::ALL[color], wilds }, rng);
    }
}

/// A star with all slots filled, bit `p` for position `p`.
const FULL: usize = (1 << STAR_SLOTS) - 1;

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

/// `MOST[ring]`: the most points that filling a star's free slots can score.
const MOST: [u8; FULL + 1] = {
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
    draft_tile: f32,
    draft_wild: f32,
    token: f32,
}

impl<'a> Rater<'a> {
    #[inline]
    fn new(state: &'a SummerPavilion, weights: &'a SummerPavilionWeights) -> Option<Self> {
        match state.turn() {
            Turn::Player(seat) => Some(Rater::of(state, seat, weights)),
            Turn::Chance | Turn::Over => None,
        }
    }

    /// The rater for any seat, whoever is to move.
    #[inline]
    fn of(state: &'a SummerPavilion, seat: Seat, weights: &'a SummerPavilionWeights) -> Self {
        let (rules, board) = (state.rules(), state.board(seat));
        let round = state.round() as u8;
        let left = rules.rounds - round;
        let early = f32::from(left) / f32::from(rules.rounds.max(2) - 1);
        let between = |early_value: f32, late_value: f32| late_value + (early_value - late_value) * early;
        Rater {
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
            draft_tile: between(weights.draft_tile_early, weights.draft_tile_late),
            draft_wild: between(weights.draft_wild_early, weights.draft_wild_late),
            token: if left > 0 { weights.token } else { 0.0 },
        }
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
            let lost = f32::from(self.rules.center_penalty) * f32::from(own + wilds);
            gain + self.token + self.weights.center * lost
        } else {
            gain
        }
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

/// The numbers of tiles that make a difference to which slot can be paid for: none to 6.
const PURSES: usize = STAR_SLOTS + 1;

/// What rating acquired tiles of one color needs to know.
struct Drafter<'a> {
    rater: &'a Rater<'a>,
    color: usize,
    held: u8,
    /// Wild tiles in the hand.
    wilds: u8,
    /// By the number of tiles that can be spent, what the best slot of the color's home gains beyond its price.
    slots: [f32; PURSES],
    /// The tiles that the home's free slots cost, less a share of the wild ones in the hand.
    missing: f32,
    reach: f32,
    /// The worth of what is held already.
    before: f32,
}

impl<'a> Drafter<'a> {
    #[inline]
    fn new(placer: &Placer<'a>, color: usize) -> Self {
        let (rater, weights) = (placer.rater, placer.rater.weights);
        let hand = rater.board.hand();
        let (held, wilds) = (hand.count(color), hand.count(rater.wild));
        let mut drafter = Drafter {
            rater,
            color,
            held,
            wilds,
            slots: [0.0; PURSES],
            missing: f32::INFINITY,
            reach: weights.draft_reach + weights.reach * rater.left,
            before: 0.0,
        };
        if rater.homes[color] != HOMELESS {
            let star = placer.star(rater.homes[color].into());
            drafter.missing = star.missing - weights.draft_share * f32::from(wilds);
            drafter.slots = star.best_slots(weights.draft_slot, placer.prices[color]);
        }
        drafter.before = drafter.worth(held);
        drafter
    }

    /// The worth of so many tiles in the hand.
    #[inline]
    fn worth(&self, tiles: u8) -> f32 {
        let (rater, weights) = (self.rater, self.rater.weights);
        let star = rater.star_worth(Kind::Plain(self.color), self.missing - f32::from(tiles), self.reach);
        let next = if self.color == rater.next_wild {
            weights.draft_next * f32::from(tiles.min(rater.rules.keep_limit))
        } else {
            0.0
        };
        let purse = if tiles == 0 { 0 } else { usize::from(tiles + self.wilds).min(PURSES - 1) };
        weights.draft_star * star + next + self.slots[purse]
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
    /// What one more tile around each feature brings it nearer to its bonus tiles; 0 for no feature.
    feature_step: [f32; Feature::ALL.len() + 1],
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
        Placer { rater, number_step: number_steps(rater), feature_step: feature_steps(rater), prices }
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

    /// The gain of a bonus tile.
    fn bonus(&self, color: usize) -> f32 {
        if color == self.rater.wild {
            self.rater.weights.bonus_wild
        } else {
            Drafter::new(self, color).gain(1)
        }
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

/// What one more tile around each feature brings it nearer to its bonus tiles; 0 for no feature.
#[inline]
fn feature_steps(rater: &Rater<'_>) -> [f32; Feature::ALL.len() + 1] {
    let (weights, filled) = (rater.weights, rater.board.filled());
    let tile = rater.between(weights.bonus_early, weights.bonus_late);
    // By the kind and the filled slots: the step from (m / n)² to ((m + 1) / n)², and to 1 at the end.
    let by_kind = [(FeatureKind::Pillar, 4), (FeatureKind::Statue, 4), (FeatureKind::Window, 2)].map(
        |(kind, size): (FeatureKind, usize)| {
            let worth = tile * f32::from(rater.rules.bonus_tiles(kind));
            let mut steps = [0.0; STAR_SLOTS];
            for (done, step) in steps[..size].iter_mut().enumerate() {
                let progress = weights.feature * (2 * done + 1) as f32 / (size * size) as f32;
                let last = if done + 1 == size { 1.0 - weights.feature } else { 0.0 };
                *step = worth * (progress + last);
            }
            steps
        },
    );
    let mut steps = [0.0; Feature::ALL.len() + 1];
    for (step, feature) in steps.iter_mut().zip(&Feature::ALL) {
        let mut done = 0;
        let mut rest = filled & feature.slots;
        while rest != 0 {
            rest &= rest - 1;
            done += 1;
        }
        *step = by_kind[feature.kind as usize][done];
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

    /// What a tile on a slot gains whatever its color: the run, numbers and features.
    #[inline]
    fn gain(&self, position: usize) -> f32 {
        let (after, placer) = (self.ring | 1 << position, self.placer);
        let run = RUN[self.ring][position];
        let features = TOUCHING[self.star * STAR_SLOTS + position];
        let lost = MOST[self.ring] - MOST[after] - run;
        f32::from(run) - placer.rater.weights.apart * f32::from(lost)
            + placer.number_step[usize::from(COSTS[self.layout][position])]
            + features.map(|feature| placer.feature_step[feature]).iter().sum::<f32>()
    }

    /// By the number of tiles that can be spent, a share of what the best slot gains beyond its price for each tile.
    #[inline]
    fn best_slots(&self, share: f32, price: f32) -> [f32; PURSES] {
        let mut best = [0.0f32; PURSES];
        let mut free = FULL & !self.ring;
        while free != 0 {
            let position = free.trailing_zeros() as usize;
            free &= free - 1;
            let cost = COSTS[self.layout][position];
            let gain = share * (self.gain(position) - price * f32::from(cost));
            let known = &mut best[usize::from(cost)];
            *known = known.max(gain);
        }
        for purse in 1..PURSES {
            best[purse] = best[purse].max(best[purse - 1]);
        }
        best
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

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo::summer_pavilion::LETTERS;
    use azulejo::testing::for_each_variant;
    use azulejo::{PerPlayer, intern};
    use serde_json::{Value, json};

    fn start() -> SummerPavilion {
        SummerPavilion::new(intern(SummerPavilionRules::default()), 2)
    }

    /// The position of an edited JSON state in which the tiles not named lie in the bag.
    fn position(edit: impl FnOnce(&mut Value)) -> SummerPavilion {
        let mut state = serde_json::to_value(start()).unwrap();
        edit(&mut state);
        let named = [&state["factories"], &state["center"], &state["supply"], &state["boards"]];
        let mut text = String::new();
        for part in named {
            collect_text(part, &mut text);
        }
        let bag = LETTERS.chars().map(|letter| 22 - text.matches(letter).count());
        state["bag"] = bag.collect();
        SummerPavilion::from_json(start().rules(), &state).unwrap()
    }

    fn collect_text(value: &Value, text: &mut String) {
        match value {
            Value::String(letters) => text.push_str(letters),
            Value::Array(values) => values.iter().for_each(|value| collect_text(value, text)),
            Value::Object(values) => values.values().for_each(|value| collect_text(value, text)),
            _ => {}
        }
    }

    /// Seat 0 is about to place tiles.
    fn placing(round: u32, hand: &str, stars: &[(&str, &str)]) -> SummerPavilion {
        position(|state| {
            let wild = &"PGOYBR"[round as usize - 1..][..1];
            for (key, value) in [("phase", json!("place")), ("round", json!(round)), ("turn", json!(0))] {
                state[key] = value;
            }
            (state["wild"], state["boards"][0]["hand"]) = (json!(wild), json!(hand));
            for (star, slots) in stars {
                state["boards"][0]["stars"][star] = json!(slots);
            }
        })
    }

    fn best(state: &SummerPavilion) -> String {
        let weights = SummerPavilionWeights::default();
        let mut rng = Generator::new(1);
        state.best_action(&weights, &mut rng, &mut Vec::new(), &mut Vec::new()).to_string()
    }

    #[test]
    fn the_fast_choice_has_the_highest_rating() {
        let weights = SummerPavilionWeights::default();
        let (mut actions, mut ratings) = (Vec::new(), Vec::new());
        for_each_variant::<SummerPavilion>(|rules, players| {
            for seed in 0..4 {
                let mut rng = Generator::new(seed);
                let mut state = SummerPavilion::new(rules, players);
                while state.turn() != Turn::Over {
                    if state.turn() == Turn::Chance {
                        state.play_chance(&mut rng);
                        continue;
                    }
                    let fast = state.best_action(&weights, &mut rng, &mut actions, &mut ratings);
                    state.legal_actions(&mut actions);
                    state.rate_actions(&weights, &actions, &mut ratings);
                    assert_eq!(ratings.len(), actions.len());
                    assert!(ratings.iter().all(|rating| rating.is_finite()), "{ratings:?}\n{state}");
                    let index = actions.binary_search(&fast).expect("the choice is legal");
                    let highest = ratings.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                    assert!(ratings[index] >= highest - 1e-3, "{fast} {} {highest}\n{state}", ratings[index]);
                    // Half the games of the evaluation, half of chance: both rich and odd boards.
                    let action =
                        if seed % 2 == 0 { fast } else { state.random_action(&mut rng, &mut actions) };
                    state.apply(action);
                }
            }
        });
    }

    #[test]
    fn choosing_needs_no_memory() {
        let weights = SummerPavilionWeights::default();
        let (mut actions, mut ratings) = (Vec::new(), Vec::new());
        let used = allocation_counter::measure(|| {
            let mut rng = Generator::new(2);
            let mut state = start();
            while state.turn() != Turn::Over {
                match state.turn() {
                    Turn::Player(_) => {
                        let action = state.best_action(&weights, &mut rng, &mut actions, &mut ratings);
                        state.apply(action);
                    }
                    _ => state.play_chance(&mut rng),
                }
            }
        });
        assert_eq!(used.count_total, 0);
    }

    #[test]
    fn greedy_beats_random() {
        let weights = SummerPavilionWeights::default();
        let (mut actions, mut ratings) = (Vec::new(), Vec::new());
        let mut won = 0.0;
        for game in 0..100 {
            let mut rng = Generator::new(game);
            let mut state = start();
            let greedy = Seat::new(game as usize % 2);
            while state.turn() != Turn::Over {
                match state.turn() {
                    Turn::Player(seat) if seat == greedy => {
                        let action = state.best_action(&weights, &mut rng, &mut actions, &mut ratings);
                        state.apply(action);
                    }
                    _ => state.play_random(&mut rng, &mut actions),
                }
            }
            let wins: PerPlayer<f64> = state.wins();
            won += wins[greedy];
        }
        assert!(won >= 97.0, "greedy won {won} of 100");
    }

    #[test]
    fn weights_round_trip_through_toml() {
        let weights = SummerPavilionWeights { star: 1.25, ..Default::default() };
        let text = toml::to_string(&weights).unwrap();
        assert_eq!(toml::from_str::<SummerPavilionWeights>(&text), Ok(weights.clone()));
        assert_eq!(toml::from_str::<SummerPavilionWeights>("star = 1.25"), Ok(weights));
        assert!(toml::from_str::<SummerPavilionWeights>("stars = 1.25").is_err());
    }

    #[test]
    fn slots_of_numbers_are_those_of_the_rules() {
        for (side, numbers) in [BoardSide::Colored, BoardSide::Gray].into_iter().zip(NUMBERS) {
            for (cost, slots) in numbers.into_iter().enumerate().skip(1) {
                assert_eq!(slots, side.slots_of_cost(cost as u8), "{side:?} {cost}");
            }
        }
    }

    #[test]
    fn a_star_is_completed() {
        let state = placing(6, "BBBBBBOO", &[("B", "BBBBB.")]);
        assert_eq!(best(&state), "B6B0");
    }

    #[test]
    fn an_equal_tile_goes_where_the_run_is_longer() {
        let state = placing(6, "Y", &[("Y", ".YYYYY"), ("C", ".R....")]);
        assert_eq!(best(&state), "Y1Y0");
    }

    #[test]
    fn coming_wild_tiles_are_kept() {
        let mut state = placing(1, "GGGOR", &[("O", "OOOOOO"), ("R", "RRRRRR"), ("G", "GG....")]);
        state.apply(Action::Pass);
        let mut kept = Vec::new();
        while state.phase() == Phase::Keep {
            let token = best(&state);
            state.play_token(&token).unwrap();
            kept.push(token);
        }
        assert_eq!(kept.iter().filter(|token| *token == "keep:G").count(), 3, "{kept:?}");
    }

    #[test]
    fn nothing_is_kept_in_the_last_round() {
        let mut state = placing(6, "OO", &[("O", "OOOOOO")]);
        state.apply(Action::Pass);
        assert_eq!(best(&state), "done");
    }

    #[test]
    fn of_equal_sources_the_one_with_a_wild_tile_is_better() {
        let state = position(|state| {
            (state["phase"], state["turn"]) = (json!("acquire"), json!(0));
            state["factories"] = json!(["BBBB", "BBBP", "", "", ""]);
            state["boards"][0]["hand"] = json!("B");
        });
        let with_wild = rating_of(&state, "2B") - rating_of(&state, "1B");
        assert!(with_wild > 0.0, "{with_wild}");
    }

    fn rating_of(state: &SummerPavilion, token: &str) -> f32 {
        let mut ratings = Vec::new();
        state.rate_actions(&SummerPavilionWeights::default(), &[token.parse().unwrap()], &mut ratings);
        ratings[0]
    }
}
