//! What a search tells of its candidates, against sums of every value that was found after each action.

use std::collections::BTreeMap;

use azulejo::queens_garden::QueensGarden;
use azulejo::summer_pavilion::SummerPavilion;
use azulejo::testing::for_each_variant;

use super::*;
use crate::agent::SearchedAction;

/// What was found after an action: how often, and the sums of the shares of the win and the leads, seat by seat.
type Log<G> = BTreeMap<<G as Game>::Action, (u32, Vec<f64>, Vec<f64>)>;

/// Makes simulations that go to actions drawn at random, and logs what each of them found.
fn logged<G: crate::Playable>(
    tree: &mut Tree<G>,
    evaluator: &mut dyn Evaluator<G>,
    rng: &mut Generator,
    log: &mut Log<G>,
) {
    let mut leaf = tree.leaf();
    assert!(tree.expand_root(evaluator, rng).is_ready());
    let actions: Vec<_> = tree.root_children().iter().map(|child| child.action).collect();
    for _ in 0..400 {
        let place = rng.below(actions.len() as u64) as u16;
        assert!(tree.gather(&mut leaf, evaluator, rng, Some(place)).is_ready());
        let utility = Utility { margin: 0.5 };
        let found = match leaf.state.turn() {
            Turn::Over => utility.of(&leaf.state),
            _ => evaluator.value(&leaf.state),
        };
        tree.apply(&leaf, &found);
        if leaf.depth() > 0 {
            let (count, wins, leads) = log.entry(actions[place as usize]).or_default();
            *count += 1;
            for (sums, found) in [(wins, found.wins), (leads, found.leads)] {
                sums.resize(found.players(), 0.0);
                sums.iter_mut().zip(found.as_slice()).for_each(|(sum, &value)| *sum += f64::from(value));
            }
        }
    }
}

fn check_tallies<G: crate::Playable>(tree: &Tree<G>, log: &Log<G>) {
    for child in tree.root_children() {
        let means = tree.tally(child.action).means(tree.root().players());
        let expected = log.get(&child.action).map(|(count, wins, leads)| {
            [wins, leads].map(|sums| sums.iter().map(|sum| (sum / f64::from(*count)) as f32).collect())
        });
        let means = means.map(|means| means.map(|mean| mean.as_slice().to_vec()));
        assert_eq!(means, expected, "{} in\n{}", child.action, tree.root());
    }
}

#[test]
fn a_candidate_has_the_mean_of_all_that_was_found_after_it() {
    fn check<G: crate::Playable>() {
        for_each_variant::<G>(|rules, players| {
            let mut state = G::new(rules, players);
            let mut rng = Generator::new(players as u64);
            while state.turn() == Turn::Chance {
                state.play_chance(&mut rng);
            }
            let selection = SelectionRule::Puct { c: 1.0, fpu: 0.0 };
            let rules = TreeRules { selection, chance: ChanceTreatment::Sample, memory: 1 << 26 };
            let mut tree = Tree::new(state, rules, 1);
            let values = Box::new(Rollout::new(RandomPolicy::default(), Utility { margin: 0.5 }));
            let mut evaluator = ValuePolicy::<G>::new(values, Default::default(), 1.0);
            let mut log = Log::<G>::new();
            // Also what is found by a second search of the same root counts, and nothing of what was found before a move.
            for _ in 0..2 {
                logged(&mut tree, &mut evaluator, &mut rng, &mut log);
                check_tallies(&tree, &log);
            }
            tree.follow_action(tree.root_actions()[0].0);
            if let Turn::Player(_) = tree.root().turn() {
                check_tallies(&tree, &Log::<G>::new());
                let mut log = Log::<G>::new();
                logged(&mut tree, &mut evaluator, &mut rng, &mut log);
                check_tallies(&tree, &log);
            }
        });
    }
    check::<Azul>();
    check::<SummerPavilion>();
    check::<QueensGarden>();
}

const ALL: Limits<'static> =
    Limits { nodes: None, time: None, cpu: None, stop: None, candidates: usize::MAX };

