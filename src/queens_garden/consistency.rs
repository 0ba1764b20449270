//! Whether a game of Queen's Garden can have reached a state.

use super::counts::{TILES_PER_KIND, TileCounts};
use super::garden::{Area, Garden};
use super::kind::{KINDS, Kind, KindSet};
use super::place::{AREAS, Place};
use super::state::{Board, Phase, QueensGarden, Slot, initial_supply};
use super::{ROUNDS, TOP_TILES};
use crate::consistency::{check_all_there, ensure};
use crate::error::StateError;
use crate::game::Game;
use crate::player::Seat;

/// Checks what has to hold between the values of a state whose boards are possible each by itself, but for
/// the actions of an unfinished turn.
///
/// # Errors
/// The key at which something contradicts the rules or another value.
pub(super) fn check(game: &QueensGarden) -> Result<(), StateError> {
    check_tiles(game)?;
    check_expansions(game)?;
    check_display(game)?;
    check_passed(game)
}

/// All 3 tiles of each kind are there.
fn check_tiles(game: &QueensGarden) -> Result<(), StateError> {
    let mut found = [0; KINDS];
    let mut add = |tiles: TileCounts| tiles.iter().for_each(|kind| found[kind.index()] += 1);
    [game.bag(), game.tower()].into_iter().for_each(&mut add);
    game.slots().iter().map(Slot::tiles).for_each(&mut add);
    game.boards.as_slice().iter().map(Board::tiles).for_each(&mut add);
    for board in game.boards.as_slice() {
        let laid = board.garden.hexagons().filter(|(place, _)| !is_printed(&board.garden, *place));
        laid.for_each(|(_, kind)| found[kind.index()] += 1);
    }
    check_all_there("", Kind::all(), &found, TILES_PER_KIND)
}

fn is_printed(garden: &Garden, place: Place) -> bool {
    place.area() > 0
        && matches!(garden.area(place.area()), Area::FaceUp { rotation, .. } if rotation as usize == place.spot())
}

/// The expansions that lie face up, each with where.
pub(super) fn face_up(game: &QueensGarden) -> Vec<(String, Kind)> {
    let mut all = Vec::new();
    for (i, slot) in game.slots().iter().enumerate() {
        all.extend(slot.kind.map(|kind| (format!("display[{i}].kind"), kind)));
    }
    for (seat, board) in game.boards.iter() {
        let stored = board.expansions.iter();
        all.extend(stored.map(|kind| (format!("boards[{seat}].expansions"), kind)));
        for area in 1..AREAS {
            if let Area::FaceUp { kind, .. } = board.garden.area(area) {
                all.push((format!("boards[{seat}].areas[{}].kind", area - 1), kind));
            }
        }
    }
    all
}

/// Each of the 36 expansions lies at one place, and no more have been revealed than came off the stacks.
fn check_expansions(game: &QueensGarden) -> Result<(), StateError> {
    let mut seen = KindSet::EMPTY;
    for (key, kind) in face_up(game) {
        ensure! {
            "{key}": !game.unseen.contains(kind) => "{kind} is listed in unseen";
            "{key}": !seen.contains(kind) => "found the expansion {kind} twice";
        }
        seen |= KindSet::of(kind);
    }
    let (stack, size, slots) = (game.stack, game.rules.stack_of(game.players()), game.slots());
    let top = usize::from(stack > 0);
    ensure! {
        "stack": stack <= size => "found {stack}, expected at most {size}";
        "display": slots.len() >= top => "expected the stack's top as the last entry";
    }
    let off = &slots[..slots.len() - top];
    let later = (ROUNDS as u8 - game.round) * size;
    let boards = game.boards.as_slice().iter();
    let held: usize = boards.map(|board| usize::from(board.expansions.len()) + laid(&board.garden)).sum();
    let elsewhere = usize::from(later + stack) + off.len() + held;
    let face_down = off.iter().filter(|slot| slot.kind.is_none()).count();
    let hidden = usize::from(initial_supply(game.rules, game.players()) + later + stack) + face_down;
    let (supply, unseen) = (game.supply, game.unseen.len());
    ensure! {
        "display": off.len() <= usize::from(size - stack)
            => "found {} expansions that came off a stack of {size}, of which {stack} are left", off.len();
        "supply": usize::from(supply) + elsewhere == KINDS
            => "found {supply}, but {elsewhere} of the {KINDS} expansions are elsewhere";
        "unseen": usize::from(unseen) >= hidden
            => "found {unseen} kinds, but {hidden} expansions have never been revealed";
    }
    Ok(())
}

