//! The hand-made evaluation of Azul.

use azulejo::azul::{
    Action, Azul, AzulRules, Board, CENTER, COLORS, Color, FLOOR_SPACES, Phase, Wall, WallSide,
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

    fn rate_actions(&self, weights: &AzulWeights, actions: &[Action], ratings: &mut Vec<f32>) {
        ratings.clear();
        let Turn::Player(seat) = self.turn() else { return };
        let board = self.board(seat);
        let rater = Rater::new(self.rules(), board, weights);
        ratings.extend(actions.iter().map(|&action| match action {
            Action::Draft { source, color, line } => {
                let count = self.source(source as usize).count(color.index());
                let takes_marker = source as usize == CENTER && self.marker().is_none();
                rater.target(line as usize, color).gain(&rater, count, takes_marker)
            }
            Action::Tile { row, column } => {
                rater.tile_worth(row as usize, column as usize, board.lines()[row as usize].color)
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

/// What rating the drafts of one player needs to know of the board and the weights.
struct Rater<'a> {
    rules: &'a AzulRules,
    board: &'a Board,
    weights: &'a AzulWeights,
    /// The wall, on the colored side with the complete lines' tiles already placed.
    wall: Wall,
    /// The worth of a floor line by the number of its occupied spaces.
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
        for (space, &points) in rules.floor.iter().enumerate() {
            floor[space + 1] = floor[space] + weights.floor * f32::from(points);
        }
        Rater { rules, board, weights, wall, floor }
    }

    /// The worth of a tile on a free space: the points that it scores and its progress towards the bonuses.
    #[inline]
    fn tile_worth(&self, row: usize, column: usize, color: Color) -> f32 {
        /// What tile number m + 1 of 5 adds to (m / 5)².
        const PROGRESS: [f32; COLORS + 1] = [0.04, 0.12, 0.2, 0.28, 0.36, 0.0];
        let progress = |spaces: u32| PROGRESS[spaces.count_ones() as usize];
        self.weights.tile * f32::from(self.wall.placement_points(row, column))
            + self.weights.column * progress(self.wall.column(column))
            + self.weights.color * progress(self.wall.spaces_of(color))
            + self.weights.row * progress(self.wall.row(row))
    }

    /// The worth of the tile that a line of this color will place: on the gray side in its best column.
    #[inline]
    fn line_worth(&self, row: usize, color: Color) -> f32 {
        match self.rules.wall {
            WallSide::Colored => self.tile_worth(row, Wall::printed_column(row, color), color),
            WallSide::Gray => {
                let columns = self.wall.open_columns(row, color);
                let open = (0..COLORS).filter(|column| columns >> column & 1 == 1);
                open.map(|column| self.tile_worth(row, column, color)).fold(0.0, f32::max)
            }
        }
    }

    /// A line (1 to 5) or the floor (0) as the target of tiles of a color that may go there.
    #[inline]
    fn target(&self, line: usize, color: Color) -> Target {
        let Some(row) = line.checked_sub(1) else {
            return Target { room: 0, before: 0.0, complete: 0.0, incomplete: 0.0, per_tile: 0.0 };
        };
        let held = self.board.lines()[row].count;
        let worth = self.line_worth(row, color);
        let per_tile = self.weights.partial * worth / line as f32 + self.weights.lacking;
        let incomplete = -self.weights.lacking * line as f32 + per_tile * f32::from(held);
        let before = if held == 0 { 0.0 } else { incomplete };
        Target { room: line as u8 - held, before, complete: worth, incomplete, per_tile }
    }
}

/// The worth of one target of a draft, as a function of the tiles that arrive.
struct Target {
    /// The tiles that still fit.
    room: u8,
    /// The worth of what lies there now.
    before: f32,
    /// The worth of the line when it is complete.
    complete: f32,
    /// The worth of the line as it is now if it counts as begun.
    incomplete: f32,
    /// What each tile short of completion adds.
    per_tile: f32,
}

impl Target {
    /// The gain of `count` tiles arriving here, with what falls to the floor.
    #[inline]
    fn gain(&self, rater: &Rater<'_>, count: u8, takes_marker: bool) -> f32 {
        let fallen = count.saturating_sub(self.room);
        let after = if count >= self.room {
            self.complete
        } else {
            self.incomplete + self.per_tile * f32::from(count)
        };
        let floor = rater.board.floor().len();
        let spaces = floor + fallen as usize + usize::from(takes_marker);
        let marker = if takes_marker { rater.weights.marker } else { 0.0 };
        after - self.before + rater.floor[spaces.min(FLOOR_SPACES)] - rater.floor[floor] + marker
    }
}

/// The best action so far, with the number of equally good ones met.
struct Best {
    action: Action,
    rating: f32,
    ties: u64,
}

impl Best {
    /// Takes an action into account; of equal ones each stays with the same probability.
    #[inline]
    fn offer(&mut self, rating: f32, rng: &mut Generator, action: impl FnOnce() -> Action) {
        if rating > self.rating {
            *self = Best { action: action(), rating, ties: 1 };
        } else if rating == self.rating {
            self.ties += 1;
            if rng.below(self.ties) == 0 {
                self.action = action();
            }
        }
    }
}

/// The draft of the highest rating, found color by color without listing: the worth of a line's tile is worked
/// out once per color and line.
fn best_draft(state: &Azul, weights: &AzulWeights, rng: &mut Generator) -> Action {
    let Turn::Player(seat) = state.turn() else { panic!("no player is to move") };
    let board = state.board(seat);
    let rater = Rater::new(state.rules(), board, weights);
    let mut best = Best { action: Action::Tile { row: 0, column: 0 }, rating: f32::NEG_INFINITY, ties: 0 };
    for color in Color::ALL {
        let sources = state.sources_of(color);
        if sources == 0 {
            continue;
        }
        let mut lines = board.open_lines(color);
        while lines != 0 {
            let line = lines.trailing_zeros() as u8;
            lines &= lines - 1;
            let target = rater.target(line.into(), color);
            let mut rest = sources;
            while rest != 0 {
                let source = rest.trailing_zeros() as u8;
                rest &= rest - 1;
                let count = state.source(source.into()).count(color.index());
                let takes_marker = source as usize == CENTER && state.marker().is_none();
                let rating = target.gain(&rater, count, takes_marker);
                best.offer(rating, rng, || Action::Draft { source, color, line });
            }
        }
    }
    best.action
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
