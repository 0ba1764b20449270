mod candidates;
mod team;

use std::collections::{HashMap, VecDeque};
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use azulejo::azul::{Azul, AzulRules};
use azulejo::{Generator, Move, Seat, intern};

use super::node::{Below, NONE, NodeId, TreeNode};
use super::*;
use crate::evaluator::Expectation;
use crate::registry::AgentSpec;
use crate::toy::{Child, Toy};

fn agent<G: crate::Playable>(spec: &str) -> Box<dyn Agent<G>> {
    spec.parse::<AgentSpec>().expect("a spec").build().expect("an agent")
}

/// The action and the root's values after a search with pure win share as utility.
fn search(tree: &str, players: usize, spec: &str) -> (usize, Vec<f32>) {
    let toy = Toy::parse(tree, players);
    let mut agent = agent::<Toy>(spec);
    agent.new_game(1);
    let decision = agent.choose(&toy, &Limits::default()).expect("a decision");
    (decision.action.0, decision.search.expect("a search").values.as_slice().to_vec())
}

const SPECS: [&str; 3] = [
    "mcts:sims=4000,rollout=random,select=uct,prior=0,margin=0",
    "mcts:sims=4000,rollout=random,margin=0,c=2",
    "mcts:sims=4000,rollout=random,margin=0,c=2,chance=afterstate",
];

#[test]
fn finds_the_minimax_move_of_two_players() {
    // The left move may win but the answer to it loses; the right move shares the win against the best answer.
    for spec in SPECS {
        let (action, values) = search("0(1([9 0] [0 9]) 1([5 5] [9 0]))", 2, spec);
        assert_eq!(action, 1, "{spec}");
        assert!(values[0].abs() < 0.1, "{spec}: {values:?} should be an even game");
    }
}

#[test]
fn each_of_three_seats_maximizes_its_own_value() {
    for spec in SPECS {
        // On the left seat 1 shares its win with seat 0, though it could give everything to seat 2: half a win is
        // more than the third on the right. A search that sees all others as opponents of seat 0 would go right.
        let (action, values) = search("0(1([9 9 0] [0 1 9]) [9 9 9])", 3, spec);
        assert_eq!(action, 0, "{spec}");
        assert!(values[0].abs() < 0.1 && values[2] < -0.8, "{spec}: {values:?}");
        // On the right seat 1 takes its own win; on the left it has none to take.
        let (action, _) = search("0(1([9 0 0] [9 1 0]) 1([9 0 0] [0 9 0]))", 3, spec);
        assert_eq!(action, 0, "{spec}");
    }
}

#[test]
fn chance_is_weighted_by_probability() {
    // Left wins 3 times of 8, right 5 times of 8.
    for spec in SPECS {
        let (action, values) = search("0(*(3:[9 0] 5:[0 9]) *(5:[9 0] 3:[0 9]))", 2, spec);
        assert_eq!(action, 1, "{spec}");
        assert!((values[0] - 0.25).abs() < 0.12, "{spec}: {values:?}");
    }
}

#[test]
fn what_follows_chance_is_searched_unless_the_tree_ends_there() {
    // On the left seat 0 still chooses behind chance, and can always win; a rollout finds that half the time. On the
    // right it wins 6 times of 10.
    let tree = "0(*(1:0([9 0] [0 9]) 1:0([0 9] [9 0])) *(6:[9 0] 4:[0 9]))";
    let (action, values) = search(tree, 2, "mcts:sims=4000,rollout=random,margin=0,c=1");
    assert_eq!(action, 0);
    assert!(values[0] > 0.8, "{values:?}");
    // Where the tree ends at chance, the left wins no more than half the games.
    let (action, _) = search(tree, 2, "mcts:sims=4000,rollout=random,margin=0,c=1,chance=afterstate");
    assert_eq!(action, 1);
}

#[test]
fn knobs_that_lost_are_refused_by_name() {
    for spec in ["mcts:chance=open", "mcts:transpositions=apart", "mcts:guide=greedy"] {
        let refused = spec.parse::<AgentSpec>().unwrap_err().to_string();
        let key = spec[5..].split('=').next().unwrap();
        assert!(refused.contains(&format!("'{key}'")), "{refused}");
    }
}

#[test]
fn a_seat_may_move_twice() {
    for spec in SPECS {
        let (action, values) = search("0(0([0 9] [0 9]) 0([0 9] [9 0]))", 2, spec);
        assert_eq!(action, 1, "{spec}");
        assert!(values[0] > 0.8, "{spec}: {values:?}");
    }
}

