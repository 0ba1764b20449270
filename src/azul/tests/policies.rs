//! Ways to play that reach what uniform random play hardly ever sees, compared with the twin.

use super::twin::AzulTwin;
use crate::azul::{Action, Azul, FACTORY_TILES, Wall};
use crate::game::{Game, Turn};
use crate::testing::{self, TestPolicy, prefer};

fn to_floor(_: &Azul, action: Action) -> bool {
    matches!(action, Action::Draft { line: 0, .. })
}

fn to_line(state: &Azul, action: Action) -> bool {
    !to_floor(state, action)
}

/// Nothing that completes a wall row, so that the game goes on.
fn prolongs(state: &Azul, action: Action) -> bool {
    let Turn::Player(seat) = state.turn() else { return false };
    let board = state.board(seat);
    match action {
        Action::Draft { line: 0, .. } | Action::Tile { .. } => true,
        Action::Draft { source, color, line } => {
            let row = line as usize - 1;
            let count = state.source(source.into()).count(color.index());
            board.wall().row(row).count_ones() < 4 || board.lines()[row].count + count < line
        }
    }
}

/// Long games, with tiles kept in lines as far as possible.
fn hoards(state: &Azul, action: Action) -> bool {
    prolongs(state, action) && to_line(state, action)
}

/// Tries `hoards` first, then `prolongs`.
fn hoard() -> impl TestPolicy<Azul> {
    let (first, second) = (prefer(1.0, hoards), prefer(1.0, prolongs));
    move |state: &Azul, legal: &mut Vec<Action>, rng: &mut crate::Generator| {
        if legal.iter().any(|&action| hoards(state, action)) {
            first(state, legal, rng)
        } else {
            second(state, legal, rng)
        }
    }
}

/// Compares with the twin in every variant, under this policy.
fn compare(policy: &impl TestPolicy<Azul>, seed: u64) {
    testing::for_each_variant::<Azul>(|rules, players| {
        let games = testing::games_to_play(40).div_ceil(10);
        testing::compare_with_twin_under::<Azul, AzulTwin>(policy, rules, players, games, seed);
    });
}

#[test]
fn twin_agrees_when_everything_goes_to_the_floor() {
    compare(&prefer(1.0, to_floor), 2);
}

#[test]
fn twin_agrees_when_lines_are_preferred() {
    compare(&prefer(1.0, to_line), 3);
}

#[test]
fn twin_agrees_when_half_goes_to_the_floor() {
    compare(&prefer(0.5, to_floor), 4);
}

#[test]
fn twin_agrees_in_long_games() {
    compare(&prefer(1.0, prolongs), 5);
    compare(&prefer(0.97, prolongs), 6);
}

#[test]
fn twin_agrees_when_tiles_are_hoarded() {
    compare(&hoard(), 7);
}

/// What happened in games, to show that a policy reaches it.
#[derive(Debug, Default)]
struct Seen {
    last_round: u32,
    column: u32,
    color: u32,
    lid_poured: u32,
    short_factory: u32,
    full_floor: u32,
}

impl Seen {
    fn visit(&mut self, state: &Azul) {
        let over = state.turn() == Turn::Over;
        let walls = || state.boards().as_slice().iter().map(|board| *board.wall());
        let no_row = walls().all(|wall| wall.complete_rows() == 0);
        self.last_round += u32::from(over && state.round() == 50 && no_row);
        self.column += u32::from(over && walls().any(|wall: Wall| wall.complete_columns() > 0));
        self.color += u32::from(over && walls().any(|wall| wall.complete_colors() > 0));
        self.full_floor += u32::from(state.boards().as_slice().iter().any(|board| board.floor().len() == 7));
        if state.turn() == Turn::Chance {
            let places = state.factories() as u32 * u32::from(FACTORY_TILES);
            let (bag, lid) = (u32::from(state.bag().total()), u32::from(state.lid().total()));
            self.lid_poured += u32::from(bag < places && lid > 0);
            self.short_factory += u32::from(bag + lid < places);
        }
    }
}

#[test]
fn the_policies_reach_the_rare_endings_and_refills() {
    let mut seen = Seen::default();
    testing::for_each_variant::<Azul>(|rules, players| {
        testing::play_games(&hoard(), rules, players, 20, 8, |state| seen.visit(state));
        testing::play_games(&prefer(1.0, prolongs), rules, players, 20, 9, |state| seen.visit(state));
    });
    let Seen { last_round, column, color, lid_poured, short_factory, full_floor } = seen;
    for count in [last_round, column, color, lid_poured, short_factory, full_floor] {
        assert!(count > 0, "{seen:?}");
    }
}

#[test]
fn play_to_the_floor_ends_after_round_50() {
    testing::for_each_variant::<Azul>(|rules, players| {
        testing::play_games(&prefer(1.0, to_floor), rules, players, 2, 10, |state: &Azul| {
            assert!(state.round() <= 50);
            if state.turn() == Turn::Over {
                assert_eq!((state.round(), state.scores().as_slice()), (50, &vec![0; players][..]));
            }
        });
    });
}
