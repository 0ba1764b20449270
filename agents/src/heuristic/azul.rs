//! The hand-made evaluation of Azul.

mod goals;
mod insights;
pub(super) mod value;

use azulejo::azul::{
    Action, Azul, AzulRules, Board, CENTER, COLORS, Color, FLOOR_SPACES, Phase, Wall, WallSide,
};
use azulejo::{Game, Generator, Turn};
use serde::{Deserialize, Serialize};

use super::{Goal, Heuristic, Strategy, best_index};

/// Weights of Azul's one-ply evaluation, in points unless another unit is named.
///
/// They are meant for the standard numbers of the rules: where a bonus is changed, its weight changes in
/// proportion.
///
/// A draft is rated by what it adds to its pattern line plus what it does to the floor. A complete line is
/// worth *V*: the points that its tile will score on the wall, with the round's complete lines already tiled,
/// and its progress towards the final bonuses. A line of length *n* with *k* < *n* tiles is worth `partial` ·
/// *V* · *k* / *n*.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AzulWeights {
    /// Factor on the points that the tile will score on the wall at once.
    pub tile: f32,
    /// Worth of an incomplete line's share of tiles relative to a complete line with as good a tile.
    pub partial: f32,
    /// Worth lost with a line that stays incomplete for each tile that it still lacks.
    pub lacking: f32,
    /// Worth of a complete column; *m* of its 5 tiles count (*m* / 5)² of it.
    pub column: f32,
    /// Worth of a complete color; *m* of its 5 tiles count (*m* / 5)² of it.
    pub color: f32,
    /// Worth of a complete row; *m* of its 5 tiles count (*m* / 5)² of it.
    pub row: f32,
    /// Factor on the points that the floor line loses.
    pub floor: f32,
    /// Worth of the starting player marker, beside the space that it takes on the floor.
    pub marker: f32,
}

/// Tuned by self-play for two players (`results/tune/azul-2`).
impl Default for AzulWeights {
    fn default() -> Self {
        AzulWeights {
            tile: 1.145,
            partial: 0.2,
            lacking: 0.21,
            column: 7.04,
            color: 11.03,
            row: 2.09,
            floor: 1.073,
            marker: 1.117,
        }
    }
}

/// The standard rules' points for a complete row, column and color, for which weights are tuned.
const STANDARD_BONUSES: [f32; 3] = [2.0, 7.0, 10.0];

impl AzulWeights {
    /// The weights under these rules: bonuses in proportion to the standard ones, and what the marker costs.
    /// Under the standard rules they are the same to the last bit.
    #[inline(always)]
    fn under(&self, rules: &AzulRules) -> Self {
        let [row, column, color] = STANDARD_BONUSES;
        AzulWeights {
            row: self.row * (f32::from(rules.row_bonus) / row),
            column: self.column * (f32::from(rules.column_bonus) / column),
            color: self.color * (f32::from(rules.color_bonus) / color),
            marker: self.marker + self.floor * f32::from(rules.marker_points),
            ..*self
        }
    }
}

impl Heuristic for Azul {
    type Weights = AzulWeights;
    type Playout = ();

    const TEMPERATURE: f32 = 3.0;