/// Whether candidates are in good order: each once, legal, the chosen one first, the others by visits.
fn check_candidates<G: crate::Playable>(state: &G, decision: &Decision<G>) {
    let search = decision.search.as_ref().expect("a search");
    let candidates = decision.candidates();
    assert_eq!(candidates[0].action, decision.action);
    let by_visits = |a: &SearchedAction<G>, b: &SearchedAction<G>| a.visits >= b.visits;
    assert!(candidates[1..].is_sorted_by(by_visits), "{candidates:?}");
    let visited = candidates.iter().filter(|it| it.visits > 0);
    let mut listed: Vec<_> = visited.map(|it| (it.action, it.visits)).collect();
    let mut visited = search.visits.clone();
    listed.sort();
    visited.sort();
    assert_eq!(listed, visited);
    for SearchedAction { action, win, lead, line, .. } in candidates {
        assert!(state.is_legal(*action) && line[0] == *action);
        assert!((0.0..=1.0001).contains(win) && lead.abs() < 400.0, "{action} {win} {lead}");
    }
    assert!((search.wins.as_slice().iter().sum::<f32>() - 1.0).abs() < 1e-3, "{:?}", search.wins);
}

/// Asks one agent for all candidates and another of the same spec for none, along a game: they choose the same.
fn candidates_change_no_choice<G: crate::Playable>(players: usize, spec: &str) {
    let rules = intern(<G::Rules as azulejo::Rules>::variants().swap_remove(0));
    let (mut state, mut rng) = (G::new(rules, players), Generator::new(5));
    let mut agents = [agent::<G>(spec), agent::<G>(spec)];
    agents.iter_mut().for_each(|agent| agent.new_game(3));
    let (mut choices, mut legal) = (0, Vec::new());
    while choices < 6 && state.turn() != Turn::Over {
        let played = match state.turn() {
            Turn::Player(_) => {
                state.legal_actions(&mut legal);
                let asked = if legal.len() > 1 { ALL } else { Limits::default() };
                let found = agents[0].choose(&state, &asked).expect("a decision");
                let expected = agents[1].choose(&state, &Limits::default()).expect("a decision");
                if legal.len() > 1 {
                    check_candidates(&state, &found);
                }
                let told = |decision: &Decision<G>| {
                    let search = decision.search.as_ref().expect("a search");
                    (search.visits.clone(), search.values, search.wins, search.candidates[0].clone())
                };
                assert_eq!(told(&found), told(&expected), "{spec}");
                assert_eq!(expected.candidates().len(), 1);
                choices += 1;
                Move::Action(found.action)
            }
            _ => Move::Outcome(state.sample_chance(&mut rng)),
        };
        played.apply(&mut state);
        agents.iter_mut().for_each(|agent| agent.observe(&played));
    }
}

#[test]
fn candidates_are_told_of_all_searches_and_change_no_choice() {
    for spec in ["mcts:sims=120", "mcts:sims=120,rollout=greedy,margin=0", "mcts:sims=120,margin=1"] {
        candidates_change_no_choice::<Azul>(2, spec);
        candidates_change_no_choice::<SummerPavilion>(3, spec);
        candidates_change_no_choice::<QueensGarden>(4, spec);
    }
    for spec in ["neural:sims=40", "neural:sims=40,root=gumbel", "neural:sims=40,batch=4,rollout=random"] {
        candidates_change_no_choice::<Azul>(4, spec);
        candidates_change_no_choice::<SummerPavilion>(2, spec);
        candidates_change_no_choice::<QueensGarden>(3, spec);
    }
}

#[test]
fn known_ends_have_their_shares_and_leads_whatever_the_margin() {
    let toy = Toy::parse("0([9 0 4] [5 5 5] [0 9 1] [7 0 0])", 3);
    for margin in [0.0, 0.5, 1.0] {
        let mut agent = agent::<Toy>(&format!("mcts:rollout=random,sims=400,margin={margin},c=20"));
        agent.new_game(1);
        let decision = agent.choose(&toy, &ALL).expect("a decision");
        let mut told: Vec<_> =
            decision.candidates().iter().map(|it| (it.action.0, it.win, it.lead)).collect();
        told.sort_by_key(|it| it.0);
        let third = (1.0_f64 / 3.0) as f32;
        assert_eq!(told, [(0, 1.0, 5.0), (1, third, 0.0), (2, 0.0, -9.0), (3, 1.0, 7.0)], "margin {margin}");
    }
}