#[test]
fn a_tree_that_is_kept_agrees_with_the_state() {
    let mut toy = Toy::parse("0(*(1:1([9 0] [0 9]) 1:1([9 0] [9 0])) [0 9])", 2);
    let mut agent = agent::<Toy>(SPECS[0]);
    agent.new_game(3);
    assert_eq!(agent.choose(&toy, &Limits::default()).expect("a decision").action, Child(0));
    toy.apply(Child(0));
    agent.observe(&Move::Action(Child(0)));
    toy.apply_chance(&Child(0));
    agent.observe(&Move::Outcome(Child(0)));
    let decision = agent.choose(&toy, &Limits::default()).expect("a decision");
    assert_eq!(decision.action, Child(1));
    let visits: u32 = decision.search.expect("a search").visits.iter().map(|(_, visits)| visits).sum();
    assert!(visits > 4000, "{visits} visits: the first search's are lost");
}

#[test]
fn a_forced_move_costs_the_least_and_keeps_the_tree() {
    // After the free choice of 0 comes a forced move, then another choice.
    for spec in SPECS {
        let mut toy = Toy::parse("0(0(0([9 0] [0 9])) [0 9])", 2);
        let mut agent = agent::<Toy>(spec);
        agent.new_game(3);
        let (mut nodes, mut visits) = (Vec::new(), Vec::new());
        for _ in 0..3 {
            let decision = agent.choose(&toy, &Limits::default()).expect("a decision");
            assert_eq!(decision.action, Child(0));
            let search = decision.search.expect("a search");
            nodes.push(search.nodes);
            visits.push(search.visits.iter().map(|(_, visits)| visits).sum::<u32>());
            toy.apply(Child(0));
            agent.observe(&Move::Action(Child(0)));
        }
        assert_eq!(nodes, [4000, 2, 4000], "{spec}");
        assert!(visits[2] > 4000 + 3000, "{spec}: {visits:?}, the first search's are lost");
    }
}

fn opening(seed: u64) -> Azul {
    let mut state = Azul::new(intern(AzulRules::default()), 2);
    state.play_chance(&mut Generator::new(seed));
    state
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let choose = |seed| {
        let mut agent = agent::<Azul>("mcts:sims=300");
        agent.new_game(seed);
        let search = agent.choose(&opening(1), &Limits::default()).expect("a decision").search;
        search.map(|search| (search.visits, search.values.as_slice().to_vec()))
    };
    assert_eq!(choose(5), choose(5));
    assert_ne!(choose(5), choose(6));
}

#[test]
fn few_simulations_are_not_exceeded_by_many_threads() {
    let mut agent = agent::<Azul>("mcts:threads=256");
    for nodes in [1, 2, 3, 10, 11, 511, 600, 10] {
        agent.new_game(nodes);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let search = agent.choose(&opening(1), &limits).expect("a decision").search.expect("a search");
        // No choice takes fewer than two.
        assert_eq!(search.nodes, nodes.max(2), "of {nodes}");
        assert!(search.values.as_slice().iter().all(|value| value.is_finite()));
    }
}

#[test]
fn limits_and_stop_are_kept() {
    let state = opening(2);
    let mut agent = agent::<Azul>("mcts:sims=100000000");
    agent.new_game(1);
    let nodes = |agent: &mut Box<dyn Agent<Azul>>, limits: &Limits<'_>| {
        agent.choose(&state, limits).expect("a decision").search.expect("a search").nodes
    };
    assert_eq!(nodes(&mut agent, &Limits { nodes: Some(77), ..Limits::default() }), 77);
    let time = Some(Duration::from_millis(20));
    let start = Instant::now();
    assert!(nodes(&mut agent, &Limits { time, ..Limits::default() }) > 10);
    assert!(start.elapsed() < Duration::from_secs(2));
    let stop = std::sync::atomic::AtomicBool::new(true);
    assert!(nodes(&mut agent, &Limits { stop: Some(&stop), ..Limits::default() }) < 100);
}