    const KNOWN_RULES: &'static [&'static str] =
        &["floor", "marker_points", "row_bonus", "column_bonus", "color_bonus"];

    const GOALS: &'static [Goal<Self>] = goals::GOALS;

    const STRATEGIES: &'static [Strategy] = &[
        Strategy {
            name: "tiles",
            about: "points for tiles at once, no bonuses",
            weights: "row = 0\ncolumn = 0\ncolor = 0",
        },
        Strategy {
            name: "rows",
            about: "complete rows, which also ends the game early",
            weights: "tile = 0.3\nrow = 40\ncolumn = 0\ncolor = 0",
        },
        Strategy {
            name: "columns",
            about: "complete columns",
            weights: "tile = 0.2\npartial = 0.5\nrow = 0\ncolumn = 60\ncolor = 0",
        },
        Strategy {
            name: "colors",
            about: "all five tiles of a color",
            weights: "tile = 0.5\nrow = 0\ncolumn = 0\ncolor = 40",
        },
        Strategy { name: "careful", about: "hardly a tile on the floor line", weights: "floor = 3" },
        Strategy {
            name: "center-avoiding",
            about: "never the starting player marker if it can be helped",
            weights: "marker = -4",
        },
        Strategy {
            name: "center-seeking",
            about: "the starting player marker in every round",
            weights: "marker = 5",
        },
    ];

    fn rate_actions(&self, weights: &AzulWeights, actions: &[Action], ratings: &mut Vec<f32>) {
        ratings.clear();
        let Turn::Player(seat) = self.turn() else { return };
        let board = self.board(seat);
        let rater = DraftRater::new(self, board, weights);
        ratings.extend(actions.iter().map(|&action| match action {
            Action::Draft { source, color, line } => {
                let offer = ColorOffer::of(self, source as usize, color);
                match line.checked_sub(1) {
                    None => rater.fall(offer.count(), offer.marker()),
                    Some(row) => rater.target(row.into(), color).gain(&rater, offer),
                }
            }
            Action::Tile { row, column } => {
                let color = board.lines()[row as usize].color;
                rater.tile_worth(row.into(), column.into(), color)
            }
        }));
    }

    fn best_action(
        &self,
        weights: &AzulWeights,
        rng: &mut Generator,
        actions: &mut Vec<Action>,
        ratings: &mut Vec<f32>,
    ) -> Action {
        if self.phase() != Phase::Draft {
            self.legal_actions(actions);
            self.rate_actions(weights, actions, ratings);
            return actions[best_index(ratings, rng)];
        }
        best_draft(self, weights, rng)
    }
}

/// `PROGRESS[bits]`: what one more tile adds to (m / 5)² for a line of m = |bits| of 5 tiles.
const PROGRESS: [f32; 32] = {
    let mut progress = [0.0; 32];
    let mut bits = 0_u32;
    while bits < 31 {
        progress[bits as usize] = (2 * bits.count_ones() + 1) as f32 / 25.0;
        bits += 1;
    }
    progress
};

/// The share of a line that one tile fills.
const PER_TILE: [f32; COLORS] = [1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 5.0];

/// Whether a line that holds so many tiles is begun, 1 or 0: a table where the compiler would put a branch
/// that is hard to predict.
const IS_BEGUN: [f32; 8] = [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];

/// What rating the drafts of one player needs to know of the board and the weights, worked out once.
struct DraftRater<'a> {
    board: &'a Board,
    /// Those for the rules.
    weights: AzulWeights,
    /// The wall, on the colored side with the complete lines' tiles already placed.
    wall: Wall,
    columns: Columns,
    /// The worth of one more tile of each color as progress towards its bonus.
    color_progress: [f32; COLORS],
    /// What so many more things on the floor line change, and the same if the starting player marker comes
    /// too.
    falls: [[f32; FLOOR_SPACES + 1]; 2],
}

impl<'a> DraftRater<'a> {
    #[inline(always)]
    fn new(state: &Azul, board: &'a Board, weights: &AzulWeights) -> Self {
        let weights = weights.under(state.rules());
        let mut wall = *board.wall();
        let columns = match state.rules().wall {
            WallSide::Colored => {
                for (row, line) in board.lines().iter().enumerate() {
                    let column = Wall::printed_column(row, line.color);
                    wall.place_if(line.count as usize == row + 1, row, column, line.color);
                }
                Columns::Printed
            }
            WallSide::Gray => Columns::Chosen(std::array::from_fn(|row| {
                std::array::from_fn(|column| tile_worth(wall, &weights, row, column))
            })),
        };
        let color_progress = std::array::from_fn(|color| {
            weights.color * PROGRESS[wall.rows_with(Color::ALL[color]) as usize & 31]
        });
        let falls = falls(state.rules(), board, &weights);
        DraftRater { board, weights, wall, columns, color_progress, falls }
    }

    /// What tiles that fall to the floor change, with the marker or without.
    #[inline(always)]
    fn fall(&self, tiles: usize, marker: usize) -> f32 {
        self.falls[marker & 1][tiles.min(FLOOR_SPACES)]
    }

    /// No draft changes more by what falls to the floor and by the marker.
    #[inline(always)]
    fn most_beside_lines(&self) -> f32 {
        self.falls[0][FLOOR_SPACES].max(0.0) + self.weights.marker.max(0.0)
    }

