//! Ways to play that build gardens, which uniform random play hardly ever does, compared with the twin.

use rand::RngExt;

use super::twin::QueensGardenTwin;
use crate::game::{Game, Turn};
use crate::queens_garden::{Action, Phase, QueensGarden};
use crate::seed::Generator;
use crate::testing::{self, TestPolicy};

/// Places whenever possible, else acquires, else buys an expansion, and passes only when nothing else is
/// left. A share of the choices is uniform, so that all sorts of positions come up.
fn gardener(state: &QueensGarden, legal: &mut Vec<Action>, rng: &mut Generator) -> Action {
    let rank = |action: Action| match action {
        Action::Expansion(_) => 4,
        Action::Tile(_) => 3,
        Action::Acquire(_) => 2,
        Action::Buy(_) => 1,
        Action::At(place) => neighbors(state, place.neighbors()),
        Action::Done => 1,
        _ => 0,
    };
    if rng.random_bool(0.9) {
        let best = legal.iter().map(|&action| rank(action)).max().unwrap();
        legal.retain(|&action| rank(action) == best);
    }
    legal[rng.below(legal.len() as u64) as usize]
}

/// How many hexagons the player to move has on these places.
fn neighbors(state: &QueensGarden, places: u64) -> u32 {
    let Turn::Player(seat) = state.turn() else { return 0 };
    (state.board(seat).garden().filled() & places).count_ones()
}

/// Collects until the storage is full before anything is placed.
fn collector(state: &QueensGarden, legal: &mut Vec<Action>, rng: &mut Generator) -> Action {
    let acquires = |action: &Action| matches!(action, Action::Acquire(_) | Action::Take(_));
    if rng.random_bool(0.8) && legal.iter().any(acquires) {
        legal.retain(acquires);
        return legal[rng.below(legal.len() as u64) as usize];
    }
    gardener(state, legal, rng)
}

/// Compares with the twin in every variant, under this policy.
fn compare(policy: &impl TestPolicy<QueensGarden>, seed: u64) {
    testing::for_each_variant::<QueensGarden>(|rules, players| {
        let games = testing::games_to_play(10);
        testing::compare_with_twin_under::<QueensGarden, QueensGardenTwin>(
            policy, rules, players, games, seed,
        );
    });
}

#[test]
fn twin_agrees_when_gardens_are_built() {
    compare(&gardener, 2);
}

#[test]
fn twin_agrees_when_storages_are_filled_first() {
    compare(&collector, 3);
}

/// What the comparisons above come across.
#[derive(Debug, Default)]
struct Seen {
    full_rings: u32,
    pavilions: u32,
    statues: u32,
    big_groups: u32,
    choices_of_slots: u32,
    paid_expansions: u32,
}

#[test]
fn the_policies_reach_what_uniform_play_does_not() {
    let mut seen = Seen::default();
    testing::for_each_variant::<QueensGarden>(|rules, players| {
        testing::play_games::<QueensGarden>(&gardener, rules, players, 20, 4, |state| {
            seen.choices_of_slots += u32::from(state.phase() == Phase::Take);
            let paid = |action: &Action| matches!(action, Action::PayExpansion(_));
            seen.paid_expansions += u32::from(state.pending().actions().iter().any(paid));
            if state.turn() == Turn::Over {
                state.boards().as_slice().iter().for_each(|board| seen.garden(board.garden(), rules));
            }
        });
    });
    assert!(
        seen.full_rings > 5 && seen.pavilions > 5 && seen.statues > 5 && seen.big_groups > 5,
        "the policy builds too little: {seen:?}"
    );
    assert!(seen.choices_of_slots > 50 && seen.paid_expansions > 5, "{seen:?}");
}

impl Seen {
    fn garden(
        &mut self,
        garden: &crate::queens_garden::Garden,
        rules: &crate::queens_garden::QueensGardenRules,
    ) {
        use crate::queens_garden::place::{AROUND_GAP, ring};
        let full = |places: u64| garden.filled() & places == places;
        self.full_rings += u32::from(full(ring(0)));
        self.statues += AROUND_GAP.iter().filter(|&&around| full(around)).count() as u32;
        self.pavilions += (1..7).filter(|&area| full(ring(area))).count() as u32;
        self.big_groups += u32::from(garden.group_points(rules) > 20);
    }
}
