//! The engine plays whole games without allocating memory.

use azulejo::{Encode, Game, GameSpec, Generator, Turn, spec_of, with_game};

/// The number of allocations while random games are played.
fn allocations<G: Game>(rules: &'static G::Rules, players: usize) -> u64 {
    let mut legal = Vec::with_capacity(G::MAX_LEGAL);
    let mut scratch = Vec::with_capacity(G::MAX_LEGAL);
    let mut rng = Generator::new(1);
    let info = allocation_counter::measure(|| {
        for _ in 0..20 {
            play(G::new(rules, players), &mut rng, &mut legal, &mut scratch);
        }
    });
    info.count_total
}

/// Checks that no game of a variant allocates.
fn check<G: Game>(rules: &'static G::Rules) {
    for players in G::PLAYERS {
        let found = allocations::<G>(rules, players);
        assert_eq!(found, 0, "allocations in {}, {players} players", spec_of::<G>(rules));
    }
}

/// Plays a random game to its end by everything that a search calls.
fn play<G: Game>(
    mut state: G,
    rng: &mut Generator,
    legal: &mut Vec<G::Action>,
    scratch: &mut Vec<G::Action>,
) {
    loop {
        state.legal_actions(legal);
        match state.turn() {
            Turn::Over => break,
            Turn::Chance => {
                let outcome = state.sample_chance(rng);
                state.check_chance(&outcome).expect("a drawn outcome is possible");
                state.apply_chance(&outcome);
            }
            Turn::Player(_) => {
                let action = state.random_action(rng, scratch);
                assert!(legal.binary_search(&action).is_ok() && state.is_legal(action));
                state.apply(action);
            }
        }
        std::hint::black_box(state.scores());
    }
    std::hint::black_box(state.wins());
}

#[test]
fn no_game_allocates_while_it_is_played() {
    for spec in GameSpec::all() {
        with_game!(spec, |rules: &'static G::Rules| check::<G>(rules));
    }
}

#[test]
fn the_counter_counts() {
    let info = allocation_counter::measure(|| _ = std::hint::black_box(Vec::<u8>::with_capacity(100)));
    assert_eq!(info.count_total, 1);
}

#[test]
fn nothing_is_allocated_to_encode_a_state() {
    for spec in GameSpec::all().into_iter() {
        with_game!(spec, |rules: &'static G::Rules| check_encoding::<G>(rules));
    }
}

fn check_encoding<G: Encode>(rules: &'static G::Rules) {
    for players in G::PLAYERS {
        assert_eq!(encode_a_game::<G>(rules, players), 0, "allocations in {}", spec_of::<G>(rules));
    }
}

/// Encodes all states and actions of a random game; returns the number of allocations.
fn encode_a_game<G: Encode>(rules: &'static G::Rules, players: usize) -> u64 {
    let mut legal = Vec::with_capacity(G::MAX_LEGAL);
    let mut features = Vec::with_capacity(G::MAX_ACTIVE);
    let (mut state, mut rng) = (G::new(rules, players), Generator::new(1));
    let info = allocation_counter::measure(|| {
        while state.turn() != Turn::Over {
            state.encode(&mut features);
            state.legal_actions(&mut legal);
            let outputs = legal.iter().map(|&action| state.output(action));
            std::hint::black_box(outputs.sum::<usize>());
            state.play_random(&mut rng, &mut legal);
        }
    });
    info.count_total
}
