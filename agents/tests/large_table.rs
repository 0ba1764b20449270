//! A large table costs a short search nothing but what it fills. Not a unit test: those count allocations, and the allocator that
//! counts writes memory that others only set aside.

use std::time::{Duration, Instant};

use azulejo::azul::{Azul, AzulRules};
use azulejo::{Game, Generator, intern};
use azulejo_agents::{AgentSpec, Limits};

#[test]
fn a_large_table_is_no_burden_for_a_short_search() {
    let mut state = Azul::new(intern(AzulRules::default()), 2);
    state.play_chance(&mut Generator::new(1));
    let spec: AgentSpec = "minimax:memory=2048,time=20".parse().expect("a spec");
    let mut agent = spec.build::<Azul>().expect("an agent");
    let start = Instant::now();
    for game in 0..4 {
        agent.new_game(game);
        let decision = agent.choose(&state, &Limits::default()).expect("a decision");
        assert!(state.is_legal(decision.action));
    }
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
}