    /// The worth of a tile on a free space, with the progress of its color.
    #[inline(always)]
    fn tile_worth(&self, row: usize, column: usize, color: Color) -> f32 {
        tile_worth(self.wall, &self.weights, row, column) + self.color_progress[color.index()]
    }

    /// The same for the column that a color will go to: the printed one, or on the gray side the best.
    #[inline(always)]
    fn color_worth(&self, row: usize, color: Color) -> f32 {
        match &self.columns {
            Columns::Printed => self.tile_worth(row, Wall::printed_column(row, color), color),
            Columns::Chosen(worths) => {
                let open = self.wall.open_columns(row, color);
                best_column_worth(&worths[row], open) + self.color_progress[color.index()]
            }
        }
    }

    /// A row's line as the target of tiles of a color that may go there.
    #[inline(always)]
    fn target(&self, row: usize, color: Color) -> Target {
        let worth = self.color_worth(row, color);
        let (held, size) = (self.board.lines()[row].count, row as u8 + 1);
        let per_tile = self.weights.partial * PER_TILE[row] * worth + self.weights.lacking;
        // An empty line costs nothing for what it lacks; one that is begun does.
        let (lacking, is_begun) = (self.weights.lacking * f32::from(size), IS_BEGUN[held as usize % 8]);
        let before = per_tile * f32::from(held) - lacking * is_begun;
        let begun = lacking * (is_begun - 1.0);
        Target { room: size - held, complete: worth - before, begun, per_tile }
    }
}

/// In which columns the tiles of lines will go to the wall.
enum Columns {
    /// In the printed ones.
    Printed,
    /// In chosen ones; for each row the worth of a tile in each column, without the progress of its color.
    Chosen([[f32; COLORS]; COLORS]),
}

/// The worth of a tile on a free space of a wall, without the progress of its color.
#[inline(always)]
fn tile_worth(wall: Wall, weights: &AzulWeights, row: usize, column: usize) -> f32 {
    let (row_bits, column_bits) = (wall.row(row), wall.column(column));
    let points = Wall::points_at(row, column, row_bits, column_bits);
    let row_progress = weights.row * PROGRESS[row_bits as usize & 31];
    let column_progress = weights.column * PROGRESS[column_bits as usize & 31];
    weights.tile * f32::from(points) + row_progress + column_progress
}

/// The highest of the worths of the open columns (5 bits), at least 0.
#[inline(always)]
fn best_column_worth(worths: &[f32; COLORS], open: u32) -> f32 {
    worths.iter().enumerate().fold(0.0, |best, (column, worth)| {
        // Masking the bits lets the compiler do without a branch, which would be hard to predict.
        let worth = f32::from_bits(worth.to_bits() & (open >> column & 1).wrapping_neg());
        if worth > best { worth } else { best }
    })
}

/// What 0 to 7 more tiles on the floor line change, and the same if the starting player marker comes too.
#[inline(always)]
fn falls(rules: &AzulRules, board: &Board, weights: &AzulWeights) -> [[f32; FLOOR_SPACES + 1]; 2] {
    let mut points = [0; 2 * FLOOR_SPACES + 1];
    points[..FLOOR_SPACES].copy_from_slice(&rules.floor);
    let free = &points[board.floor().len().min(FLOOR_SPACES)..][..FLOOR_SPACES + 1];
    let mut sums = [0.0; FLOOR_SPACES + 2];
    for space in 0..=FLOOR_SPACES {
        sums[space + 1] = sums[space] + weights.floor * f32::from(free[space]);
    }
    let mut falls = [[0.0; FLOOR_SPACES + 1]; 2];
    let marker = usize::from(rules.marker_spaces.min(1));
    for tiles in 0..=FLOOR_SPACES {
        falls[0][tiles] = sums[tiles];
        falls[1][tiles] = sums[tiles + marker] + weights.marker;
    }
    falls
}

/// One target of a draft: what arriving tiles gain there over what lies there now.
struct Target {
    /// The tiles that still fit.
    room: u8,
    /// The gain of completing the line.
    complete: f32,
    /// The gain of the line counting as begun.
    begun: f32,
    /// The gain of each tile short of completion.
    per_tile: f32,
}