fn laid(garden: &Garden) -> usize {
    (1..AREAS).filter(|&area| garden.area(area) != Area::Free).count()
}

/// The display goes with the phase.
fn check_display(game: &QueensGarden) -> Result<(), StateError> {
    let (slots, dealing) = (game.slots(), game.phase == Phase::Deal);
    let top = (game.stack > 0).then(|| slots.len() - 1);
    ensure! { "phase": !dealing || top.is_some() => "found deal, but the stack is empty"; }
    for (i, slot) in slots.iter().enumerate() {
        let is_top = Some(i) == top;
        let short = slot.tiles.total() < TOP_TILES;
        ensure! {
            "display[{i}]": !is_top || slot.kind.is_none() => "the stack's top lies face down";
            "display[{i}]": !is_top || slot.is_bare() == dealing
                => "the stack's top lies empty in phase deal and only there";
            "display[{i}]": !is_top || dealing || !short || game.bag().is_empty()
                => "the stack's top lacks tiles, but the bag has some";
            "display[{i}]": is_top || short
                => "found {TOP_TILES} tiles on an expansion that came off the stack";
            "display[{i}]": is_top || dealing || game.phase == Phase::Reveal || !slot.is_bare()
                => "an empty expansion must be face up in this phase";
        }
    }
    let first_deal = dealing && game.stack == game.rules.stack_of(game.players());
    let fresh = game.marker.is_none() && game.to_move == game.start;
    // The turn that led to another deal took a tile from the former top, which then joined the display.
    let joined = slots.len().checked_sub(2).is_some_and(|i| slots[i].kind.is_none());
    ensure! {
        "phase": game.phase != Phase::Reveal || game.display.first_bare().is_some()
            => "found reveal, but no empty expansion lies face down";
        "phase": !first_deal || fresh
            => "at the first deal of a round the marker lies in the center and the starting seat is next";
        "display": !dealing || first_deal || joined
            => "expected the former top face down before the new one";
    }
    Ok(())
}

/// Who has passed goes with marker, turn and phase.
fn check_passed(game: &QueensGarden) -> Result<(), StateError> {
    let passed = |seat: Seat| game.boards[seat].passed;
    let count = Seat::all(game.players()).filter(|&seat| passed(seat)).count();
    let (phase, round, seat) = (game.phase, game.round, game.to_move);
    let (over, chance) = (phase == Phase::Over, matches!(phase, Phase::Deal | Phase::Reveal));
    let holder = game.marker.unwrap_or_default();
    ensure! {
        "marker": game.marker.is_some() || count == 0
            => "found \"center\", but the first to pass takes the marker";
        "marker": game.marker.is_none() || passed(holder) => "found {holder}, a seat that has not passed";
        "round": !over || usize::from(round) == ROUNDS
            => "found {round}, expected {ROUNDS} when the game is over";
        "boards": !over || count == game.players() => "all seats have passed when the game is over";
        "next": !chance || !passed(seat) => "found {seat}, a seat that has passed";
        "turn": phase != Phase::Discard || passed(seat) => "found {seat}, a seat that has not passed";
        "turn": over || phase == Phase::Discard || !passed(seat) => "found {seat}, a seat that has passed";
    }
    Ok(())
}
