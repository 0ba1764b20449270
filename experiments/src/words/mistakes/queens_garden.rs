//! Kinds of mistakes at Queen's Garden.

use azulejo::queens_garden::{Action, Kind, KindSet, Place, QueensGarden, Selection};

use super::{MistakeKind, first_difference};

/// What a turn's first action begins; the rest of a turn is compared step by step.
fn beginning(action: Action) -> Option<&'static str> {
    match action {
        Action::Acquire(_) => Some("tiles taken"),
        Action::Tile(_) => Some("a tile placed"),
        Action::Expansion(_) => Some("an expansion placed"),
        Action::Buy(_) => Some("an expansion bought"),
        Action::Pass => Some("passed"),
        _ => None,
    }
}

/// The kind of a mistake at Queen's Garden.
pub(in crate::words) fn mistake_kind(state: &QueensGarden, played: Action, better: Action) -> MistakeKind {
    if let [Some(played), Some(better)] = [played, better].map(beginning)
        && played != better
    {
        return MistakeKind::new(played, better);
    }
    match (played, better) {
        (Action::Acquire(one), Action::Acquire(other)) => acquired(state, [one, other]),
        (Action::Tile(one), Action::Tile(other)) | (Action::Expansion(one), Action::Expansion(other)) => {
            placed([one, other])
        }
        (Action::At(one), Action::At(other)) => laid(state, [one, other]),
        (Action::Take(_), Action::Take(_)) => {
            MistakeKind::new("one expansion's tile", "another expansion's tile")
        }
        (Action::Buy(_), Action::Buy(_)) => MistakeKind::new("one area", "another area"),
        _ => paid(played, better).or_else(|| discarded(played, better)).unwrap_or(MistakeKind::ANY),
    }
}

/// How many pieces a selection brings, and whether there is an expansion among them.
fn acquired(state: &QueensGarden, selections: [Selection; 2]) -> MistakeKind {
    let expansions = |selection: Selection| {
        let mut faces = state.slots().iter().filter_map(|slot| slot.kind());
        i32::from(faces.any(|kind| selection.kinds().contains(kind)))
    };
    let pieces = |selection: Selection| {
        let taken = state.slots().iter().map(|slot| slot.shown() & selection.kinds());
        i32::from(taken.fold(KindSet::EMPTY, |all, some| all | some).len())
    };
    let found = first_difference(
        selections,
        &[
            (&expansions, "no expansion taken", "an expansion taken"),
            (&pieces, "fewer tiles taken", "more tiles taken"),
        ],
    );
    found.unwrap_or(MistakeKind::new("one color or pattern", "another color or pattern"))
}

/// What is placed, by what it costs.
fn placed(kinds: [Kind; 2]) -> MistakeKind {
    let price = |kind: Kind| i32::from(kind.value());
    first_difference(kinds, &[(&price, "a cheaper piece placed", "a dearer piece placed")])
        .unwrap_or(MistakeKind::new("one color placed", "another color placed"))
}

/// Where it is placed: beside how many of its own color or pattern, beside how many tiles at all.
fn laid(state: &QueensGarden, places: [Place; 2]) -> MistakeKind {
    let garden = state.board(state.to_move()).garden();
    let own = match state.pending().actions() {
        [Action::Tile(kind) | Action::Expansion(kind), ..] => {
            garden.places_of_color(kind.color()) | garden.places_of_pattern(kind.pattern())
        }
        _ => 0,
    };
    let of_its_kind = |place: Place| (place.neighbors() & own).count_ones() as i32;
    let near = |place: Place| (place.neighbors() & garden.filled()).count_ones() as i32;
    let found = first_difference(
        places,
        &[
            (&of_its_kind, "beside fewer of its color or pattern", "beside more of its color or pattern"),
            (&near, "beside fewer tiles", "beside more tiles"),
        ],
    );
    found.unwrap_or(MistakeKind::new("one place", "another place"))
}

/// What is paid with: jokers, expansions, or tiles by their value.
fn paid(played: Action, better: Action) -> Option<MistakeKind> {
    let is_payment = |action| matches!(action, Action::Pay(_) | Action::PayExpansion(_) | Action::Joker);
    if !is_payment(played) || !is_payment(better) {
        return None;
    }
    let jokers = |action| i32::from(action == Action::Joker);
    let expansions = |action| i32::from(matches!(action, Action::PayExpansion(_)));
    let value = |action| match action {
        Action::Pay(kind) | Action::PayExpansion(kind) => i32::from(kind.value()),
        _ => 0,
    };
    let found = first_difference(
        [played, better],
        &[
            (&jokers, "paid with tiles", "paid with jokers"),
            (&expansions, "paid with a tile", "paid with an expansion"),
            (&value, "paid with a lower value", "paid with a higher value"),
        ],
    );
    Some(found.unwrap_or(MistakeKind::new("paid with one color", "paid with another color")))
}

/// What is discarded, and what kept, after a pass.
fn discarded(played: Action, better: Action) -> Option<MistakeKind> {
    match (played, better) {
        (Action::Done, Action::Drop(_) | Action::DropExpansion(_)) => {
            Some(MistakeKind::new("the rest kept", "more discarded"))
        }
        (Action::Drop(_) | Action::DropExpansion(_), Action::Done) => {
            Some(MistakeKind::new("more discarded", "the rest kept"))
        }
        (Action::Drop(_) | Action::DropExpansion(_), Action::Drop(_) | Action::DropExpansion(_)) => {
            Some(MistakeKind::new("one piece discarded", "another piece discarded"))
        }
        _ => None,
    }
}
