//! Azul: drafts, the starting player marker, the floor line, what is complete in the end.

use azulejo::azul::{Action, Azul, Board, Phase};
use azulejo::{Game, Move, Ply, Seat, Turn};

use super::{GameHabits, Habit, HabitTally, habits, yes};

habits! {
    FIRST_TILES = "first draft: tiles", Mean;
    FIRST_CENTER = "first draft: from the center", Share;
    FIRST_LINE = "first draft: length of the line", Mean;
    EARLY_TILES = "tiles a draft, rounds 1 and 2", Mean;
    TILES = "tiles a draft", Mean;
    CENTER = "drafts from the center", Share;
    LINE = "length of the line of a draft", Mean;
    COMPLETED = "drafts that complete their line", Share;
    FLOORED = "tiles on the floor", Total;
    MARKERS = "markers taken", Total;
    EARLY_MARKER = "of these with half of the factories left", Share;
    ROWS = "complete rows", Total;
    COLUMNS = "complete columns", Total;
    COLORS = "complete colors", Total;
    WALL = "tiles on the wall", Total;
}

impl GameHabits for Azul {
    const HABITS: &'static [Habit] = LIST;

    fn note(ply: &Ply<'_, Self>, tally: &mut HabitTally) {
        if let (Turn::Player(mover), Move::Action(Action::Draft { source, color, line })) =
            (ply.before.turn(), ply.played)
        {
            let tiles = ply.before.source((*source).into()).count(color.index());
            note_draft(&ply.before, mover, (*source, tiles, *line), tally);
        }
        if ply.after.phase() == Phase::Over {
            Seat::all(ply.after.players()).for_each(|seat| note_end(ply.after.board(seat), seat, tally));
        }
    }
}

fn note_draft(before: &Azul, mover: Seat, (source, tiles, line): (u8, u8, u8), tally: &mut HabitTally) {
    let board = before.board(mover);
    let from_center = yes(source == 0);
    if before.round() == 1 && is_untouched(board) {
        tally.add(mover, FIRST_TILES, tiles);
        tally.add(mover, FIRST_CENTER, from_center);
        tally.add(mover, FIRST_LINE, line);
    }
    if before.round() <= 2 {
        tally.add(mover, EARLY_TILES, tiles);
    }
    tally.add(mover, TILES, tiles);
    tally.add(mover, CENTER, from_center);
    tally.add(mover, LINE, line);
    // Line 0 is the floor, which takes everything.
    let room = line.checked_sub(1).map_or(0, |row| line - board.lines()[row as usize].count);
    tally.add(mover, COMPLETED, yes(line > 0 && tiles >= room));
    tally.add(mover, FLOORED, tiles.saturating_sub(room));
    if source == 0 && before.marker().is_none() {
        let left = (1..=before.factories()).filter(|&factory| !before.source(factory).is_empty()).count();
        tally.add(mover, MARKERS, 1.0);
        tally.add(mover, EARLY_MARKER, yes(2 * left >= before.factories()));
    }
}

/// Whether a seat has not drafted yet.
fn is_untouched(board: &Board) -> bool {
    board.floor().is_empty() && board.lines().iter().all(|line| line.count == 0)
}

fn note_end(board: &Board, seat: Seat, tally: &mut HabitTally) {
    let wall = board.wall();
    let size = azulejo::azul::COLORS;
    let tiles = (0..size * size).filter(|&space| wall.color_at(space / size, space % size).is_some()).count();
    tally.add(seat, ROWS, wall.complete_rows());
    tally.add(seat, COLUMNS, wall.complete_columns());
    tally.add(seat, COLORS, wall.complete_colors());
    tally.add(seat, WALL, tiles as f64);
}