impl Target {
    /// The gain of what an offer brings here, with what falls to the floor.
    #[inline(always)]
    fn gain(&self, rater: &DraftRater<'_>, offer: ColorOffer) -> f32 {
        let (count, room) = (offer.count(), self.room as usize);
        let tiles = count as f32;
        // Comparing as floats lets the compiler choose without a branch, which would be hard to predict.
        let line =
            if tiles >= f32::from(self.room) { self.complete } else { self.begun + self.per_tile * tiles };
        line + rater.fall(count.saturating_sub(room), offer.marker())
    }
}

/// What some source offers of a color: the number of tiles, and 32 more if the starting player marker comes
/// with them.
#[derive(Clone, Copy, PartialEq, Eq)]
struct ColorOffer(u8);

impl ColorOffer {
    const MARKER: u8 = 32;

    /// What a source offers.
    #[inline(always)]
    fn of(state: &Azul, source: usize, color: Color) -> Self {
        let marker = source == CENTER && state.marker().is_none();
        ColorOffer(state.source(source).count(color.index()) + if marker { Self::MARKER } else { 0 })
    }

    /// The number of tiles.
    #[inline(always)]
    fn count(self) -> usize {
        (self.0 % Self::MARKER).into()
    }

    /// 1 if the marker comes too, else 0.
    #[inline(always)]
    fn marker(self) -> usize {
        (self.0 / Self::MARKER).into()
    }
}

/// A set of offers, a bit for each: sources that give the same count as one.
#[derive(Clone, Copy, Default)]
struct OfferSet(u64);

impl OfferSet {
    /// What can be had of each color.
    #[inline(always)]
    fn of_colors(state: &Azul) -> [OfferSet; COLORS] {
        let mut factories = [0; COLORS];
        for factory in 1..state.factories() + 1 {
            for (color, offers) in factories.iter_mut().enumerate() {
                *offers |= OfferSet::count_bit(state, factory, color);
            }
        }
        let shift = if state.marker().is_none() { ColorOffer::MARKER } else { 0 };
        std::array::from_fn(|color| {
            // A source without the color has set bit 0.
            let center = u64::from(OfferSet::count_bit(state, CENTER, color) & !1) << shift;
            OfferSet(center | u64::from(factories[color] & !1))
        })
    }

    /// The bit for the number of tiles of a color at a source.
    #[inline(always)]
    fn count_bit(state: &Azul, source: usize, color: usize) -> u32 {
        1 << (state.source(source).count(color) % 32)
    }
}

impl Iterator for OfferSet {
    type Item = ColorOffer;

    #[inline(always)]
    fn next(&mut self) -> Option<ColorOffer> {
        let first = ColorOffer(self.0.trailing_zeros() as u8);
        (self.0 != 0).then(|| {
            self.0 &= self.0 - 1;
            first
        })
    }
}

/// The best draft so far: a target and an offer, which several sources may make.
struct BestDraft {
    rating: f32,
    target: DraftTarget,
    offer: ColorOffer,
    /// The number of drafts met with this rating, once it is more than one offer.
    ties: u32,
}

/// Where tiles of a color go: 8 · color number + line (0 the floor).
#[derive(Clone, Copy)]
struct DraftTarget(u8);

impl DraftTarget {
    #[inline(always)]
    fn color(self) -> Color {
        Color::ALL[(self.0 / 8) as usize]
    }

    #[inline(always)]
    fn line(self) -> u8 {
        self.0 % 8
    }
}

impl BestDraft {
    /// Takes the drafts of an offer into account; of equal ones each stays with the same probability.
    #[inline(always)]
    fn meet(
        &mut self,
        state: &Azul,
        rating: f32,
        target: DraftTarget,
        offer: ColorOffer,
        rng: &mut Generator,
    ) {
        if rating > self.rating {
            *self = BestDraft { rating, target, offer, ties: 0 };
        } else if rating == self.rating {
            self.tie(state, target, offer, rng);
        }
    }

    #[cold]
    fn tie(&mut self, state: &Azul, target: DraftTarget, offer: ColorOffer, rng: &mut Generator) {
        let new = sources_of(state, target.color(), offer).count_ones();
        self.ties = new + self.ties.max(sources_of(state, self.target.color(), self.offer).count_ones());
        if rng.below(self.ties.into()) < new.into() {
            (self.target, self.offer) = (target, offer);
        }
    }

