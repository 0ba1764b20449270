//! Keys of what evaluations depend on, under which their results are kept.

use azulejo::queens_garden::{
    Board, Color, Garden, KINDS, Kind, PATTERNS, Pattern, Phase, QueensGarden, QueensGardenRules, TileCounts,
};
use azulejo::{Game, Indexed, MAX_PLAYERS, Seat};

use super::stage::Stage;
use crate::cache::KeyHash;

/// The key of what the choices of the player to move depend on: the legal actions and their ratings by one set
/// of weights.
pub(super) fn choice_key(state: &QueensGarden) -> u64 {
    let (rules, board, pending) = (state.rules(), state.board(state.to_move()), state.pending().actions());
    // More points than any price or deduction asks for change nothing.
    let enough = rules.expansion_price.max(rules.score_floor.saturating_add(PATTERNS as i16));
    let points = board.score().min(enough) as u64;
    let hash = KeyHash::EMPTY.with(state.phase() as u64, pending.len() as u64);
    let hash = with_garden(hash, rules, board.garden());
    let hash = match state.phase() {
        // A place is as good whatever the storage holds, and the display matters only by how much is gone.
        Phase::Place => with_stage(hash, Stage::of(state)),
        Phase::Pay | Phase::Discard => {
            with_stage(with_storage(hash, board), Stage::of(state)).with(points, 0)
        }
        _ => {
            let (marker, supply) = (state.marker().is_some().into(), u64::from(state.supply() > 0));
            with_display(with_storage(hash, board), state).with(points, supply).with(marker, 0)
        }
    };
    pending.iter().fold(hash, |hash, action| hash.with(action.index() as u64, 0)).key()
}

/// The key of what a garden gains by each kind depends on, beside weights.
pub(super) fn gains_key(rules: &'static QueensGardenRules, garden: &Garden, stage: Stage) -> u64 {
    with_stage(with_garden(KeyHash::EMPTY, rules, garden), stage).key()
}

/// The key of a board in a round, from 0; whether it has passed is left out.
pub(super) fn board_key(rules: &'static QueensGardenRules, board: &Board, round: usize) -> u64 {
    with_storage(with_garden(KeyHash::EMPTY, rules, board.garden()), board)
        .with(round as u64, board.score() as u64)
        .key()
}

/// The key of what the value of a state and the insights into it depend on, beside weights.
pub(super) fn value_key(state: &QueensGarden) -> u64 {
    let hash = state.boards().iter().fold(KeyHash::EMPTY, |hash, (_, board)| {
        let hash = with_storage(with_garden(hash, state.rules(), board.garden()), board);
        hash.with(board.score() as u64, board.passed().into())
    });
    let marker = state.marker().map_or(MAX_PLAYERS, Seat::index);
    with_display(hash, state).with(state.to_move().index() as u64, marker as u64).key()
}

#[inline(always)]
fn with_stage(hash: KeyHash, stage: Stage) -> KeyHash {
    hash.with(stage.round as u64, stage.gone.to_bits().into())
}

/// The display with the stack, and what the game waits for.
#[inline(always)]
fn with_display(hash: KeyHash, state: &QueensGarden) -> KeyHash {
    let table = [state.phase() as u8, state.round() as u8, state.players() as u8, state.stack()];
    let hash = hash.with(u32::from_le_bytes(table).into(), state.slots().len() as u64);
    state.slots().iter().fold(hash, |hash, slot| {
        let face = slot.kind().map_or(KINDS, Kind::index) as u64;
        with_tiles(hash, slot.tiles(), face)
    })
}

/// Areas count by their places: what is printed on an expansion lies on one of them.
#[inline(always)]
fn with_garden(hash: KeyHash, rules: &'static QueensGardenRules, garden: &Garden) -> KeyHash {
    // For each place the number of its color and that of its pattern, from 1, bit by bit.
    let bits = |[a, b, c, d, e, f]: [u64; 6]| [a | c | e, b | c | f, d | e | f];
    let colors = bits(Color::ALL.map(|color| garden.places_of_color(color)));
    let patterns = bits(Pattern::ALL.map(|pattern| garden.places_of_pattern(pattern)));
    let hash =
        colors.into_iter().zip(patterns).fold(hash, |hash, (color, pattern)| hash.with(color, pattern));
    // Rules are never moved nor freed.
    hash.with(garden.free(), std::ptr::from_ref(rules) as u64)
}

#[inline(always)]
fn with_storage(hash: KeyHash, board: &Board) -> KeyHash {
    with_tiles(hash, board.tiles(), board.jokers().into()).with(board.expansions().mask(), 0)
}

/// `beside` is below 2²⁴.
#[inline(always)]
fn with_tiles(hash: KeyHash, tiles: TileCounts, beside: u64) -> KeyHash {
    let word = tiles.word();
    hash.with(word as u64, (word >> 64) as u64 | beside << 40)
}
