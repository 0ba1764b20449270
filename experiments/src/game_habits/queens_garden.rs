//! Queen's Garden: acquisitions, jokers, expansions, the order of passing.

use azulejo::queens_garden::{Action, Board, Phase, QueensGarden, Selection};
use azulejo::{Game, Move, Ply, Seat, Turn};

use super::{GameHabits, Habit, HabitTally, habits, yes};

habits! {
    FIRST_ITEMS = "first acquisition: items", Mean;
    FIRST_COLOR = "first acquisition: of a color", Share;
    ACQUIRED = "acquisitions", Total;
    ITEMS = "items an acquisition", Mean;
    BY_COLOR = "acquisitions of a color", Share;
    JOKERS = "jokers paid", Total;
    JOKERS_LEFT = "jokers at the end", Total;
    HEXAGONS = "hexagons in the garden", Total;
    VALUE = "value of a hexagon in the garden", Mean;
    FACE_UP = "expansions placed face up", Total;
    FACE_DOWN = "expansions bought face down", Total;
    DISCARDED = "items discarded", Total;
    FIRST_PASS = "rounds passed first", Share;
    PASS_PLACE = "place in the order of passing", Mean;
}

impl GameHabits for QueensGarden {
    const HABITS: &'static [Habit] = LIST;

    fn note(ply: &Ply<'_, Self>, tally: &mut HabitTally) {
        if let (Turn::Player(mover), Move::Action(action)) = (ply.before.turn(), ply.played) {
            note_action(ply, mover, *action, tally);
        }
        if ply.after.phase() == Phase::Over {
            Seat::all(ply.after.players()).for_each(|seat| note_end(ply.after.board(seat), seat, tally));
        }
    }
}

/// The tiles and expansions of a storage.
fn stored(board: &Board) -> i32 {
    i32::from(board.tiles().total()) + i32::from(board.expansions().len())
}

fn note_action(ply: &Ply<'_, QueensGarden>, mover: Seat, action: Action, tally: &mut HabitTally) {
    let gained = stored(ply.after.board(mover)) - stored(ply.before.board(mover));
    match action {
        Action::Acquire(selection) => note_acquisition(&ply.before, mover, selection, tally),
        Action::Expansion(_) => tally.add(mover, FACE_UP, 1.0),
        Action::Buy(_) => tally.add(mover, FACE_DOWN, 1.0),
        Action::Pass => {
            let before = ply.before.boards().iter().filter(|(_, board)| board.passed()).count();
            tally.add(mover, FIRST_PASS, yes(before == 0));
            tally.add(mover, PASS_PLACE, before as f64 + 1.0);
        }
        _ => {}
    }
    // What goes into a storage is placed, paid, discarded or left there: jokers pay the rest of what placements cost.
    match action {
        Action::Acquire(_) | Action::Take(_) => tally.add(mover, JOKERS, -gained),
        Action::Pass | Action::Drop(_) | Action::DropExpansion(_) | Action::Done => {
            tally.add(mover, JOKERS, -gained);
            tally.add(mover, DISCARDED, -gained);
        }
        _ => {}
    }
}

fn note_acquisition(before: &QueensGarden, mover: Seat, selection: Selection, tally: &mut HabitTally) {
    let kinds = selection.kinds();
    let is_shown = |kind| before.slots().iter().any(|slot| slot.shown().contains(kind));
    let items = kinds.iter().filter(|&kind| is_shown(kind)).count() as f64;
    let of_color = yes(matches!(selection, Selection::Color(_)));
    let board = before.board(mover);
    if before.round() == 1 && stored(board) == 0 && board.garden().filled() == 0 {
        tally.add(mover, FIRST_ITEMS, items);
        tally.add(mover, FIRST_COLOR, of_color);
    }
    tally.add(mover, ACQUIRED, 1.0);
    tally.add(mover, ITEMS, items);
    tally.add(mover, BY_COLOR, of_color);
}

fn note_end(board: &Board, seat: Seat, tally: &mut HabitTally) {
    let mut spent = stored(board);
    for (_, kind) in board.garden().hexagons() {
        tally.add(seat, HEXAGONS, 1.0);
        tally.add(seat, VALUE, kind.value());
        spent += i32::from(kind.value());
    }
    tally.add(seat, JOKERS, spent);
    tally.add(seat, JOKERS_LEFT, board.jokers());
}