#[test]
fn a_search_that_is_decided_ends_before_its_time() {
    let time = Duration::from_millis(200);
    let taken = |tree: &str, spec: &str| {
        let mut agent = agent::<Toy>(spec);
        agent.new_game(1);
        let decision = agent.choose(&Toy::parse(tree, 2), &Limits::default()).expect("a decision");
        let search = decision.search.expect("a search");
        (decision.action.0, search.cpu.expect("a time limits it"), search.visits)
    };
    let (clear, even) = ("0([0 9] [9 0])", "0([9 0] [9 0])");
    let (action, cpu, visits) = taken(clear, "mcts:cpu=200,rollout=random");
    assert!(action == 1 && cpu < time * 9 / 10 && visits[0].1 > 2 * visits[1].1, "{cpu:?} {visits:?}");
    // By the win alone, whose sums are exact: those of other utilities drift apart after some 300,000 visits.
    let (_, cpu, visits) = taken(even, "mcts:cpu=200,rollout=random,margin=0");
    assert!(cpu >= time * 9 / 10, "{cpu:?} {visits:?} where actions are equally good");
    let (action, cpu, visits) = taken(clear, "mcts:cpu=200,rollout=random,threads=2");
    assert!(action == 1 && cpu < 2 * time * 9 / 10, "{cpu:?} {visits:?}");
}

#[test]
fn chance_and_over_are_refused() {
    let state = Azul::new(intern(AzulRules::default()), 2);
    assert!(agent::<Azul>("mcts").choose(&state, &Limits::default()).is_err());
}

#[test]
fn foreign_moves_do_not_confuse_a_kept_tree() {
    let mut agent = agent::<Azul>("mcts:sims=50");
    agent.new_game(1);
    agent.choose(&opening(1), &Limits::default()).expect("a decision");
    let mut other = opening(9);
    let outcome = Azul::new(intern(AzulRules::default()), 2).sample_chance(&mut Generator::new(4));
    agent.observe(&Move::Outcome(outcome));
    other.play_random(&mut Generator::new(4), &mut Vec::new());
    let decision = agent.choose(&other, &Limits::default()).expect("a decision");
    assert!(other.is_legal(decision.action));
}

#[test]
fn a_wider_lead_counts_in_the_utility() {
    let lead = Toy::parse("[30 10]", 2);
    let values = Utility { margin: 1.0 }.of(&lead).utility;
    assert_eq!(values[Seat::new(0)], 0.5);
    assert_eq!(values[Seat::new(1)], -0.5);
    assert_eq!(Utility { margin: 0.0 }.of(&lead).utility.as_slice(), [1.0, -1.0]);
}

#[test]
fn simulations_need_no_memory_after_the_first_search() {
    fn memory_for<G: crate::Playable>(spec: &str) {
        let mut state = G::new(intern(<G::Rules as azulejo::Rules>::variants().swap_remove(0)), 2);
        while state.turn() == Turn::Chance {
            state.play_chance(&mut Generator::new(1));
        }
        let mut agent = agent::<G>(spec);
        let mut search = |sims: u64| {
            agent.new_game(1);
            let limits = Limits { nodes: Some(sims), ..Limits::default() };
            allocation_counter::measure(|| _ = agent.choose(&state, &limits).expect("a decision")).count_total
        };
        search(1500);
        // What is left are the lists of the answer: the ranking and the line.
        let (few, many) = (search(150), search(1500));
        assert!(few <= 60 && many <= 60, "{spec}: {few} allocations in 150 simulations, {many} in 1500");
    }
    for spec in
        ["mcts", "mcts:rollout=none", "mcts:rollout=round,chance=afterstate", "mcts:rollout=random,prior=0"]
    {
        memory_for::<Azul>(spec);
        memory_for::<azulejo::summer_pavilion::SummerPavilion>(spec);
        memory_for::<azulejo::queens_garden::QueensGarden>(spec);
    }
}

/// A hundredth of its points as each seat's utility.
fn by_points(state: &impl Game) -> Expectation {
    let utility = state.scores().map(|score| f32::from(score) / 100.0);
    Expectation { utility, wins: utility, leads: utility }
}

#[test]
fn ways_to_one_state_share_what_is_known() {
    let selection = SelectionRule::Puct { c: 1.0, fpu: 0.0 };
    let rules = TreeRules { selection, chance: ChanceTreatment::Afterstate, memory: 1 << 26 };
    let mut tree = Tree::new(opening(4), rules, 1);
    let (mut leaf, mut rng) = (tree.leaf(), Generator::new(2));
    let values = Box::new(Rollout::new(RandomPolicy::default(), Utility { margin: 0.0 }));
    let mut evaluator = ValuePolicy::<Azul>::new(values, Default::default(), 1.0);
    for _ in 0..4000 {
        assert!(tree.gather(&mut leaf, &mut evaluator, &mut rng, None).is_ready());
        tree.apply(&leaf, &by_points(&leaf.state));
    }
    let twin_of = |node: &TreeNode<_>| match node.below() {
        Below::Twin(other) if node.visits > 0 => Some(other),
        _ => None,
    };
    let twins = || tree.arena.nodes.iter().filter_map(|node| Some((node, twin_of(node)?)));
    for (twin, other) in twins() {
        let other = tree.node(other);
        assert!(other.visits >= twin.visits && twin_of(other).is_none(), "{twin:?} and {other:?}");
    }
    assert!(twins().count() > 100, "{}", twins().count());
    // What is kept below a move is a tree in good order, too.
    let best = tree.root_actions()[0].0;
    let line = tree.line(best);
    tree.follow_action(best);
    assert_eq!(tree.line(line[1]), line[1..], "the line goes on");
}