#[test]
fn an_action_that_no_simulation_of_this_search_went_to_has_the_value_of_a_look() {
    let (mut state, mut rng) = (opening(3), Generator::new(1));
    let mut agent = agent::<Azul>("mcts:rollout=none,sims=600");
    agent.new_game(1);
    let first = agent.choose(&state, &Limits::default()).expect("a decision");
    state.apply(first.action);
    agent.observe(&Move::Action(first.action));
    let decision = agent.choose(&state, &Limits { nodes: Some(2), ..ALL }).expect("a decision");
    let policy = GreedyPolicy::new(Default::default());
    let mut valuation =
        Valuation::<Azul>::new(Horizon::Here, policy, Default::default(), Utility { margin: 0.8 });
    let Turn::Player(seat) = state.turn() else { panic!("a player's turn") };
    let looks = decision.candidates().iter().filter(|it| {
        let mut after = state;
        after.apply(it.action);
        let look = valuation.value(&after);
        (it.win, it.lead) == (look.wins[seat], look.leads[seat])
    });
    let (looks, all) = (looks.count(), decision.candidates().len());
    assert!(all > 5 && looks >= all - 2, "{looks} of {all}");
    // The look is no draw of the evaluator's.
    let mut rollout = Rollout::new(RandomPolicy::default(), Utility { margin: 0.5 });
    Evaluator::<Azul>::reseed(&mut rollout, rng.below(9));
    let before = crate::evaluator::peek(&mut rollout, &state);
    assert_eq!(before, rollout.value(&state));
}

#[test]
fn a_forced_move_is_searched_where_candidates_are_asked_for() {
    let forced = Toy::parse("0(1([1 0] [0 1]))", 2);
    let mut agent = agent::<Toy>("mcts:sims=100,rollout=random");
    agent.new_game(1);
    let search = |decision: Decision<Toy>| (decision.candidates().len(), decision.search.unwrap().nodes);
    assert_eq!(search(agent.choose(&forced, &Limits::default()).unwrap()), (1, 2));
    agent.new_game(1);
    let asked = Limits { candidates: 3, ..Limits::default() };
    assert_eq!(search(agent.choose(&forced, &asked).unwrap()), (1, 100));
    for over in ["[1 0]", "*(1:[1 0] 1:[0 1])"] {
        assert_eq!(agent.choose(&Toy::parse(over, 2), &asked).err(), Some(AgentError::NoTurn));
    }
    let few = super::agent::<Azul>("mcts:sims=200").choose(&opening(1), &asked).unwrap();
    assert_eq!(few.candidates().len(), 3);
}

#[test]
fn who_watches_a_search_sees_it_grow_and_changes_nothing() {
    let state = opening(4);
    let watched = |spec: &str, limits: &Limits<'_>| {
        let (mut agent, mut seen) = (agent::<Azul>(spec), Vec::new());
        agent.new_game(1);
        let decision = agent
            .choose_watched(&state, limits, &mut |search| seen.push((search.nodes, search.candidates.len())))
            .expect("a decision");
        (decision, seen)
    };
    std::thread::scope(|scope| {
        for spec in ["mcts:threads=2", "neural"] {
            let watched = &watched;
            scope.spawn(move || {
                let time = Some(Duration::from_millis(1400));
                let (decision, seen) = watched(spec, &Limits { time, candidates: 2, ..Limits::default() });
                let nodes = decision.search.unwrap().nodes;
                assert!(!seen.is_empty() && seen.len() < 7, "{spec}: {seen:?}");
                assert!(
                    seen.iter().all(|seen| *seen == (seen.0, 2) && seen.0 < nodes),
                    "{spec}: {seen:?} {nodes}"
                );
            });
        }
    });
    for spec in ["mcts:sims=300", "neural:sims=64,root=gumbel"] {
        let mut agent = agent::<Azul>(spec);
        agent.new_game(1);
        let told = |decision: Decision<Azul>| {
            let search = decision.search.unwrap();
            (decision.action, search.visits, search.values, search.nodes, search.candidates)
        };
        let (decision, seen) = watched(spec, &Limits::default());
        assert!(seen.is_empty(), "{spec}");
        assert_eq!(told(decision), told(agent.choose(&state, &Limits::default()).unwrap()), "{spec}");
    }
    assert!(
        watched("mcts:cpu=1100,threads=2", &Limits::default()).0.search.unwrap().cpu
            < Some(Duration::from_millis(2400))
    );
}
