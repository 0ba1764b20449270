//! What a state of Azul is worth: the points that each seat is expected to end with.
//!
//! A seat's value is what it has for certain (points, the tiles of complete lines, the floor) and what its
//! wall and its begun lines promise. The wall's promise is a sum over rows, columns and colors, each looked
//! up by the spaces that are filled and by the rounds that are left; so a board takes a few dozen additions.

use std::ops::ControlFlow;

use azulejo::azul::{
    Action, Azul, AzulRules, Board, CENTER, COLORS, Color, FACTORY_TILES, FLOOR_SPACES, Line, Phase, Wall,
    WallSide,
};
use azulejo::bits::positions;
use azulejo::{Encode, Game, MAX_PLAYERS, PerPlayer, Seat, Turn};
use serde::{Deserialize, Serialize};

use super::insights;
use crate::cache::KeyHash;
use crate::heuristic::value::{Candidate, Insights, Millipoints, POINT, StateValue, millipoints};

/// Weights of the value of a state of Azul. Lists by row begin with the shortest line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AzulValueWeights {
    /// By row: the chance that a space of the wall that is wanted is filled in a later round; in `n` rounds
    /// it is 1 − (1 − `rate`)ⁿ.
    pub rate: [f32; COLORS],
    /// Factor on the points that runs beside free spaces will score, each with the chance that the space is
    /// filled.
    pub adjacency: f32,
    /// Factor on the points of an incomplete column, with the chance that all its free spaces are filled.
    pub column: f32,
    /// Factor on the points of an incomplete color, likewise.
    pub color: f32,
    /// Factor on the points of an incomplete row, likewise.
    pub row: f32,
    /// By the number of tiles that a line lacks, from 1: the chance that it is complete after one more round.
    /// A begun line is worth its tile with that chance, less the usual tile with the chance of an empty line.
    pub complete: [f32; COLORS],
    /// The same for lines during a round, before the first draft; it changes to `complete` as tiles are
    /// taken.
    pub complete_now: [f32; COLORS],
    /// What a tile is usually worth, in points, if the round that follows is the last one.
    pub usual: f32,
    /// How much less it is for each round more.
    pub usual_earlier: f32,
    /// Points lost for each tile that a begun line lacks when the round ends.
    pub lacking: f32,
    /// Points for starting the next round.
    pub start: f32,
    /// The chance, before a round's first draft, that the round is the last one if somebody lacks one tile of
    /// a row.
    pub ending: f32,
}

impl Default for AzulValueWeights {
    fn default() -> Self {
        AzulValueWeights {
            rate: [0.61, 0.44, 0.12, 0.06, 0.04],
            adjacency: 0.52,
            column: 1.75,
            color: 1.0,
            row: 1.53,
            complete: [0.83, 0.67, 0.475, 0.356, 0.304],
            complete_now: [1.0, 0.75, 0.475, 0.31, 0.26],
            usual: 11.2,
            usual_earlier: 1.3,
            lacking: 0.2,
            start: 1.04,
            ending: 0.5,
        }
    }
}

/// The most rounds that can follow: rows of five are filled one tile a round.
const MAX_LEFT: usize = COLORS;

/// Shares of one are kept as whole numbers of this many parts.
const PARTS: i32 = 1024;

/// All five spaces of a row, a column or a color.
const FULL: usize = 31;

/// The number of tiles in a row with these columns filled.
const TILES: [u8; FULL + 1] = {
    let mut tiles = [0; FULL + 1];
    let mut bits = 0;
    while bits <= FULL {
        tiles[bits] = bits.count_ones() as u8;
        bits += 1;
    }
    tiles
};

/// Two readings of a board: as if more rounds follow, and as if this one is the last.
type Readings = [Millipoints; 2];

