//! The engine plays whole games without allocating memory.

use azulejo::{Encode, Game, GameSpec, GameVisitor, Generator, MAX_PLAYERS, Turn, for_each_game};

/// Plays random games; gives the number of allocations while playing.
struct CountAllocations {
    players: usize,
}

impl GameVisitor for CountAllocations {
    type Output = u64;

    fn visit<G: Game>(self, rules: &'static G::Rules) -> u64 {
        let mut legal = Vec::with_capacity(G::MAX_LEGAL);
        let mut scratch = Vec::with_capacity(G::MAX_LEGAL);
        let mut rng = Generator::new(1);
        let info = allocation_counter::measure(|| {
            for _ in 0..20 {
                play(G::new(rules, self.players), &mut rng, &mut legal, &mut scratch);
            }
        });
        info.count_total
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
        for players in 2..=MAX_PLAYERS {
            assert_eq!(
                spec.visit(CountAllocations { players }),
                0,
                "allocations in {spec}, {players} players"
            );
        }
    }
}

#[test]
fn the_counter_counts() {
    let info = allocation_counter::measure(|| _ = std::hint::black_box(Vec::<u8>::with_capacity(100)));
    assert_eq!(info.count_total, 1);
}

macro_rules! encodings {
    ($($name:ident => $game:ty,)+) => {
        #[test]
        fn nothing_is_allocated_to_encode_a_state() {
            for players in 2..=MAX_PLAYERS {
                $(assert_eq!(encode_a_game::<$game>(players), 0, "allocations in {}", <$game as Game>::ID);)+
            }
        }
    };
}

for_each_game!(encodings);

/// Encodes all states and actions of a random game; gives the number of allocations.
fn encode_a_game<G: Encode>(players: usize) -> u64 {
    let rules = azulejo::intern(<G::Rules as azulejo::Rules>::variants().swap_remove(0));
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