/// Twins below chance nodes: whatever state a node stands for, its twin stands for the same, and both are found.
#[test]
fn ways_to_one_state_are_shared_behind_draws_too() {
    fn twins_behind_draws<G: crate::Playable>(moves: usize) -> usize {
        let tree = grown_tree(&after_moves::<G>(moves), 1 << 26, 4000);
        let (mut states, mut found) = (HashMap::from([(tree.top, (*tree.root(), false))]), 0);
        let mut open = vec![tree.top];
        while let Some(id) = open.pop() {
            let (state, drawn) = states[&id];
            let mut after = |id: NodeId, state: G, drawn: bool| {
                let (known, _) = *states.entry(id).or_insert_with(|| {
                    open.push(id);
                    (state, drawn)
                });
                assert_eq!((known.whole_key(), known.scores()), (state.whole_key(), state.scores()));
            };
            match tree.node(id).below() {
                Below::Nothing => {}
                Below::Twin(twin) => {
                    found += usize::from(drawn);
                    after(twin, state, drawn);
                }
                Below::Children(children) => {
                    for place in 0..children.tried {
                        let (child, mut next) = (tree.arena.child(children, place), state);
                        next.apply(tree.node(child).action);
                        after(child, next, drawn);
                    }
                }
                Below::Outcomes(known) => {
                    for entry in tree.arena.outcomes_from(known.first) {
                        let (edge, mut next) = (tree.arena.outcome(entry), state);
                        next.apply_chance(&edge.outcome);
                        after(edge.child, next, true);
                    }
                }
            }
        }
        found
    }
    use azulejo::{queens_garden::QueensGarden, summer_pavilion::SummerPavilion};
    assert!(twins_behind_draws::<SummerPavilion>(60) > 100);
    assert!(twins_behind_draws::<QueensGarden>(50) > 100);
}

#[test]
fn every_game_is_played_through_with_trees_that_are_kept() {
    fn play<G: crate::Playable>(spec: &str) {
        let rules = intern(<G::Rules as azulejo::Rules>::variants().swap_remove(0));
        let (mut state, mut rng) = (G::new(rules, 2), Generator::new(8));
        let mut agent = agent::<G>(spec);
        agent.new_game(1);
        loop {
            let played = match state.turn() {
                Turn::Over => break,
                Turn::Player(_) => {
                    let decision = agent.choose(&state, &Limits::default()).expect("a decision");
                    let search = decision.search.expect("a search");
                    for (action, _) in &search.visits {
                        assert!(state.is_legal(*action), "{action} at\n{state}");
                    }
                    let mut at = state;
                    for action in search.line() {
                        at.try_apply(*action).expect("the line can be played");
                    }
                    Move::Action(decision.action)
                }
                Turn::Chance => Move::Outcome(state.sample_chance(&mut rng)),
            };
            match &played {
                Move::Action(action) => state.apply(*action),
                Move::Outcome(outcome) => state.apply_chance(outcome),
            }
            agent.observe(&played);
        }
    }
    for spec in ["mcts:sims=60,rollout=none", "mcts:sims=60,rollout=none,chance=afterstate"] {
        play::<Azul>(spec);
        play::<azulejo::summer_pavilion::SummerPavilion>(spec);
        play::<azulejo::queens_garden::QueensGarden>(spec);
    }
}