/// The weights as tables of whole numbers, and the walls of the searched round.
#[derive(Clone, Debug)]
pub struct AzulJudge {
    rules: &'static AzulRules,
    /// By rounds left, row and filled columns: the promise of a row's spaces.
    rows: [[[Millipoints; FULL + 1]; COLORS]; MAX_LEFT + 1],
    /// By rounds left and filled rows: the promise of a column's spaces.
    columns: [[Millipoints; FULL + 1]; MAX_LEFT + 1],
    /// By rounds left and filled rows: the promise of a color's spaces.
    colors: [[Millipoints; FULL + 1]; MAX_LEFT + 1],
    /// By the tiles that a line lacks, less 1: the chance that it is complete a round later, in [`PARTS`].
    complete: [i32; COLORS],
    /// The same before the first draft of a round.
    complete_now: [i32; COLORS],
    /// By rounds left: the usual worth of a tile.
    usual: [Millipoints; MAX_LEFT + 1],
    /// By things on the floor line: the points lost.
    floor: [i16; FLOOR_SPACES + 1],
    /// The share of the round's tiles that one tile is, in [`PARTS`].
    per_tile: i32,
    lacking: Millipoints,
    start: Millipoints,
    ending: i32,
    frame: Frame,
}

/// What one seat's board is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AzulShare {
    /// What it is worth if the round ended now.
    worth: Readings,
    /// What begun lines add to that as long as no tile is taken.
    hope: Readings,
    /// Whether the board ends the game when the round ends.
    ends: bool,
    /// Whether some board may come to end the game in this round.
    may_end: bool,
}

/// A share without points so far and floor.
#[derive(Clone, Copy, Default)]
struct Core {
    points: i16,
    worth: Readings,
    hope: Readings,
    ends: bool,
}

/// The walls of all players in one round, taken apart.
#[derive(Clone, Debug, Default)]
struct Frame {
    walls: [Wall; MAX_PLAYERS],
    views: [View; MAX_PLAYERS],
    /// Tiles in the fullest row of all walls.
    fullest: u8,
}

/// A wall as sets of 5 bits.
#[derive(Clone, Copy, Debug, Default)]
struct View {
    /// The filled columns of each row.
    rows: [u8; COLORS],
    /// The filled rows of each column.
    columns: [u8; COLORS],
    /// The rows that hold each color.
    colors: [u8; COLORS],
    /// The columns that hold each color.
    color_columns: [u8; COLORS],
}

impl View {
    fn of(wall: Wall, side: WallSide) -> Self {
        let columns_with = |color| {
            let spaces = wall.spaces_of(color);
            (0..COLORS).fold(0, |columns, row| columns | (spaces >> (5 * row)) as u8 & FULL as u8)
        };
        View {
            rows: std::array::from_fn(|row| wall.row(row) as u8),
            columns: std::array::from_fn(|column| wall.column(column) as u8),
            colors: Color::ALL.map(|color| wall.rows_with(color) as u8),
            // On the colored side nobody asks for them.
            color_columns: match side {
                WallSide::Colored => [0; COLORS],
                WallSide::Gray => Color::ALL.map(columns_with),
            },
        }
    }

    #[inline]
    fn place(&mut self, row: usize, column: usize, color: usize) {
        self.rows[row] |= 1 << column;
        self.columns[column] |= 1 << row;
        self.colors[color] |= 1 << row;
        self.color_columns[color] |= 1 << column;
    }
}

impl Frame {
    fn of(state: &Azul) -> Self {
        let mut frame = Frame::default();
        for (seat, board) in state.boards().iter() {
            let view = View::of(*board.wall(), state.rules().wall);
            let fullest = view.rows.iter().map(|&row| TILES[usize::from(row) & FULL]).max().unwrap_or(0);
            frame.fullest = frame.fullest.max(fullest);
            frame.walls[seat.index()] = *board.wall();
            frame.views[seat.index()] = view;
        }
        frame
    }

    /// Whether this is the frame of a state.
    #[inline]
    fn fits(&self, state: &Azul) -> bool {
        state.boards().iter().all(|(seat, board)| self.walls[seat.index()] == *board.wall())
    }
}

/// A share of one as a number of [`PARTS`].
fn parts(share: f32) -> i32 {
    (share.clamp(0.0, 1.0) * PARTS as f32).round() as i32
}

/// The points of a run of `bits` (a row or a column) through a free place once that is filled; 0 for a run of
/// 1.
fn run_points(bits: usize, place: usize) -> f32 {
    let points = Wall::points_at(0, place, bits as u32, 0);
    if points > 1 { f32::from(points) } else { 0.0 }
}

