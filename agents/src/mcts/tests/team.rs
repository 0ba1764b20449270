//! Several threads in one tree find what one does, lose nothing, and leave no supposed losses.

use azulejo::queens_garden::QueensGarden;
use azulejo::summer_pavilion::SummerPavilion;

use super::*;
use crate::neural::NeuralParameters;
use crate::parameters::AgentParameters;

/// A choice without limits but those of the agent.
fn choose<G: crate::Playable>(agent: &mut dyn Agent<G>, state: &G) -> (G::Action, SearchSummary<G>) {
    let decision = agent.choose(state, &Limits::default()).expect("a decision");
    (decision.action, decision.search.expect("a search"))
}

#[test]
fn every_simulation_counts_once() {
    let specs = [("mcts:sims=301,threads=3", 301), ("neural:sims=64,threads=2", 64)];
    for (spec, nodes) in specs {
        let mut agent = agent::<Azul>(spec);
        agent.new_game(5);
        let (action, search) = choose(&mut *agent, &opening(1));
        assert_eq!(search.nodes, nodes);
        // The root's own evaluation is no visit of an action.
        let visits: u64 = search.visits.iter().map(|(_, visits)| u64::from(*visits)).sum();
        assert_eq!(visits, nodes - 1, "{spec}");
        assert!(search.visits.is_sorted_by(|a, b| a.1 >= b.1), "{spec}");
        assert_eq!((action, search.candidates[0].action), (search.visits[0].0, search.visits[0].0));
    }
}

#[test]
fn a_team_finds_the_best_moves() {
    for threads in [2, 3, 8] {
        for spec in SPECS {
            let spec = format!("{spec},threads={threads}");
            let (action, values) = search("0(1([9 0] [0 9]) 1([5 5] [9 0]))", 2, &spec);
            assert_eq!(action, 1, "{spec}");
            assert!(values[0].abs() < 0.15, "{spec}: {values:?} should be an even game");
            let (action, _) = search("0(1([9 9 0] [0 1 9]) [9 9 9])", 3, &spec);
            assert_eq!(action, 0, "{spec}");
            let (action, _) = search("0(*(3:[9 0] 1:[0 9]) *(1:[9 0] 3:[0 9]))", 2, &spec);
            assert_eq!(action, 0, "{spec}");
        }
    }
}

/// By the win alone sums are whole numbers, which no rounding changes: what remained of a supposed loss would be seen.
#[test]
fn no_supposed_loss_remains() {
    let toy = Toy::parse("0(1([9 0] [0 9] 0([9 0] [0 9])) 1(0([0 9] [9 0]) [9 0]))", 2);
    let selection = SelectionRule::Puct { c: 2.0, fpu: 0.0 };
    let rules = TreeRules { selection, chance: ChanceTreatment::Sample, memory: 1 << 26 };
    let utility = Utility { margin: 0.0 };
    let evaluator =
        || -> Box<dyn Evaluator<Toy>> { Box::new(Rollout::new(RandomPolicy::default(), utility)) };
    let limits = Limits::default();
    for seed in 0..20 {
        let helpers = (0..3).map(|_| evaluator());
        let mut searcher = Searcher::new(rules, utility, evaluator()).with_helpers(helpers);
        searcher.reset(seed);
        let budget = SimulationBudget {
            simulations: 500,
            clock: SearchClock::start(TimeLimits::default()),
            limits: &limits,
            decides: false,
            pause: None,
            cpu_before: Duration::ZERO,
        };
        let effort = searcher.search(&toy, &budget).expect("threads start");
        assert_eq!((effort.nodes, effort.depth, effort.cpu), (500, 3, None));
        let tree = searcher.tree();
        let mut below = VecDeque::from([tree.top]);
        while let Some(id) = below.pop_front() {
            let node = *tree.node(id);
            let [first, second, ..] = node.sums;
            assert!(first == -second && first == first.round(), "{:?} of {}", node.sums, node.visits);
            assert!(first.abs() <= node.visits as f32);
            if let Below::Children(children) = node.below() {
                let tried: Vec<NodeId> =
                    (0..children.tried).map(|place| tree.arena.child(children, place)).collect();
                let visits: u32 = tried.iter().map(|&child| tree.node(child).visits).sum();
                // One was judged here; those that came before its value was known went on.
                assert_eq!(node.visits - visits, 1, "{visits} of {}", node.visits);
                below.extend(tried);
            }
        }
    }
}