/// A state that is read back from what all players can see carries nothing else: no order of what is to be drawn, no
/// trace of the moves before. Agents must choose there as they do in the game itself.
fn nothing_hidden_is_seen<G: crate::Playable>() {
    for rules in <G::Rules as azulejo::Rules>::variants() {
        let (rules, mut rng, mut buffer) = (intern(rules), Generator::new(11), Vec::new());
        let mut state = G::new(rules, 3);
        for _ in 0..40 {
            state.play_random(&mut rng, &mut buffer);
        }
        while !matches!(state.turn(), Turn::Player(_)) {
            state.play_random(&mut rng, &mut buffer);
        }
        let seen = serde_json::to_value(state).expect("a state has only plain values");
        let read = G::from_json(rules, &seen).expect("a written state reads back");
        for spec in ["greedy", "mcts:sims=40", "mcts:sims=40,chance=afterstate", "minimax:nodes=300"] {
            let choose = |state: &G| {
                let mut agent = agent::<G>(spec);
                agent.new_game(4);
                let decision = agent.choose(state, &Limits::default()).expect("a decision");
                let search = decision.search.map(|search| (search.visits, search.values.as_slice().to_vec()));
                (decision.action, search)
            };
            assert_eq!(choose(&state), choose(&read), "{spec} at\n{state}");
        }
    }
}

#[test]
fn agents_see_nothing_hidden() {
    nothing_hidden_is_seen::<Azul>();
    nothing_hidden_is_seen::<azulejo::summer_pavilion::SummerPavilion>();
    nothing_hidden_is_seen::<azulejo::queens_garden::QueensGarden>();
}

/// Puts every answer of another evaluator off until the next flush.
struct Hesitant<E> {
    evaluator: E,
    /// Whether policies are put off, too.
    policies: bool,
    /// By its key: a state whose policy was asked for, and whether it may be answered.
    states: HashMap<u64, bool>,
    asked: VecDeque<Expectation>,
    /// How many of those asked may be answered.
    answered: usize,
    /// The most that were asked at once.
    most: Arc<AtomicUsize>,
}

impl<E> Hesitant<E> {
    fn new(evaluator: E, policies: bool, most: &Arc<AtomicUsize>) -> Self {
        let most = most.clone();
        let (states, asked) = (HashMap::new(), VecDeque::new());
        Hesitant { evaluator, policies, states, asked, answered: 0, most }
    }
}

impl<G: Keyed, E: Evaluator<G>> Evaluator<G> for Hesitant<E> {
    fn reseed(&mut self, seed: u64) {
        self.evaluator.reseed(seed);
    }

    fn prepare(&mut self, root: &G) {
        self.asked.clear();
        self.states.clear();
        self.answered = 0;
        self.evaluator.prepare(root);
    }

    fn value(&mut self, state: &G) -> Expectation {
        self.evaluator.value(state)
    }

    fn visit_generators(&mut self, visit: &mut dyn FnMut(&mut Generator)) {
        self.evaluator.visit_generators(visit);
    }

    fn policy(
        &mut self,
        state: &G,
        actions: &mut Vec<G::Action>,
        probabilities: &mut Vec<f32>,
        rng: &mut Generator,
    ) {
        self.evaluator.policy(state, actions, probabilities, rng);
    }

    fn ask(&mut self, state: &G) -> Poll<Expectation> {
        self.asked.push_back(self.evaluator.value(state));
        self.most.fetch_max(self.asked.len(), Ordering::Relaxed);
        Poll::Pending
    }

    fn answer(&mut self) -> Poll<Expectation> {
        if self.answered == 0 {
            return Poll::Pending;
        }
        self.answered -= 1;
        Poll::Ready(self.asked.pop_front().expect("it has been asked for"))
    }

    fn poll_policy(
        &mut self,
        state: &G,
        actions: &mut Vec<G::Action>,
        probabilities: &mut Vec<f32>,
        rng: &mut Generator,
    ) -> Poll<()> {
        if self.policies && !*self.states.entry(state.key()).or_insert(false) {
            return Poll::Pending;
        }
        self.states.remove(&state.key());
        self.evaluator.policy(state, actions, probabilities, rng);
        Poll::Ready(())
    }

    fn flush(&mut self) {
        self.states.values_mut().for_each(|decided| *decided = true);
        self.answered = self.asked.len();
    }
}

/// An agent that searches by the heuristic's prior and random rollouts, `batch` leaves at once.
fn batching<G: crate::Playable>(
    batch: usize,
    root: RootRule,
    hesitant: Option<(bool, &Arc<AtomicUsize>)>,
) -> MctsAgent<G> {
    let utility = Utility { margin: 0.0 };
    let values = Box::new(Rollout::new(RandomPolicy::default(), utility));
    let evaluator = ValuePolicy::<G>::new(values, Default::default(), 1.0);
    let evaluator: Box<dyn Evaluator<G>> = match hesitant {
        Some((policies, most)) => Box::new(Hesitant::new(evaluator, policies, most)),
        None => Box::new(evaluator),
    };
    let selection = SelectionRule::Puct { c: 2.0, fpu: 0.0 };
    let rules = TreeRules { selection, chance: ChanceTreatment::Sample, memory: 1 << 26 };
    let searcher = Searcher::new(rules, utility, evaluator).with_batch(batch).with_root(root);
    let mut agent = MctsAgent::new(Some(300), TimeControl::new(TimeLimits::default(), Share::NONE), searcher);
    agent.new_game(3);
    agent
}