impl AzulValueWeights {
    /// By rounds left and row: the chance that a wanted space is filled.
    fn reach(&self, left: usize) -> [f32; COLORS] {
        self.rate.map(|rate| 1.0 - (1.0 - rate.clamp(0.0, 1.0)).powi(left as i32))
    }

    /// The promise of a row: runs beside its free spaces, and its bonus, which is sure once it is complete.
    fn row(&self, left: usize, row: usize, bits: usize, bonus: i16) -> Millipoints {
        let reach = self.reach(left)[row];
        let free = (0..COLORS).filter(|column| bits >> column & 1 == 0);
        let runs: f32 = free.clone().map(|column| run_points(bits, column)).sum();
        let missing = free.count();
        let share = match missing {
            0 => 1.0,
            _ if missing > left => 0.0,
            _ => self.row * reach.powi(missing as i32),
        };
        millipoints(self.adjacency * reach * runs + share * f32::from(bonus))
    }

    /// The promise of a column or a color of which the rows in `bits` are filled; `runs` is the factor on
    /// runs.
    fn line(&self, left: usize, bits: usize, factor: f32, bonus: i16, runs: f32) -> Millipoints {
        let reach = self.reach(left);
        let free = (0..COLORS).filter(|row| bits >> row & 1 == 0);
        let along: f32 = free.clone().map(|row| reach[row] * run_points(bits, row)).sum();
        let chance: f32 = free.map(|row| reach[row]).product();
        let share = if bits == FULL { 1.0 } else { factor * chance };
        millipoints(runs * along + share * f32::from(bonus))
    }
}

impl StateValue for Azul {
    type ValueWeights = AzulValueWeights;
    type Judge = AzulJudge;
    type Share = AzulShare;

