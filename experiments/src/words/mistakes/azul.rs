//! Kinds of mistakes at Azul.

use azulejo::azul::{Action, Azul, Board, CENTER, COLORS, Color};
use azulejo::{Game, Turn};

use super::{MistakeKind, first_difference};

/// Tiles of a color from a source into a line.
#[derive(Clone, Copy)]
struct Draft {
    source: usize,
    color: Color,
    line: usize,
}

/// The kind of a mistake at Azul.
pub(in crate::words) fn mistake_kind(state: &Azul, played: Action, better: Action) -> MistakeKind {
    let Turn::Player(seat) = state.turn() else { return MistakeKind::ANY };
    let board = state.board(seat);
    if let [Some(played), Some(better)] = [played, better].map(draft_of) {
        return draft(state, board, [played, better]);
    }
    let points = |action: Action| match action {
        Action::Tile { row, column } => board.wall().placement_points(row.into(), column.into()).into(),
        Action::Draft { .. } => 0,
    };
    first_difference([played, better], &[(&points, "fewer points at once", "more points at once")])
        .unwrap_or(MistakeKind::new("one column", "another column"))
}

fn draft_of(action: Action) -> Option<Draft> {
    match action {
        Action::Draft { source, color, line } => {
            Some(Draft { source: source.into(), color, line: line.into() })
        }
        Action::Tile { .. } => None,
    }
}

fn draft(state: &Azul, board: &Board, drafts: [Draft; 2]) -> MistakeKind {
    let count = |draft: Draft| i32::from(state.source(draft.source).count(draft.color.index()));
    let room = |draft: Draft| match draft.line.checked_sub(1) {
        Some(row) => (draft.line - usize::from(board.lines()[row].count)) as i32,
        None => 0,
    };
    let falls = |draft: Draft| (count(draft) - room(draft)).max(0);
    let any_falls = |draft: Draft| i32::from(falls(draft) > 0);
    let marker = |draft: Draft| i32::from(draft.source == CENTER && state.marker().is_none());
    let completes = |draft: Draft| i32::from(draft.line > 0 && count(draft) >= room(draft));
    let ends = |draft: Draft| i32::from(completes(draft) > 0 && last_of_row(board, draft.line));
    let line = |draft: Draft| draft.line as i32;
    let found = first_difference(
        drafts,
        &[
            (&ends, "no row completed", "a row completed: the game ends"),
            (&any_falls, "no tiles to the floor", "tiles to the floor"),
            (&marker, "starting marker left", "starting marker taken"),
            (&falls, "fewer tiles to the floor", "more tiles to the floor"),
            (&completes, "a line left open", "a line completed"),
            (&line, "a shorter line", "a longer line"),
        ],
    );
    found.or_else(|| other_tiles(drafts, count)).unwrap_or(MistakeKind::new("one source", "another source"))
}

/// Drafts into the same line that differ in their tiles.
fn other_tiles([played, better]: [Draft; 2], count: impl Fn(Draft) -> i32) -> Option<MistakeKind> {
    if played.color == better.color {
        return first_difference(
            [played, better],
            &[(&count, "fewer tiles of the color", "more tiles of the color")],
        );
    }
    Some(MistakeKind::new("one color", "another color for the same line"))
}

/// Whether a line is all that its row of the wall waits for.
fn last_of_row(board: &Board, line: usize) -> bool {
    board.wall().row(line - 1).count_ones() as usize == COLORS - 1
}