/// The rules by which simulations are shared out at the root.
const ROOT_RULES: [RootRule; 3] = [
    RootRule::Selection,
    RootRule::NoisySelection(RootNoise { share: 0.25 }),
    RootRule::Halving(Gumbel { considered: 8, noise: 1.0, scale: 1.0 }),
];

/// All that a search finds in a round's first choices, by one tree that is kept.
fn findings(agent: &mut MctsAgent<Azul>) -> Vec<impl PartialEq + Debug + use<>> {
    let mut state = opening(6);
    let choices = (0..3).map(|_| {
        let decision = agent.choose(&state, &Limits::default()).expect("a decision");
        state.apply(decision.action);
        agent.observe(&Move::Action(decision.action));
        let search = decision.search.expect("a search");
        let values = search.values.as_slice().to_vec();
        (decision.action, values, search.visits, search.policy, search.nodes, search.depth, search.candidates)
    });
    choices.collect()
}

#[test]
fn a_search_that_waits_finds_what_one_that_does_not_finds() {
    let most = Arc::new(AtomicUsize::new(0));
    for root in ROOT_RULES {
        let at_once = findings(&mut batching(1, root, None));
        assert_eq!(findings(&mut batching(1, root, Some((true, &most)))), at_once);
        assert_eq!(most.load(Ordering::Relaxed), 1, "one leaf at a time");
    }
    for root in ROOT_RULES {
        let at_once = findings(&mut batching(8, root, None));
        assert_eq!(findings(&mut batching(8, root, Some((false, &most)))), at_once);
        assert_eq!(most.load(Ordering::Relaxed), 8, "eight leaves together");
        let waits = || findings(&mut batching(8, root, Some((true, &most))));
        assert_eq!(waits(), waits(), "the same seed gives the same search");
        assert_ne!(at_once, findings(&mut batching(1, root, None)), "virtual losses lead elsewhere");
    }
}

#[test]
fn leaves_that_are_evaluated_together_find_the_best_move() {
    let most = Arc::new(AtomicUsize::new(0));
    for (tree, players, best) in [
        ("0(1([9 0] [0 9]) 1([5 5] [9 0]))", 2, 1),
        ("0(1([9 9 0] [0 1 9]) [9 9 9])", 3, 0),
        ("0(*(3:[9 0] 5:[0 9]) *(5:[9 0] 3:[0 9]))", 2, 1),
        ("0(0([0 9] [0 9]) 0([0 9] [9 0]))", 2, 1),
    ] {
        for hesitant in [None, Some((false, &most)), Some((true, &most))] {
            let decision = batching::<Toy>(8, RootRule::Selection, hesitant)
                .choose(&Toy::parse(tree, players), &Limits { nodes: Some(4000), ..Limits::default() })
                .expect("a decision");
            let search = decision.search.expect("a search");
            assert_eq!((decision.action, search.nodes), (Child(best), 4000), "{tree}");
            // The root's own evaluation is no visit of an action: all others are, none of them virtual.
            assert_eq!(search.visits.iter().map(|it| it.1).sum::<u32>(), 3999, "{tree}");
        }
    }
}

#[test]
fn virtual_losses_are_taken_back_to_the_bit() {
    let selection = SelectionRule::Puct { c: 1.0, fpu: 0.0 };
    let rules = TreeRules { selection, chance: ChanceTreatment::Sample, memory: 1 << 26 };
    let mut tree = Tree::new(opening(4), rules, 1);
    let (mut rng, utility) = (Generator::new(2), Utility { margin: 0.3 });
    let values = Box::new(Rollout::new(RandomPolicy::default(), utility));
    let mut evaluator = ValuePolicy::<Azul>::new(values, Default::default(), 1.0);
    let statistics = |tree: &Tree<Azul>| -> Vec<_> {
        tree.arena.nodes.iter().map(|node| (node.visits, node.sums.map(f32::to_bits))).collect()
    };
    let mut leaves = vec![tree.leaf(); 8];
    for batch in 0..100 {
        let before = statistics(&tree);
        for leaf in &mut leaves {
            assert!(tree.gather(leaf, &mut evaluator, &mut rng, None).is_ready());
            tree.suppose_lost(leaf);
        }
        assert_eq!(tree.visits(), 8 * (batch + 1));
        tree.take_back();
        let after = statistics(&tree);
        assert_eq!(before, after[..before.len()]);
        assert!(after[before.len()..].iter().all(|&(visits, sums)| (visits, sums) == (0, [0; 4])));
        for leaf in &leaves {
            tree.apply(leaf, &evaluator.value(&leaf.state));
        }
    }
    // The leaves of a batch are seldom the same.
    let distinct: std::collections::HashSet<String> =
        leaves.iter().map(|leaf| leaf.state.to_string()).collect();
    assert!(distinct.len() > 4, "{}", distinct.len());
}