    const KNOWN_RULES: &'static [&'static str] =
        &["floor", "marker_points", "row_bonus", "column_bonus", "color_bonus", "handicap"];

    fn judge(rules: &'static AzulRules, players: usize, weights: &AzulValueWeights) -> AzulJudge {
        let by_left = |bits: usize, left: usize, factor: f32, bonus: i16, runs: f32| {
            weights.line(left, bits, factor, bonus, runs)
        };
        let mut floor = [0; FLOOR_SPACES + 1];
        (0..FLOOR_SPACES).for_each(|space| floor[space + 1] = floor[space] + rules.floor[space]);
        AzulJudge {
            rules,
            rows: std::array::from_fn(|left| {
                std::array::from_fn(|row| {
                    std::array::from_fn(|bits| weights.row(left, row, bits, rules.row_bonus))
                })
            }),
            columns: std::array::from_fn(|left| {
                std::array::from_fn(|bits| {
                    by_left(bits, left, weights.column, rules.column_bonus, weights.adjacency)
                })
            }),
            colors: std::array::from_fn(|left| {
                std::array::from_fn(|bits| by_left(bits, left, weights.color, rules.color_bonus, 0.0))
            }),
            complete: weights.complete.map(parts),
            complete_now: weights.complete_now.map(parts),
            usual: std::array::from_fn(|left| {
                millipoints(weights.usual - weights.usual_earlier * left.saturating_sub(1) as f32)
            }),
            floor,
            per_tile: PARTS / (i32::from(rules.factories[players - 2]) * i32::from(FACTORY_TILES)),
            lacking: millipoints(weights.lacking),
            start: millipoints(weights.start),
            ending: parts(weights.ending),
            frame: Frame::default(),
        }
    }

    fn prepare(&self, judge: &mut AzulJudge) {
        judge.frame = Frame::of(self);
    }

    fn share(&self, judge: &AzulJudge, seat: Seat) -> AzulShare {
        if judge.frame.fits(self) {
            Reader::new(self, judge, &judge.frame).share(self.board(seat), seat)
        } else {
            Reader::new(self, judge, &Frame::of(self)).share(self.board(seat), seat)
        }
    }

    fn shares(&self, judge: &AzulJudge) -> PerPlayer<AzulShare> {
        let fresh;
        let frame = if judge.frame.fits(self) {
            &judge.frame
        } else {
            fresh = Frame::of(self);
            &fresh
        };
        let reader = Reader::new(self, judge, frame);
        PerPlayer::from_fn(self.players(), |seat| reader.share(self.board(seat), seat))
    }

    #[inline]
    fn shares_after(
        &self,
        judge: &AzulJudge,
        mover: Seat,
        before: &PerPlayer<AzulShare>,
    ) -> PerPlayer<AzulShare> {
        if self.phase() != Phase::Draft {
            return self.shares(judge);
        }
        let mut after = *before;
        after[mover] = self.share(judge, mover);
        after
    }

    fn values(&self, judge: &AzulJudge, shares: &PerPlayer<AzulShare>) -> PerPlayer<Millipoints> {
        let starter = if self.phase() == Phase::Deal { Some(self.starting_seat()) } else { self.marker() };
        judge.values(shares, starter, tiles_left(self))
    }

    const INSIGHTS: Insights = insights::INSIGHTS;

    fn table_insights(&self, numbers: &mut Vec<f32>) {
        insights::table(self, numbers);
    }

    fn seat_insights(&self, judge: &AzulJudge, seat: Seat, numbers: &mut Vec<f32>) -> AzulShare {
        insights::seat(self, seat, numbers);
        self.share(judge, seat)
    }

    fn value_key(&self) -> Option<u64> {
        let hash = self.boards().iter().fold(KeyHash::EMPTY, |hash, (_, board)| {
            let [blue, yellow, red, black, white] =
                Color::ALL.map(|color| u64::from(board.wall().spaces_of(color)));
            let rest = white << 32 | u64::from(board.score() as u16) << 8 | board.floor().len() as u64;
            let of_line = |line: &Line| u64::from(line.count) << 4 | line.color.index() as u64;
            let lines = board.lines().iter().fold(0, |word, line| word << 8 | of_line(line));
            hash.with(blue << 32 | yellow, red << 32 | black).with(rest, lines)
        });
        let bag =
            Color::ALL.iter().fold(0, |word, color| word << 8 | u64::from(self.bag().count(color.index())));
        let marker = self.marker().map_or(MAX_PLAYERS, Seat::index);
        let seats = [self.players(), self.viewpoint().index(), self.starting_seat().index(), marker];
        let table = seats.iter().fold(self.phase() as u64, |word, &seat| word << 8 | seat as u64);
        let rules = std::ptr::from_ref(self.rules()).addr() as u64;
        Some(hash.with(bag, table << 8 | tiles_left(self) as u64).with(rules, 0).key())
    }

    fn list(
        &self,
        judge: &AzulJudge,
        candidates: &mut Vec<Candidate<Action>>,
        actions: &mut Vec<Action>,
        _ratings: &mut Vec<f32>,
    ) {
        candidates.clear();
        let Turn::Player(seat) = self.turn() else { return };
        if self.phase() != Phase::Draft {
            self.legal_actions(actions);
            candidates.extend(actions.iter().map(|&action| Candidate { action, rating: 0 }));
            return;
        }
        let fresh;
        let frame = if judge.frame.fits(self) {
            &judge.frame
        } else {
            fresh = Frame::of(self);
            &fresh
        };
        let unlike = unlike_sources(self);
        let mut shares = PerPlayer::splat(self.players(), AzulShare::default());
        _ = Reader::new(self, judge, frame).each_draft(seat, |color, line, offer, share| {
            shares[seat] = *share;
            let starter = if offer.marker { Some(seat) } else { None };
            let rating = judge.values(&shares, starter, 0)[seat];
            for source in positions((offer.sources & unlike).into()) {
                let action = Action::Draft { source: source as u8, color, line };
                candidates.push(Candidate { action, rating });
            }
            ControlFlow::Continue(())
        });
    }

    fn visit_children(
        &self,
        judge: &AzulJudge,
        shares: &PerPlayer<AzulShare>,
        mut visit: impl FnMut(Action, &PerPlayer<Millipoints>) -> ControlFlow<()>,
    ) -> bool {
        let Turn::Player(seat) = self.turn() else { return false };
        if self.phase() != Phase::Draft || is_last_draft(self) || !judge.frame.fits(self) {
            return false;
        }
        let (left, mut shares) = (tiles_left(self), *shares);
        _ = Reader::new(self, judge, &judge.frame).each_draft(seat, |color, line, offer, share| {
            shares[seat] = *share;
            let starter = if offer.marker { Some(seat) } else { self.marker() };
            let values = judge.values(&shares, starter, left - i32::from(offer.count));
            let source = offer.sources.trailing_zeros() as u8;
            visit(Action::Draft { source, color, line }, &values)
        });
        true
    }
}