#[test]
fn teams_play_whole_games_with_trees_that_they_keep() {
    fn play<G: crate::Playable>(players: usize, specs: [&str; 2]) {
        let rules = intern(<G::Rules as azulejo::Rules>::variants().swap_remove(0));
        let mut agents = specs.map(agent::<G>);
        agents.iter_mut().zip(1..).for_each(|(agent, seed)| agent.new_game(seed));
        let (mut state, mut rng) = (G::new(rules, players), Generator::new(7));
        while state.turn() != Turn::Over {
            let played = match state.turn() {
                Turn::Player(seat) => {
                    let (action, search) = choose(&mut *agents[seat.index() % 2], &state);
                    assert!(state.is_legal(action) && search.nodes <= 40);
                    // A goal is worth something beside the utility, which would reach from -1 to 1.
                    assert!(search.values.iter().all(|(_, value)| value.abs() < 2.0), "{:?}", search.values);
                    let all: f32 = search.wins.iter().map(|(_, share)| *share).sum();
                    assert!((all - 1.0).abs() < 1e-4, "{:?}", search.wins);
                    Move::Action(action)
                }
                _ => Move::Outcome(state.sample_chance(&mut rng)),
            };
            played.apply(&mut state);
            agents.iter_mut().for_each(|agent| agent.observe(&played));
        }
    }
    let specs = ["mcts:sims=40,threads=3", "neural:sims=40,threads=2"];
    play::<Azul>(2, specs);
    play::<SummerPavilion>(3, specs);
    play::<QueensGarden>(4, ["neural:sims=40,threads=2,root=gumbel", "neural:sims=40,threads=3,goal=wheel"]);
}

#[test]
fn a_team_ends_with_its_time_and_at_the_order_to_stop() {
    let state = opening(2);
    let mut agent = agent::<Azul>("neural:time=60000,threads=2");
    agent.new_game(1);
    let start = Instant::now();
    let time = Some(Duration::from_millis(30));
    let limits = Limits { time, candidates: 1, ..Limits::default() };
    let search = agent.choose(&state, &limits).expect("a decision").search.expect("a search");
    assert!(search.nodes > 10 && start.elapsed() < Duration::from_secs(2));
    assert!(search.cpu <= Some(start.elapsed() * 2), "{:?}", search.cpu);
    let stop = std::sync::atomic::AtomicBool::new(true);
    let limits = Limits { stop: Some(&stop), ..Limits::default() };
    assert!(agent.choose(&state, &limits).expect("a decision").search.expect("a search").nodes < 100);
}

#[test]
fn a_full_tree_ends_the_search_of_a_team() {
    let mut agent = agent::<Azul>("mcts:rollout=none,sims=100000000,memory=1,threads=3");
    agent.new_game(1);
    let (_, search) = choose(&mut *agent, &opening(3));
    assert!((1000..1_000_000).contains(&search.nodes), "{}", search.nodes);
}

#[test]
fn what_several_threads_cannot_do_is_refused() {
    let refused = |spec: &str| {
        let spec: AgentSpec = spec.parse().expect("a spec");
        spec.build::<Azul>().err().expect("it is refused").to_string()
    };
    let expected = "agent 'neural', parameter 'threads': found '2', expected 1 with batch";
    assert_eq!(refused("neural:threads=2,batch=4"), expected);
    let parameters = NeuralParameters::from_pairs("threads=2").expect("parameters");
    let evaluator = Box::new(Rollout::new(RandomPolicy::default(), Utility { margin: 0.0 }));
    assert!(crate::neural::searching::<Azul>(&parameters, evaluator).is_err());
}
