//! Azul: tiles moved to the wall, the floor line, the final bonuses, and a handicap if there is one.

use azulejo::azul::{Azul, AzulRules, Board, Phase};
use azulejo::{Game, MAX_PLAYERS, Move, Seat};

use super::{ScoreBreakdown, ScoreSources};

const TILES: usize = 0;
const ROWS: usize = 1;
const COLUMNS: usize = 2;
const COLORS: usize = 3;
/// The floor line, and what the marker costs beside it.
const FLOOR: usize = 4;
const START: usize = 5;

impl ScoreSources for Azul {
    const SOURCES: &'static [&'static str] = &["tiles", "rows", "columns", "colors", "floor", "start"];

    fn sources(rules: &AzulRules) -> &'static [&'static str] {
        if rules.handicap == [0; MAX_PLAYERS] { &Self::SOURCES[..START] } else { Self::SOURCES }
    }

    fn attribute_start(start: &Self, breakdown: &mut ScoreBreakdown) {
        let given = start.boards().iter().filter(|(_, board)| board.score() != 0);
        given.for_each(|(seat, board)| breakdown.add(seat, START, board.score()));
    }

    fn attribute(before: &Self, _played: &Move<Self>, after: &Self, breakdown: &mut ScoreBreakdown) {
        let (rules, over) = (after.rules(), after.phase() == Phase::Over);
        for seat in Seat::all(after.players()) {
            let (was, is) = (before.board(seat), after.board(seat));
            // Most moves leave the points of all seats as they are.
            if !over && was.score() == is.score() && was.wall() == is.wall() {
                continue;
            }
            let tiles = tile_points(was, is);
            let wall = is.wall();
            let bonuses = [
                (ROWS, wall.complete_rows() * rules.row_bonus),
                (COLUMNS, wall.complete_columns() * rules.column_bonus),
                (COLORS, wall.complete_colors() * rules.color_bonus),
            ];
            let mut rest = is.score() - was.score() - tiles;
            breakdown.add(seat, TILES, tiles);
            for (source, points) in bonuses.into_iter().filter(|_| over) {
                breakdown.add(seat, source, points);
                rest -= points;
            }
            // Nothing else changes a score: what is left is what the floor line took.
            debug_assert!(rest <= 0, "the floor line of seat {seat} is worth {rest} points");
            breakdown.add(seat, FLOOR, rest);
        }
    }
}

/// The points of the tiles that were moved to a wall, from the top row to the bottom.
fn tile_points(before: &Board, after: &Board) -> i16 {
    let mut wall = *before.wall();
    let mut points = 0;
    for row in 0..azulejo::azul::COLORS {
        for column in 0..azulejo::azul::COLORS {
            if let (None, Some(color)) = (wall.color_at(row, column), after.wall().color_at(row, column)) {
                points += wall.placement_points(row, column);
                wall.place(row, column, color);
            }
        }
    }
    points
}