/// The tiles in the factories and the center.
#[inline]
fn tiles_left(state: &Azul) -> i32 {
    (0..=state.factories()).map(|source| i32::from(state.source(source).total())).sum()
}

/// Whether only one color is left at one source: taking it ends the round.
#[inline]
fn is_last_draft(state: &Azul) -> bool {
    Color::ALL.iter().map(|&color| state.sources_of(color).count_ones()).sum::<u32>() == 1
}

/// The sources without the factories that hold the same as one of a lower number, bit `s` for source `s`.
#[inline]
fn unlike_sources(state: &Azul) -> u16 {
    let mut unlike = 1 << CENTER;
    for factory in CENTER + 1..=state.factories() {
        let tiles = state.source(factory);
        if (CENTER + 1..factory).all(|other| state.source(other) != tiles) {
            unlike |= 1 << factory;
        }
    }
    unlike
}

impl AzulJudge {
    /// The expected points of each seat; `left` tiles can still be taken, `starter` begins the next round.
    #[inline]
    fn values(
        &self,
        shares: &PerPlayer<AzulShare>,
        starter: Option<Seat>,
        left: i32,
    ) -> PerPlayer<Millipoints> {
        let (mut ends, mut may_end) = (false, false);
        for share in shares.as_slice() {
            ends |= share.ends;
            may_end |= share.may_end;
        }
        let time = (left * self.per_tile).min(PARTS);
        let reading = |share: &AzulShare, last: usize| share.worth[last] + share.hope[last] * time / PARTS;
        let mut values = PerPlayer::splat(shares.players(), 0);
        for (seat, share) in shares.iter() {
            let start = if starter == Some(seat) { self.start } else { 0 };
            values[seat] = if ends {
                reading(share, 1)
            } else if may_end {
                let chance = self.ending * time / PARTS;
                let going = reading(share, 0) + start;
                going + (i64::from(reading(share, 1) - going) * i64::from(chance)) as i32 / PARTS
            } else {
                reading(share, 0) + start
            };
        }
        values
    }
}

/// What one source, or several alike, give for a color.
#[derive(Clone, Copy, Default)]
struct Offer {
    count: u8,
    /// Whether the starting player marker comes with the tiles.
    marker: bool,
    /// The sources, bit `s` for source `s`.
    sources: u16,
}

/// The offers of one color: the center's, and one for each number of tiles in a factory.
#[derive(Default)]
struct Offers {
    offers: [Offer; 1 + FACTORY_TILES as usize],
    len: usize,
}

impl Offers {
    #[inline]
    fn of(state: &Azul, color: Color) -> Self {
        let mut offers = Offers::default();
        let mut sources = state.sources_of(color);
        if sources & 1 << CENTER != 0 {
            let count = state.source(CENTER).count(color.index());
            offers.push(Offer { count, marker: state.marker().is_none(), sources: 1 << CENTER });
            sources &= !(1 << CENTER);
        }
        let mut by_count = [0u16; FACTORY_TILES as usize + 1];
        for factory in positions(sources.into()) {
            by_count[state.source(factory).count(color.index()) as usize & 7] |= 1 << factory;
        }
        for (count, &sources) in by_count.iter().enumerate() {
            if sources != 0 {
                offers.push(Offer { count: count as u8, marker: false, sources });
            }
        }
        offers
    }

    #[inline]
    fn push(&mut self, offer: Offer) {
        self.offers[self.len] = offer;
        self.len += 1;
    }
}

