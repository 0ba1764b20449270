//! Whether a game of Summer Pavilion can have reached a state.

use super::{COLORS, Color, Phase, SummerPavilion, TILES_PER_COLOR};
use crate::consistency::{check_all_there, check_offered, ensure, totals};
use crate::error::StateError;
use crate::tiles::Tiles;

/// Checks what has to hold between the values of a state whose boards are possible each by itself.
///
/// # Errors
/// The key at which something contradicts the rules or another value.
pub(super) fn check(game: &SummerPavilion) -> Result<(), StateError> {
    check_tiles(game)?;
    check_sources(game)?;
    check_seats(game)?;
    check_turn(game)
}

/// All tiles of each color are there.
fn check_tiles(game: &SummerPavilion) -> Result<(), StateError> {
    let boards = game.boards.as_slice();
    let parts = game.sources.into_iter().chain([game.supply, game.bag(), game.depot()]);
    let mut found: [u32; COLORS] =
        totals(parts.chain(boards.iter().flat_map(|board| [board.hand, board.kept])));
    for color in Color::ALL {
        found[color.index()] += boards.iter().map(|board| board.slots_of(color).count_ones()).sum::<u32>();
    }
    check_all_there("of color ", Color::ALL, &found, TILES_PER_COLOR)
}

/// Where tiles lie and what is drawn goes with the phase; the token only moves while tiles are taken.
fn check_sources(game: &SummerPavilion) -> Result<(), StateError> {
    check_offered(&game.holders, game.phase == Phase::Acquire)?;
    let (phase, owed, supply) = (game.phase, game.owed, game.supply.total());
    let most = game.rules.most_bonus_tiles().min(supply);
    ensure! {
        "token": game.token.is_none() || phase != Phase::Deal => "expected \"center\" in phase deal";
        "phase": !game.stock.is_empty() || !matches!(phase, Phase::Deal | Phase::Supply)
            => "bag and depot are empty: nothing can be drawn";
        "supply": phase != Phase::Supply || supply < game.rules.supply
            => "found {supply} tiles: nothing is to be drawn in phase supply";
        "owed": phase == Phase::Bonus || owed == 0 => "found {owed}, expected 0 in this phase";
        "owed": phase != Phase::Bonus || (1..=most).contains(&owed)
            => "found {owed}, expected 1 to {most}, which the supply holds and a placement earns";
    }
    Ok(())
}

/// Who has passed, and what those hold, goes with the phase.
fn check_seats(game: &SummerPavilion) -> Result<(), StateError> {
    let (phase, most) = (game.phase, game.rules.keep_limit);
    for (seat, board) in game.boards.iter() {
        let keeping = phase == Phase::Keep && seat == game.to_move;
        let (held, kept) = (board.hand.total(), board.kept.total());
        ensure! {
            "boards[{seat}].passed": !(board.passed && matches!(phase, Phase::Deal | Phase::Acquire))
                => "found true, expected false in this phase";
            "boards[{seat}].kept": board.passed || kept == 0 => "found tiles, but the seat has not passed";
            "boards[{seat}].hand": !board.passed || keeping || held == 0
                => "found tiles, but the seat has passed";
            "boards[{seat}].hand": phase != Phase::Deal || held <= most
                => "found {held} tiles, expected at most {most}";
            "boards[{seat}].passed": phase != Phase::Over || board.passed
                => "found false, expected true at over";
            "boards[{seat}].kept": phase != Phase::Over || kept == 0
                => "found tiles, which lie in the depot at over";
        }
    }
    Ok(())
}

/// The seat to move can move, and what comes next can come next.
fn check_turn(game: &SummerPavilion) -> Result<(), StateError> {
    let (phase, round, rounds, seat) = (game.phase, game.round, game.rules.rounds, game.to_move);
    let board = &game.boards[seat];
    let all_passed = game.boards.as_slice().iter().all(|board| board.passed);
    let can_keep = board.kept.total() < game.rules.keep_limit && !board.keepable().is_empty();
    ensure! {
        "turn": !(board.passed && matches!(phase, Phase::Place | Phase::Bonus))
            => "found {seat}, but that seat has passed";
        "turn": phase != Phase::Keep || board.passed => "found {seat}, but that seat has not passed";
        "boards[{seat}].hand": phase != Phase::Keep || can_keep
            => "nothing more can be kept: the turn has ended";
        "phase": phase != Phase::Over || round == rounds
            => "found over in round {round}, expected it in round {rounds}";
        "next": phase == Phase::Supply || game.next.is_none()
            => "found a seat, expected null in this phase";
    }
    if phase == Phase::Supply {
        check_next(game, all_passed)?;
        ensure! {
            "phase": !(all_passed && round == rounds)
                => "all have passed in the last round: expected over";
        }
    }
    Ok(())
}

/// Phase supply: afterwards comes a seat that has not passed; the next round, if all have; or the first deal.
fn check_next(game: &SummerPavilion, all_passed: bool) -> Result<(), StateError> {
    let Some(seat) = game.next else {
        let all = Tiles::each(COLORS, TILES_PER_COLOR);
        let untouched = game.bag() == all && game.boards.as_slice().iter().all(|board| !board.passed);
        let setup = game.round == 1 && game.token.is_none() && untouched;
        ensure! {
            "next": all_passed || setup
                => "found null, expected a seat: not all have passed, nor is this the start";
        }
        return Ok(());
    };
    ensure! { "next": !game.boards[seat].passed => "found {seat}, but that seat has passed"; }
    Ok(())
}
