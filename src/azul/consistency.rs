//! Whether a game of Azul can have reached a state.

use super::{
    Azul, Board, COLORS, Color, FACTORY_TILES, FLOOR_SPACES, MAX_FACTORIES, Phase, TILES_PER_COLOR, WallSide,
};
use crate::consistency::{check_all_there, check_offered, ensure, totals};
use crate::error::StateError;
use crate::game::Game;
use crate::player::Seat;

/// Checks what has to hold between the values of a state whose boards are possible each by itself.
///
/// # Errors
/// The key at which something contradicts the rules or another value.
pub(super) fn check(azul: &Azul) -> Result<(), StateError> {
    let parts = azul.sources.into_iter().chain([azul.bag(), azul.lid()]);
    let parts = parts.chain(azul.boards.as_slice().iter().map(Board::tiles));
    check_all_there("of color ", Color::ALL, &totals::<COLORS>(parts), TILES_PER_COLOR)?;
    check_phase(azul)
}

/// The phase goes with what lies on the table.
fn check_phase(azul: &Azul) -> Result<(), StateError> {
    let (phase, last_round) = (azul.phase, azul.rules.last_round);
    let any = |holds: fn(&Board) -> bool| azul.boards.as_slice().iter().any(holds);
    let ended = matches!(phase, Phase::Deal | Phase::Over);
    let row = any(|board| board.wall.complete_rows() > 0);
    check_offered(&azul.holders, phase == Phase::Draft)?;
    ensure! {
        "phase": !row || matches!(phase, Phase::Tile | Phase::Over)
            => "a wall row is complete: expected the game to be over";
    }
    check_offer(azul)?;
    check_marker(azul)?;
    ensure! {
        "boards": !(ended && any(|board| !board.floor.is_empty()))
            => "expected empty floor lines in this phase";
        "boards": !(ended && any(|board| board.complete_lines() != 0))
            => "a complete line must have been tiled in this phase";
        "phase": phase != Phase::Deal || !azul.stock.is_empty()
            => "no tile is left to deal: expected over";
        "phase": phase != Phase::Over || row || azul.stock.is_empty() || azul.round >= last_round
            => "over, but no wall row is complete and there are tiles left to deal";
    }
    if phase == Phase::Tile { check_tiling(azul) } else { Ok(()) }
}

/// The center fills only from emptied factories, so that no more can be on offer than 9 factories of 4
/// colors.
fn check_offer(azul: &Azul) -> Result<(), StateError> {
    const MOST: u32 = MAX_FACTORIES as u32 * FACTORY_TILES as u32;
    let groups: u32 = Color::ALL.iter().map(|&color| azul.sources_of(color).count_ones()).sum();
    ensure! {
        "center": groups <= MOST
            => "found {groups} groups of a color in factories and center, expected at most {MOST}";
    }
    Ok(())
}

/// The marker lies at one place only: in the center, or on its holder's floor unless that was full or the
/// marker takes no space there.
fn check_marker(azul: &Azul) -> Result<(), StateError> {
    for (seat, board) in azul.boards.iter() {
        let holds = azul.marker == Some(seat);
        let takes_space = azul.rules.marker_spaces > 0;
        let on_floor = board.floor.has_marker() || board.floor.len() == FLOOR_SPACES || !takes_space;
        let lying = matches!(azul.phase, Phase::Draft | Phase::Tile);
        ensure! {
            "boards[{seat}].floor": holds && takes_space || !board.floor.has_marker()
                => "the marker is elsewhere";
            "boards[{seat}].floor": !(holds && lying) || on_floor
                => "expected the marker *, which this seat holds";
        }
    }
    ensure! {
        "marker": azul.marker.is_none() || azul.phase != Phase::Deal => "expected \"center\" in phase deal";
    }
    Ok(())
}

/// Gray wall: it is the turn of the first seat that has a complete line, and that line has an open column.
fn check_tiling(azul: &Azul) -> Result<(), StateError> {
    let complete = |seat: &Seat| azul.boards[*seat].complete_lines() != 0;
    let (seat, first) = (azul.to_move, azul.start.around(azul.players()).find(complete));
    ensure! {
        "phase": azul.rules.wall == WallSide::Gray => "found tile, which only the gray wall has";
        "phase": first.is_some() => "found tile, expected another one: no line is complete";
        "turn": first == Some(seat)
            => "found {seat}, expected {}, the first seat with a complete line", first.unwrap_or_default();
    }
    let mut legal = Vec::new();
    azul.legal_actions(&mut legal);
    ensure! {
        "boards[{seat}].lines": !legal.is_empty()
            => "the first complete line has no open column: it should lie on the floor";
    }
    Ok(())
}