/// Reads the worth off boards.
struct Reader<'a> {
    state: &'a Azul,
    judge: &'a AzulJudge,
    frame: &'a Frame,
    /// The rounds that are expected to follow this one.
    left: usize,
}

impl<'a> Reader<'a> {
    #[inline]
    fn new(state: &'a Azul, judge: &'a AzulJudge, frame: &'a Frame) -> Self {
        let left = COLORS - usize::from(frame.fullest).min(COLORS);
        // At the deal the round that counts is still to come; otherwise it is this one that must be over
        // first.
        let left = if state.phase() == Phase::Deal { left } else { left.saturating_sub(1) };
        Reader { state, judge, frame, left: left.max(1) }
    }

    fn share(&self, board: &Board, seat: Seat) -> AzulShare {
        let core = self.core(board.lines(), seat);
        let (score, floor) = self.score_and_floor(seat, board);
        self.finish(&core, score, floor)
    }

    /// A seat's points so far, less what the marker costs if the seat has it, and the things on its floor line.
    #[inline]
    fn score_and_floor(&self, seat: Seat, board: &Board) -> (i16, usize) {
        let marker = self.marker_points(self.state.marker() == Some(seat));
        (board.score() + marker, board.floor().len())
    }

    /// What having the starting player marker costs beside the space that it takes.
    #[inline]
    fn marker_points(&self, has: bool) -> i16 {
        if has { self.judge.rules.marker_points } else { 0 }
    }

    /// What an offer brings beside tiles: points, and things on the floor line.
    #[inline]
    fn marker_of(&self, offer: &Offer) -> (i16, usize) {
        let spaces = if offer.marker { self.judge.rules.marker_spaces } else { 0 };
        (self.marker_points(offer.marker), spaces.into())
    }

    /// The share of a board with these lines, points so far and things on the floor.
    #[inline]
    fn finish(&self, core: &Core, score: i16, floor: usize) -> AzulShare {
        let points = (score + core.points + self.judge.floor[floor.min(FLOOR_SPACES)]).max(0);
        let sure = Millipoints::from(points) * POINT;
        AzulShare {
            worth: [core.worth[0] + sure, core.worth[1] + sure],
            hope: core.hope,
            ends: core.ends,
            may_end: usize::from(self.frame.fullest) + 1 == COLORS,
        }
    }

    /// The worth of a wall with these lines beside it.
    #[inline]
    fn core(&self, lines: &[Line; COLORS], seat: Seat) -> Core {
        let mut view = self.frame.views[seat.index()];
        let mut core = Core::default();
        let mut begun = 0u8;
        for (row, line) in lines.iter().enumerate() {
            if usize::from(line.count) <= row {
                begun |= u8::from(line.count != 0) << row;
            } else if let Some(column) = self.column(&view, row, line.color.index()) {
                let (across, down) = (view.rows[row], view.columns[column]);
                core.points += Wall::points_at(row, column, across.into(), down.into());
                view.place(row, column, line.color.index());
                core.ends |= usize::from(view.rows[row]) == FULL;
            }
        }
        core.worth[0] = self.promise(&view, self.left);
        let may_end = usize::from(self.frame.fullest) + 1 == COLORS;
        if may_end {
            core.worth[1] = self.promise(&view, 0);
        }
        for row in positions(begun.into()) {
            self.add_begun(&mut core, &view, row, lines[row], may_end);
        }
        core
    }

    /// Adds the worth of a line with some tiles, but not all.
    #[inline]
    fn add_begun(&self, core: &mut Core, view: &View, row: usize, line: Line, may_end: bool) {
        let (color, held) = (line.color.index(), usize::from(line.count));
        let Some(column) = self.column(view, row, color) else { return };
        let (judge, lack) = (self.judge, row - held);
        // The tile with this line's chance, less the usual one with that of an empty line.
        let worth = |tile: Millipoints, usual: Millipoints, chances: &[i32; COLORS]| {
            (tile * chances[lack] - usual * chances[row]) / PARTS
        };
        let (tile, usual) = (self.tile(view, row, column, color, self.left), judge.usual[self.left]);
        let later = worth(tile, usual, &judge.complete);
        core.worth[0] += later - judge.lacking * (lack + 1) as Millipoints;
        core.hope[0] += worth(tile, usual, &judge.complete_now) - later;
        if may_end {
            // Nothing comes of a line after the last round.
            let tile = self.tile(view, row, column, color, 0);
            core.hope[1] += worth(tile, judge.usual[0], &judge.complete_now);
        }
    }

