//! The hand-made evaluation of Azul.

pub mod value;

use azulejo::azul::{
    Action, Azul, AzulRules, Board, CENTER, COLORS, Color, FACTORY_TILES, FLOOR_SPACES, Phase, Wall, WallSide,
};
use azulejo::{Game, Generator, Turn};
use serde::{Deserialize, Serialize};

use super::{Heuristic, best_index};

/// Weights of Azul's one-ply evaluation, in points unless another unit is named.
///
/// A draft is rated by what it adds to its pattern line plus what it does to the floor. A complete line is worth
/// *V*: the points that its tile will score on the wall, with the round's complete lines already tiled, and its
/// progress towards the final bonuses. A line of length *n* with *k* < *n* tiles is worth `partial` · *V* · *k* / *n*.
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

impl Default for AzulWeights {
    fn default() -> Self {
        AzulWeights {
            tile: 1.0,
            partial: 0.5,
            lacking: 0.0,
            column: 7.0,
            color: 10.0,
            row: 2.0,
            floor: 1.0,
            marker: 1.0,
        }
    }
}

impl Heuristic for Azul {
    type Weights = AzulWeights;

    const TEMPERATURE: f32 = 3.0;

    fn rate_actions(&self, weights: &AzulWeights, actions: &[Action], ratings: &mut Vec<f32>) {
        ratings.clear();
        let Turn::Player(seat) = self.turn() else { return };
        let board = self.board(seat);
        let rater = Rater::new(self.rules(), board, weights);
        ratings.extend(actions.iter().map(|&action| match action {
            Action::Draft { source, color, line } => {
                let offer = Offer::of(self, source as usize, color, weights);
                match line.checked_sub(1) {
                    None => rater.drop_gain(&offer),
                    Some(row) => {
                        rater.line(row.into()).target(color, rater.color_progress(color)).gain(&rater, &offer)
                    }
                }
            }
            Action::Tile { row, column } => {
                let color = board.lines()[row as usize].color;
                rater.line(row.into()).tile_worth(column.into()) + rater.color_progress(color)
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

/// What rating the drafts of one player needs to know of the board and the weights, worked out once.
struct Rater<'a> {
    rules: &'a AzulRules,
    board: &'a Board,
    weights: &'a AzulWeights,
    /// The wall, on the colored side with the complete lines' tiles already placed.
    wall: Wall,
    /// The wall's columns, 5 bits each.
    columns: [u32; COLORS],
    /// The worth of one more tile in each column as progress towards its bonus.
    column_progress: [f32; COLORS],
    /// What so many more things on the floor line change.
    floor: [f32; FLOOR_SPACES + 1],
}

impl<'a> Rater<'a> {
    #[inline]
    fn new(rules: &'a AzulRules, board: &'a Board, weights: &'a AzulWeights) -> Self {
        let mut wall = *board.wall();
        if rules.wall == WallSide::Colored {
            let mut complete = board.complete_lines();
            while complete != 0 {
                let row = complete.trailing_zeros() as usize;
                complete &= complete - 1;
                let color = board.lines()[row].color;
                wall.place(row, Wall::printed_column(row, color), color);
            }
        }
        let mut floor = [0.0; FLOOR_SPACES + 1];
        let mut free_spaces = rules.floor[board.floor().len()..].iter();
        for things in 0..FLOOR_SPACES {
            floor[things + 1] = floor[things] + weights.floor * f32::from(*free_spaces.next().unwrap_or(&0));
        }
        let columns = std::array::from_fn(|column| wall.column(column));
        let column_progress = columns.map(|bits| weights.column * PROGRESS[bits as usize & 31]);
        Rater { rules, board, weights, wall, columns, column_progress, floor }
    }

    /// The worth of one more tile of a color as progress towards its bonus.
    #[inline]
    fn color_progress(&self, color: Color) -> f32 {
        self.weights.color * PROGRESS[self.wall.rows_with(color) as usize & 31]
    }

    /// What it changes to let an offer fall to the floor.
    #[inline]
    fn drop_gain(&self, offer: &Offer) -> f32 {
        self.fall(offer.count + offer.markers) + offer.marker_worth
    }

    /// What the things that fall to the floor change.
    #[inline]
    fn fall(&self, things: u8) -> f32 {
        self.floor[(things as usize).min(FLOOR_SPACES)]
    }

    #[inline]
    fn line(&self, row: usize) -> LineRater<'_> {
        let held = self.board.lines()[row].count;
        let bits = self.wall.row(row);
        let progress = self.weights.row * PROGRESS[bits as usize & 31];
        LineRater { rater: self, row, held, bits, progress, share: self.weights.partial * PER_TILE[row] }
    }
}

/// What rating a pattern line as a target needs to know, worked out once for all colors.
struct LineRater<'a> {
    rater: &'a Rater<'a>,
    /// From 0.
    row: usize,
    /// The tiles in the line.
    held: u8,
    /// The wall's row, 5 bits.
    bits: u32,
    /// The worth of one more tile as progress towards the row's bonus.
    progress: f32,
    /// What a tile in the incomplete line is worth, as a share of the line's worth.
    share: f32,
}

impl LineRater<'_> {
    /// The worth of a tile in this row's free space at a column, without the progress of its color.
    #[inline]
    fn tile_worth(&self, column: usize) -> f32 {
        let points = Wall::points_at(self.row, column, self.bits, self.rater.columns[column]);
        self.rater.weights.tile * f32::from(points) + self.progress + self.rater.column_progress[column]
    }

    /// The same for the column that a color will go to: the printed one, or on the gray side the best.
    #[inline]
    fn color_worth(&self, color: Color) -> f32 {
        match self.rater.rules.wall {
            WallSide::Colored => self.tile_worth(Wall::printed_column(self.row, color)),
            WallSide::Gray => {
                let columns = self.rater.wall.open_columns(self.row, color);
                let open = (0..COLORS).filter(|column| columns >> column & 1 == 1);
                open.map(|column| self.tile_worth(column)).fold(0.0, f32::max)
            }
        }
    }

    /// This line as the target of tiles of a color that may go there.
    #[inline(always)]
    fn target(&self, color: Color, color_progress: f32) -> Target {
        let worth = self.color_worth(color) + color_progress;
        let lacking = self.rater.weights.lacking;
        let per_tile = self.share * worth + lacking;
        let size = self.row as u8 + 1;
        let begun = per_tile * f32::from(self.held) - lacking * f32::from(size);
        let before = if self.held == 0 { 0.0 } else { begun };
        Target { room: size - self.held, complete: worth - before, begun: begun - before, per_tile }
    }
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
    #[inline]
    fn gain(&self, rater: &Rater<'_>, offer: &Offer) -> f32 {
        let part = self.begun + self.per_tile * f32::from(offer.count);
        let line = if offer.count >= self.room { self.complete } else { part };
        line + rater.fall(offer.count.saturating_sub(self.room) + offer.markers) + offer.marker_worth
    }
}

/// What one or several sources give for a color.
#[derive(Clone, Copy, Default)]
struct Offer {
    /// The number of tiles.
    count: u8,
    /// 1 if the starting player marker comes with them, else 0.
    markers: u8,
    /// The sources that give this, bit `s` for source `s`.
    sources: u16,
    /// The worth of the marker, beside its floor space, if it comes with them.
    marker_worth: f32,
}

impl Offer {
    /// What one source gives.
    #[inline]
    fn of(state: &Azul, source: usize, color: Color, weights: &AzulWeights) -> Self {
        let count = state.source(source).count(color.index());
        let marker = source == CENTER && state.marker().is_none();
        let marker_worth = if marker { weights.marker } else { 0.0 };
        Offer { count, markers: marker.into(), sources: 1 << source, marker_worth }
    }
}

/// The most offers of a color: the center's, and one for each number of tiles in a factory.
const MAX_OFFERS: usize = 1 + FACTORY_TILES as usize;

/// Fills `offers` with all that can be had of a color, factories that give the same as one; returns their number.
#[inline]
fn collect_offers(
    state: &Azul,
    color: Color,
    weights: &AzulWeights,
    offers: &mut [Offer; MAX_OFFERS],
) -> usize {
    const CENTER_BIT: u16 = 1 << CENTER;
    let sources = state.sources_of(color);
    let mut len = 0;
    if sources & CENTER_BIT != 0 {
        offers[0] = Offer::of(state, CENTER, color, weights);
        len = 1;
    }
    // For each number of tiles the factories that hold it: 16 bits for each number from 1 to 4.
    let (mut factories, mut by_count) = (sources & !CENTER_BIT, 0u64);
    while factories != 0 {
        let factory = factories.trailing_zeros();
        factories &= factories - 1;
        let count = u32::from(state.source(factory as usize).count(color.index()));
        by_count |= 1 << (16 * (count - 1) + factory);
    }
    while by_count != 0 && len < MAX_OFFERS {
        let lane = by_count.trailing_zeros() / 16;
        let sources = (by_count >> (16 * lane)) as u16;
        by_count &= !(0xFFFF << (16 * lane));
        offers[len] = Offer { count: lane as u8 + 1, markers: 0, sources, marker_worth: 0.0 };
        len += 1;
    }
    len
}

/// The best draft so far: a target and how many tiles of a color it takes, which several sources may offer.
struct Best {
    rating: f32,
    color: Color,
    line: u8,
    sources: u16,
    /// The number of drafts met with this rating, once it is more than one offer.
    ties: u32,
}

impl Best {
    /// Takes the drafts from some sources into account; of equal ones each stays with the same probability.
    #[inline(always)]
    fn offer(&mut self, rating: f32, color: Color, line: u8, sources: u16, rng: &mut Generator) {
        if rating > self.rating {
            *self = Best { rating, color, line, sources, ties: 0 };
        } else if rating == self.rating {
            self.tie(color, line, sources, rng);
        }
    }

    #[cold]
    fn tie(&mut self, color: Color, line: u8, sources: u16, rng: &mut Generator) {
        let (old, new) = (self.ties.max(self.sources.count_ones()), sources.count_ones());
        self.ties = old + new;
        if rng.below(self.ties.into()) < new.into() {
            (self.color, self.line, self.sources) = (color, line, sources);
        }
    }

    fn action(&self, rng: &mut Generator) -> Action {
        let mut sources = self.sources;
        for _ in 0..rng.below(sources.count_ones().into()) {
            sources &= sources - 1;
        }
        Action::Draft { source: sources.trailing_zeros() as u8, color: self.color, line: self.line }
    }
}

/// The draft of the highest rating, found without listing: the worth of a line's tile is worked out once per line
/// and color, and sources that give the same are rated together.
fn best_draft(state: &Azul, weights: &AzulWeights, rng: &mut Generator) -> Action {
    let Turn::Player(seat) = state.turn() else { panic!("no player is to move") };
    let board = state.board(seat);
    let rater = Rater::new(state.rules(), board, weights);
    let mut best = Best { rating: f32::NEG_INFINITY, color: Color::Blue, line: 0, sources: 0, ties: 0 };
    let lines = [rater.line(0), rater.line(1), rater.line(2), rater.line(3), rater.line(4)];
    let mut offers = [Offer::default(); MAX_OFFERS];
    for color in Color::ALL {
        let len = collect_offers(state, color, weights, &mut offers);
        if len == 0 {
            continue;
        }
        for offer in &offers[..len] {
            best.offer(rater.drop_gain(offer), color, 0, offer.sources, rng);
        }
        let progress = rater.color_progress(color);
        let mut open = board.open_lines(color) >> 1;
        while open != 0 {
            let row = open.trailing_zeros() as usize;
            open &= open - 1;
            let target = lines[row].target(color, progress);
            for offer in &offers[..len] {
                best.offer(target.gain(&rater, offer), color, row as u8 + 1, offer.sources, rng);
            }
        }
    }
    best.action(rng)
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo::testing::for_each_variant;

    #[test]
    fn the_fast_choice_has_the_highest_rating() {
        let weights = AzulWeights::default();
        let (mut actions, mut ratings) = (Vec::new(), Vec::new());
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
