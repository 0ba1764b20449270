//! Kinds of mistakes at Summer Pavilion.

use azulejo::summer_pavilion::{Action, CENTER, Color, Slot, SummerPavilion};
use azulejo::{Game, Turn};

use super::{MistakeKind, first_difference};

/// A source with the color that is taken from it.
type Taken = (usize, Color);

/// A slot with the color placed there and the wild tiles paid.
type Placed = (Slot, Color, u8);

/// The kind of a mistake at Summer Pavilion.
pub(in crate::words) fn mistake_kind(state: &SummerPavilion, played: Action, better: Action) -> MistakeKind {
    match (played, better) {
        (Action::Acquire { source, color }, Action::Acquire { source: from, color: other }) => {
            acquired(state, [(source.into(), color), (from.into(), other)])
        }
        (Action::Place { slot, color, wilds }, Action::Place { slot: to, color: other, wilds: paid }) => {
            placed(state, [(slot, color, wilds), (to, other, paid)])
        }
        (Action::Pass, _) => MistakeKind::new("passed", "a tile placed"),
        (_, Action::Pass) => MistakeKind::new("a tile placed", "passed"),
        (Action::Bonus(one), Action::Bonus(other)) => bonus(state, one, other),
        (Action::Keep(_), Action::Keep(_)) => MistakeKind::new("one color kept", "another color kept"),
        (Action::Done, _) => MistakeKind::new("tiles discarded", "tiles kept"),
        (_, Action::Done) => MistakeKind::new("tiles kept", "tiles discarded"),
        _ => MistakeKind::ANY,
    }
}

/// A bonus tile of another color.
fn bonus(state: &SummerPavilion, played: Color, better: Color) -> MistakeKind {
    let wild = |color: Color| i32::from(color == state.wild());
    first_difference([played, better], &[(&wild, "an ordinary bonus tile", "a wild bonus tile")])
        .unwrap_or(MistakeKind::new("one bonus tile", "another bonus tile"))
}

fn acquired(state: &SummerPavilion, taken: [Taken; 2]) -> MistakeKind {
    let wild = state.wild();
    let wilds = |(source, _): Taken| i32::from(state.source(source).count(wild.index()) > 0);
    let tiles = |(source, color): Taken| match color == wild {
        true => 1,
        false => i32::from(state.source(source).count(color.index())) + wilds((source, color)),
    };
    let marker = |(source, _): Taken| i32::from(source == CENTER && state.token().is_none());
    let found = first_difference(
        taken,
        &[
            (&marker, "starting marker left", "starting marker taken"),
            (&wilds, "no wild tile taken", "a wild tile taken"),
            (&tiles, "fewer tiles taken", "more tiles taken"),
        ],
    );
    let same_color = taken[0].1 == taken[1].1;
    found.unwrap_or(if same_color {
        MistakeKind::new("one source", "another source")
    } else {
        MistakeKind::new("one color taken", "another color taken")
    })
}

fn placed(state: &SummerPavilion, placements: [Placed; 2]) -> MistakeKind {
    let Turn::Player(seat) = state.turn() else { return MistakeKind::ANY };
    let after = |(slot, color, wilds): Placed| {
        let mut next = *state;
        next.apply(Action::Place { slot, color, wilds });
        next
    };
    let bonus = |placed: Placed| i32::from(after(placed).owed());
    let points = |placed: Placed| i32::from(after(placed).board(seat).score());
    let price = |(slot, _, _): Placed| i32::from(state.rules().side.cost(slot));
    // Where the tile itself has the wild color, all that is paid is wild.
    let wilds = |placed: Placed| match placed.1 == state.wild() {
        true => price(placed),
        false => i32::from(placed.2),
    };
    let found = first_difference(
        placements,
        &[
            (&bonus, "bonus missed", "bonus taken"),
            (&wilds, "fewer wild tiles spent", "more wild tiles spent"),
            (&points, "fewer points at once", "more points at once"),
            (&price, "a cheaper slot", "a dearer slot"),
        ],
    );
    let same_slot = placements[0].0 == placements[1].0;
    found.unwrap_or(if same_slot {
        MistakeKind::new("one payment", "another payment")
    } else {
        MistakeKind::new("one slot", "another slot")
    })
}