    /// What a wall promises with so many rounds to come.
    #[inline]
    fn promise(&self, view: &View, left: usize) -> Millipoints {
        let judge = self.judge;
        let mut sum = 0;
        for place in 0..COLORS {
            sum += judge.rows[left][place][usize::from(view.rows[place]) & FULL]
                + judge.columns[left][usize::from(view.columns[place]) & FULL]
                + judge.colors[left][usize::from(view.colors[place]) & FULL];
        }
        sum
    }

    /// What a tile on a free space of the wall is worth: its points, and what it adds to the promise.
    #[inline]
    fn tile(&self, view: &View, row: usize, column: usize, color: usize, left: usize) -> Millipoints {
        let judge = self.judge;
        let step = |table: &[Millipoints; FULL + 1], bits: u8, place: usize| {
            table[(usize::from(bits) | 1 << place) & FULL] - table[usize::from(bits) & FULL]
        };
        let (across, down) = (view.rows[row], view.columns[column]);
        Millipoints::from(Wall::points_at(row, column, across.into(), down.into())) * POINT
            + step(&judge.rows[left][row], across, column)
            + step(&judge.columns[left], down, row)
            + step(&judge.colors[left], view.colors[color], row)
    }

    /// The column for a color in a row: the printed one, or on the gray side the best that is open, if there
    /// is one.
    #[inline]
    fn column(&self, view: &View, row: usize, color: usize) -> Option<usize> {
        match self.judge.rules.wall {
            WallSide::Colored => Some(Wall::printed_column(row, Color::ALL[color])),
            WallSide::Gray => {
                let taken = view.rows[row] | view.color_columns[color];
                let open = (0..COLORS).filter(|column| taken >> column & 1 == 0);
                open.max_by_key(|&column| self.tile(view, row, column, color, self.left))
            }
        }
    }

    /// Calls `visit` for every color, line and number of tiles that can be drafted, with the share of `seat`
    /// (whose turn it is) afterwards.
    #[inline]
    fn each_draft(
        &self,
        seat: Seat,
        mut visit: impl FnMut(Color, u8, &Offer, &AzulShare) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let board = self.state.board(seat);
        let (score, floor) = self.score_and_floor(seat, board);
        let before = self.core(board.lines(), seat);
        for color in Color::ALL {
            let offers = Offers::of(self.state, color);
            let offers = &offers.offers[..offers.len];
            if offers.is_empty() {
                continue;
            }
            for offer in offers {
                let (points, marker) = self.marker_of(offer);
                let things = usize::from(offer.count) + marker;
                visit(color, 0, offer, &self.finish(&before, score + points, floor + things))?;
            }
            for row in positions(u64::from(board.open_lines(color) >> 1)) {
                self.each_draft_to(seat, board, row, color, offers, &mut visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The same for one line, `row` from 0.
    #[inline]
    fn each_draft_to(
        &self,
        seat: Seat,
        board: &Board,
        row: usize,
        color: Color,
        offers: &[Offer],
        visit: &mut impl FnMut(Color, u8, &Offer, &AzulShare) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (score, floor) = self.score_and_floor(seat, board);
        let mut lines = *board.lines();
        let held = lines[row].count;
        let room = row as u8 + 1 - held;
        let mut known: [Option<Core>; COLORS + 1] = [None; COLORS + 1];
        for offer in offers {
            let laid = offer.count.min(room);
            let core = known[usize::from(laid)].get_or_insert_with(|| {
                lines[row] = Line { color, count: held + laid };
                self.core(&lines, seat)
            });
            let (points, marker) = self.marker_of(offer);
            let things = usize::from(offer.count - laid) + marker;
            visit(color, row as u8 + 1, offer, &self.finish(core, score + points, floor + things))?;
        }
        ControlFlow::Continue(())
    }
}