#[test]
fn a_choice_that_is_given_up_leaves_no_trace() {
    let most = Arc::new(AtomicUsize::new(0));
    let mut agent = batching::<Azul>(8, RootRule::Selection, Some((true, &most)));
    for _ in 0..5 {
        assert!(agent.poll_choose(&opening(6), &Limits::default()).is_pending());
        agent.flush();
    }
    agent.new_game(3);
    assert_eq!(findings(&mut agent), findings(&mut batching(8, RootRule::Selection, Some((true, &most)))));
    // Another state than that of the choice that waits begins a search there.
    assert!(agent.poll_choose(&opening(7), &Limits::default()).is_pending());
    let decision = agent.choose(&opening(9), &Limits::default()).expect("a decision");
    assert!(opening(9).is_legal(decision.action));
    assert_eq!(decision.search.expect("a search").nodes, 300);
}

/// All that is known below a node, one line for each node: those that are reached twice are told once.
fn description<G: Keyed>(tree: &Tree<G>, top: NodeId) -> Vec<String> {
    let (mut lines, mut order) = (Vec::new(), vec![top]);
    let number = |id: NodeId, order: &mut Vec<NodeId>| {
        let known = order.iter().position(|&other| other == id);
        known.unwrap_or_else(|| {
            order.push(id);
            order.len() - 1
        })
    };
    let mut next = 0;
    while let Some(&id) = order.get(next) {
        next += 1;
        let node = tree.node(id);
        let mut line = format!("{} {:?} {}", node.visits, node.sums, node.prior);
        match node.below() {
            Below::Nothing => {}
            Below::Twin(twin) => line += &format!(" twin {}", number(twin, &mut order)),
            Below::Children(children) => {
                for place in 0..children.tried {
                    let child = tree.arena.child(children, place);
                    line += &format!(" {} {}", tree.node(child).action, number(child, &mut order));
                }
                line += &format!(" untried {:?}", tree.arena.untried(children));
            }
            Below::Outcomes(known) => {
                for entry in tree.arena.outcomes_from(known.first) {
                    let edge = tree.arena.outcome(entry);
                    line += &format!(" {:?} {} {}", edge.outcome, edge.draws, number(edge.child, &mut order));
                }
            }
        }
        lines.push(line);
    }
    lines
}

/// A tree that has made so many simulations from a state, in which points so far are all that counts.
fn grown_tree<G: crate::Playable>(state: &G, memory: usize, simulations: usize) -> Tree<G> {
    let selection = SelectionRule::Puct { c: 1.0, fpu: 0.0 };
    let mut tree = Tree::new(*state, TreeRules { selection, chance: ChanceTreatment::Sample, memory }, 1);
    let (mut leaf, mut rng) = (tree.leaf(), Generator::new(2));
    let values = Box::new(Rollout::new(RandomPolicy::default(), Utility { margin: 0.5 }));
    let mut evaluator = ValuePolicy::<G>::new(values, Default::default(), 1.0);
    for _ in 0..simulations {
        assert!(tree.gather(&mut leaf, &mut evaluator, &mut rng, None).is_ready());
        tree.apply(&leaf, &by_points(&leaf.state));
        assert!(tree.arena.bytes() <= memory, "{} bytes", tree.arena.bytes());
    }
    tree
}

/// A state of a two-player game after some random moves, at a player's turn.
fn after_moves<G: crate::Playable>(moves: usize) -> G {
    let mut state = G::new(intern(<G::Rules as azulejo::Rules>::variants().swap_remove(0)), 2);
    let (mut rng, mut buffer) = (Generator::new(1), Vec::new());
    for _ in 0..moves {
        state.play_random(&mut rng, &mut buffer);
    }
    while state.turn() == Turn::Chance {
        state.play_chance(&mut rng);
    }
    state
}