    #[inline(always)]
    fn action(&self, state: &Azul, rng: &mut Generator) -> Action {
        let color = self.target.color();
        let mut sources = sources_of(state, color, self.offer);
        if sources & (sources - 1) != 0 {
            for _ in 0..rng.below(sources.count_ones().into()) {
                sources &= sources - 1;
            }
        }
        Action::Draft { source: sources.trailing_zeros() as u8, color, line: self.target.line() }
    }
}

/// The sources that make an offer, bit `s` for source `s`; never none.
#[inline(always)]
fn sources_of(state: &Azul, color: Color, offer: ColorOffer) -> u16 {
    let makes_it = |source| u16::from(ColorOffer::of(state, source, color) == offer) << source;
    (1..state.factories() + 1).fold(makes_it(CENTER), |sources, factory| sources | makes_it(factory))
}

/// The draft of the highest rating, found without listing: the worth of a line's tile is worked out once per
/// line and color, and sources that give the same are rated together.
fn best_draft(state: &Azul, weights: &AzulWeights, rng: &mut Generator) -> Action {
    let Turn::Player(seat) = state.turn() else { panic!("no player is to move") };
    let board = state.board(seat);
    let rater = DraftRater::new(state, board, weights);
    let offers = OfferSet::of_colors(state);
    let mut best =
        BestDraft { rating: f32::NEG_INFINITY, target: DraftTarget(0), offer: ColorOffer(0), ties: 0 };
    // One loop over the lines of all colors: its end is predicted better than that of a loop for each color.
    let mut targets = 0;
    for (color, offers) in offers.iter().enumerate() {
        let lines = u64::from(board.open_lines(Color::ALL[color])) & !1;
        targets |= (lines * u64::from(offers.0 != 0)) << (8 * color);
    }
    while targets != 0 {
        let place = DraftTarget(targets.trailing_zeros() as u8);
        targets &= targets - 1;
        let target = rater.target(place.line() as usize - 1, place.color());
        for offer in offers[place.color().index()] {
            best.meet(state, target.gain(&rater, offer), place, offer, rng);
        }
    }
    // Mostly some line gains more than the floor could.
    if best.rating <= rater.most_beside_lines() {
        for (color, offers) in offers.into_iter().enumerate() {
            for offer in offers {
                let gain = rater.fall(offer.count(), offer.marker());
                best.meet(state, gain, DraftTarget(8 * color as u8), offer, rng);
            }
        }
    }
    best.action(state, rng)
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo::testing::for_each_variant;

    #[test]
    fn weights_follow_the_bonuses_and_are_the_same_under_the_standard_rules() {
        let (weights, standard) = (AzulWeights::default(), AzulRules::default());
        assert_eq!(weights.under(&standard), weights);
        let changed =
            AzulRules { row_bonus: 3, column_bonus: 0, color_bonus: 20, marker_points: -2, ..standard };
        let expected = AzulWeights {
            row: weights.row * 1.5,
            column: 0.0,
            color: 2.0 * weights.color,
            marker: weights.marker - 2.0 * weights.floor,
            ..weights.clone()
        };
        assert_eq!(weights.under(&changed), expected);
    }

    #[test]
    fn the_fast_choice_has_the_highest_rating() {
        let (mut actions, mut ratings) = (Vec::new(), Vec::new());
        // The second weights make the floor and long lines attractive and the marker not.
        let odd =
            AzulWeights { partial: 1.5, lacking: 0.3, floor: -0.4, marker: -2.0, ..AzulWeights::default() };
        for weights in [AzulWeights::default(), odd] {
            for_each_variant::<Azul>(|rules, players| {
                let mut rng = Generator::new(5);
                let mut state = Azul::new(rules, players);
                while state.turn() != Turn::Over {
                    if state.phase() == Phase::Draft {
                        let fast = best_draft(&state, &weights, &mut rng);
                        state.legal_actions(&mut actions);
                        state.rate_actions(&weights, &actions, &mut ratings);
                        let index = actions.binary_search(&fast).expect("the choice is legal");
                        assert_eq!(ratings[index], ratings.iter().copied().fold(f32::NEG_INFINITY, f32::max));
                    }
                    state.play_random(&mut rng, &mut actions);
                }
            });
        }
    }
}