#[test]
fn what_is_kept_below_a_move_is_what_was_known_of_it() {
    fn keep<G: crate::Playable>(moves: usize) {
        let mut tree = grown_tree::<G>(&after_moves(moves), 1 << 26, 1500);
        for _ in 0..6 {
            let known = match tree.root().turn() {
                Turn::Player(_) => {
                    let action = tree.root_actions()[0].0;
                    let known = description(
                        &tree,
                        tree.with_children(tree.child(tree.top, action).expect("visited")),
                    );
                    tree.follow_action(action);
                    known
                }
                Turn::Chance => {
                    let Below::Outcomes(drawn) = tree.node(tree.top).below() else { return };
                    let edge = *tree.arena.outcome(drawn.first);
                    let known = description(&tree, edge.child);
                    tree.follow_chance(&edge.outcome);
                    known
                }
                Turn::Over => return,
            };
            assert_eq!(description(&tree, tree.top), known, "{}", tree.root());
            assert_eq!(tree.arena.nodes.len(), tree.arena.moved.iter().filter(|&&id| id != NONE).count() + 1);
            if tree.root_actions().is_empty() && tree.root().turn() != Turn::Chance {
                return;
            }
        }
    }
    for moves in [1, 9, 30, 60] {
        keep::<Azul>(moves);
        keep::<azulejo::summer_pavilion::SummerPavilion>(moves);
        keep::<azulejo::queens_garden::QueensGarden>(moves);
    }
}

#[test]
fn a_full_tree_grows_again_where_something_was_dropped() {
    fn fill<G: crate::Playable>() {
        let mut tree = grown_tree::<G>(&after_moves(8), 1 << 20, 20_000);
        let full = tree.arena.nodes.len();
        assert!(full < 19_000 && tree.visits() == 20_000, "{full} nodes");
        let best = tree.root_actions()[0].0;
        tree.follow_action(best);
        let (kept, visits) = (tree.arena.nodes.len(), tree.visits());
        assert!(kept < full && visits > 0, "{kept} nodes");
        assert!(tree.arena.bytes() <= 1 << 20);
        tree.reset(*tree.root());
        assert_eq!(tree.arena.nodes.len(), 2);
    }
    fill::<Azul>();
    fill::<azulejo::summer_pavilion::SummerPavilion>();
    fill::<azulejo::queens_garden::QueensGarden>();
}

/// The answers to the first choices of a game with long searches, and the most bytes that any of them took.
fn choices_within<G: crate::Playable>(spec: &str) -> (Vec<impl PartialEq + Debug + use<G>>, u64) {
    let (mut state, mut rng, mut agent) = (after_moves::<G>(2), Generator::new(5), agent::<G>(spec));
    agent.new_game(1);
    let mut findings = Vec::new();
    let used = allocation_counter::measure(|| {
        for _ in 0..3 {
            let decision = agent.choose(&state, &Limits::default()).expect("a decision");
            let search = decision.search.expect("a search");
            assert_eq!(search.visits[0].0, decision.action, "the most visited is played");
            findings.push((decision.action, search.nodes, search.visits, search.values.as_slice().to_vec()));
            state.try_apply(decision.action).expect("it is legal");
            agent.observe(&Move::Action(decision.action));
            while state.turn() == Turn::Chance {
                let outcome = state.sample_chance(&mut rng);
                state.apply_chance(&outcome);
                agent.observe(&Move::Outcome(outcome));
            }
        }
    });
    (findings, used.bytes_max)
}

#[test]
fn long_searches_keep_within_their_memory_and_find_the_same_again() {
    fn keep_within<G: crate::Playable>(spec: &str) {
        let (found, bytes) = choices_within::<G>(spec);
        // What is beside the tree does not grow with it.
        let beside = choices_within::<G>(&spec.replace("sims=20000", "sims=2")).1;
        assert!(beside < 3 << 20, "{spec}: {beside} bytes");
        // A mebibyte, and while a list grows the old one until all is in the new one.
        assert!(bytes < beside + (7 << 18), "{spec}: {bytes} bytes, {beside} beside the tree");
        assert_eq!(choices_within::<G>(spec).0, found, "{spec}");
    }
    keep_within::<Azul>("mcts:rollout=none,sims=20000,memory=1");
    keep_within::<Azul>("mcts:rollout=none,sims=20000,memory=1,chance=afterstate,select=uct");
    keep_within::<azulejo::summer_pavilion::SummerPavilion>("mcts:rollout=none,sims=20000,memory=1");
    keep_within::<azulejo::queens_garden::QueensGarden>("mcts:rollout=none,sims=20000,memory=1");
}
