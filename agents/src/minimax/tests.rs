use std::time::{Duration, Instant};

use azulejo::azul::Azul;
use azulejo::queens_garden::QueensGarden;
use azulejo::summer_pavilion::SummerPavilion;
use azulejo::testing::for_each_variant;
use azulejo::{Game, Generator, Indexed, PerPlayer, Rules, Seat, intern};

use super::memory::{SearchNode, lead, leads};
use super::table::Reuse;
use super::*;
use crate::Playable;
use crate::heuristic::Candidate;
use crate::registry::AgentSpec;
use crate::toy::{Child, Toy};

/// What a search of one position finds: the index of the action, the leads, and whether all is known.
#[derive(Debug, PartialEq)]
struct Answer {
    action: usize,
    leads: Vec<Millipoints>,
    solved: bool,
    nodes: u64,
}

/// How a test searches.
#[derive(Clone, Copy, Debug)]
struct Way {
    opponents: Opponents,
    depth: usize,
    reuse: Reuse,
    /// Whether the root's actions are tried in the reverse order.
    reverse: bool,
}

impl Way {
    fn to(opponents: Opponents, depth: usize) -> Self {
        Way { opponents, depth, reuse: Reuse::Deeper, reverse: false }
    }

    fn tables(self) -> SearchTables {
        let mut tables = SearchTables { reuse: self.reuse, ..SearchTables::new() };
        tables.resize(self.opponents, 1 << 14, 1 << 24);
        tables
    }

    fn search<G: StateValue>(self, state: &G) -> Answer {
        let (tables, mut memory) = (self.tables(), memory_for(state));
        let mut root = RootSearch::new(&mut memory, state, self.opponents, 1);
        if self.reverse {
            root.candidates.reverse();
        }
        let clock = Clock::new(u64::MAX, TimeLimits::default(), Limits::default());
        let mut search = MinimaxSearch { tables: &tables, memory: &mut memory, clock };
        search.deepen(&mut root, self.depth, |_, _| ());
        let best = root.best.as_slice()[0];
        Answer {
            action: best.action.index(),
            leads: best.leads.as_slice().to_vec(),
            solved: root.best.solved,
            nodes: search.clock.nodes(),
        }
    }
}

/// The memory of a thread that has not searched yet.
fn memory_for<G: StateValue>(state: &G) -> SearchMemory<G> {
    SearchMemory::new(G::judge(state.rules(), state.players(), &G::ValueWeights::default()))
}

/// Plain minimax: the lead of `root`'s seat, which all others minimize.
fn plain<G: StateValue>(
    memory: &mut SearchMemory<G>,
    node: &SearchNode<G>,
    root: Seat,
    depth: usize,
) -> Millipoints {
    match node.state.turn() {
        Turn::Player(seat) if depth > 0 => {
            let mut values = Vec::new();
            for child in children(node) {
                let child = fresh(memory, child);
                values.push(plain(memory, &child, root, depth - 1));
            }
            let best = if seat == root { values.into_iter().max() } else { values.into_iter().min() };
            best.expect("an action is legal")
        }
        _ => {
            let (settled, _) = memory.settled(node);
            lead(&memory.values(&settled), root)
        }
    }
}

/// Plain max^n; of equal actions that of the lowest index counts.
fn plain_maxn<G: StateValue>(
    memory: &mut SearchMemory<G>,
    node: &SearchNode<G>,
    depth: usize,
) -> PerPlayer<Millipoints> {
    match node.state.turn() {
        Turn::Player(seat) if depth > 0 => {
            let mut best: Option<PerPlayer<Millipoints>> = None;
            for child in children(node) {
                let child = fresh(memory, child);
                let found = plain_maxn(memory, &child, depth - 1);
                if best.is_none_or(|best| found[seat] > best[seat]) {
                    best = Some(found);
                }
            }
            best.expect("an action is legal")
        }
        _ => {
            let (settled, _) = memory.settled(node);
            leads(&memory.values(&settled))
        }
    }
}

/// All states that legal actions lead to.
fn children<G: StateValue>(node: &SearchNode<G>) -> Vec<G> {
    let mut legal = Vec::new();
    node.state.legal_actions(&mut legal);
    let play = |action| {
        let mut state = node.state;
        state.apply(action);
        state
    };
    legal.into_iter().map(play).collect()
}

/// A node with everything worked out from scratch.
fn fresh<G: StateValue>(memory: &SearchMemory<G>, state: G) -> SearchNode<G> {
    let shares = match state.turn() {
        Turn::Over => PerPlayer::splat(state.players(), G::Share::default()),
        _ => state.shares(&memory.judge),
    };
    SearchNode { state, key: state.key(), shares }
}

fn toy(tree: &str, players: usize, opponents: Opponents) -> Answer {
    Way::to(opponents, 20).search(&Toy::parse(tree, players))
}

#[test]
fn finds_the_minimax_move_of_two_players() {
    // Left may win by 9, but the answer loses; right is even after the best answer.
    let answer = toy("0(1([9 0] [0 9]) 1([5 5] [9 0]))", 2, Opponents::Paranoid);
    assert_eq!((answer.action, answer.leads, answer.solved), (1, vec![0, 0], true));
}

#[test]
fn a_seat_may_move_twice() {
    let answer = toy("0(0([0 9] [0 9]) 0([0 9] [9 1]))", 2, Opponents::Paranoid);
    assert_eq!((answer.action, answer.leads), (1, vec![8000, -8000]));
    let answer = toy("0(1(1([4 0] [2 0]) [3 0]) 1([9 0] 1([1 0] [8 0])))", 2, Opponents::Paranoid);
    assert_eq!((answer.action, answer.leads), (0, vec![2000, -2000]));
}

#[test]
fn chance_nodes_are_leaves_with_their_own_value() {
    // Left 3 · 4 / 4 = 3 points are expected, right 2 for certain; what is drawn is never looked at.
    let answer = toy("0(*(3:[4 0] 1:[0 0]) [2 0])", 2, Opponents::Paranoid);
    assert_eq!((answer.action, answer.leads, answer.solved), (0, vec![3000, -3000], true));
    assert_eq!(answer.nodes, 2);
}

#[test]
fn three_seats_play_for_themselves_in_maxn_and_against_one_in_paranoid() {
    // Left, seat 1 can lead by 2 itself or ruin seat 0 for less; right is safe and poor.
    let tree = "0(1([3 5 0] [0 4 9]) [1 0 0])";
    let answer = toy(tree, 3, Opponents::MaxN);
    assert_eq!((answer.action, answer.leads.clone()), (1, vec![1000, -1000, -1000]));
    let tree = "0(1([7 8 0] [0 9 9]) [0 2 0])";
    let answer = toy(tree, 3, Opponents::MaxN);
    assert_eq!((answer.action, answer.leads.clone()), (0, vec![-1000, 1000, -8000]));
    let answer = toy(tree, 3, Opponents::Paranoid);
    assert_eq!((answer.action, answer.leads[0]), (1, -2000));
}

/// A random tree as text: seats at random, ends of up to 20 points, chance nodes now and then.
fn random_tree(rng: &mut Generator, players: usize, depth: usize, text: &mut String) {
    let end = |rng: &mut Generator| {
        let scores: Vec<String> = (0..players).map(|_| rng.below(20).to_string()).collect();
        format!("[{}]", scores.join(" "))
    };
    if depth == 0 || rng.below(8) == 0 {
        match rng.below(6) {
            0 => *text += &format!("*(1:{} 2:{})", end(rng), end(rng)),
            _ => *text += &end(rng),
        }
        return;
    }
    *text += &format!("{}(", rng.below(players as u64));
    for child in 0..2 + rng.below(3) {
        *text += if child == 0 { "" } else { " " };
        random_tree(rng, players, depth - 1, text);
    }
    *text += ")";
}

#[test]
fn random_trees_have_the_value_of_plain_search() {
    let mut rng = Generator::new(4);
    let mut searched = 0;
    while searched < 300 {
        let players = 2 + rng.below(3) as usize;
        let mut text = String::new();
        random_tree(&mut rng, players, 6, &mut text);
        let toy = Toy::parse(&text, players);
        let Turn::Player(seat) = toy.turn() else { continue };
        searched += 1;
        for depth in [1, 2, 3, 7] {
            check_against_plain(&toy, seat, depth);
        }
    }
}

/// Searches with the table used or not, in either order, and compares with plain search.
fn check_against_plain<G: StateValue>(state: &G, seat: Seat, depth: usize) {
    let mut memory = memory_for(state);
    let root = fresh(&memory, *state);
    let paranoid = plain(&mut memory, &root, seat, depth);
    let maxn = plain_maxn(&mut memory, &root, depth);
    for reuse in [Reuse::Nothing, Reuse::SameDepth] {
        for reverse in [false, true] {
            let way = Way { opponents: Opponents::Paranoid, depth, reuse, reverse };
            let found = way.search(state).leads;
            assert_eq!(found[seat.index()], paranoid, "{way:?}\n{state}");
        }
        let way = Way { opponents: Opponents::MaxN, depth, reuse, reverse: false };
        assert_eq!(way.search(state).leads[seat.index()], maxn[seat], "{way:?}\n{state}");
    }
}

/// The values of the best actions of a search for so many, in their order.
fn values_of_best<G: StateValue>(
    state: &G,
    opponents: Opponents,
    depth: usize,
    lines: usize,
) -> Vec<Millipoints> {
    let tables = Way { reuse: Reuse::SameDepth, ..Way::to(opponents, depth) }.tables();
    let mut memory = memory_for(state);
    let mut root = RootSearch::new(&mut memory, state, opponents, lines);
    let clock = Clock::new(u64::MAX, TimeLimits::default(), Limits::default());
    let mut search = MinimaxSearch { tables: &tables, memory: &mut memory, clock };
    search.deepen(&mut root, depth, |_, _| ());
    let first: Vec<_> = root.candidates.iter().map(|candidate| candidate.action).collect();
    let best = root.best.as_slice();
    assert!(best.iter().map(|best| best.action).eq(first[..best.len()].iter().copied()));
    best.iter().map(|best| best.leads[memory.root]).collect()
}

/// Several lines at a time have the values of plain search, the best ones of all actions.
fn check_lines_against_plain<G: StateValue>(state: &G, seat: Seat, depth: usize) {
    for opponents in [Opponents::Paranoid, Opponents::MaxN] {
        let mut memory = memory_for(state);
        let root = memory.begin(state);
        let value = |memory: &mut SearchMemory<G>, action| {
            let child = memory.child(&root, seat, action);
            let child = fresh(memory, child.state);
            match opponents {
                Opponents::MaxN if state.players() > 2 => plain_maxn(memory, &child, depth - 1)[seat],
                _ => plain(memory, &child, seat, depth - 1),
            }
        };
        let actions: Vec<_> = memory.candidates(&root).iter().map(|candidate| candidate.action).collect();
        let mut values: Vec<_> = actions.into_iter().map(|action| value(&mut memory, action)).collect();
        values.sort_unstable_by(|a, b| b.cmp(a));
        for lines in [1, 2, 4, usize::MAX] {
            let found = values_of_best(state, opponents, depth, lines);
            assert_eq!(
                found,
                values[..lines.min(values.len())],
                "{lines} lines, {opponents:?}, depth {depth}\n{state}"
            );
        }
    }
}

#[test]
fn lines_of_random_trees_have_the_values_of_plain_search() {
    let mut rng = Generator::new(14);
    let mut searched = 0;
    while searched < 100 {
        let players = 2 + rng.below(3) as usize;
        let mut text = String::new();
        random_tree(&mut rng, players, 6, &mut text);
        let toy = Toy::parse(&text, players);
        let Turn::Player(seat) = toy.turn() else { continue };
        searched += 1;
        for depth in [1, 2, 7] {
            check_lines_against_plain(&toy, seat, depth);
        }
    }
}

fn lines_have_the_values_of_plain_search<G: Playable>() {
    for (players, seed) in [(2, 1), (3, 2), (4, 3)] {
        let state: G = middle(players, seed);
        let Turn::Player(seat) = state.turn() else { panic!("a player's turn") };
        check_lines_against_plain(&state, seat, 2);
    }
}

#[test]
fn lines_of_positions_have_the_values_of_plain_search() {
    lines_have_the_values_of_plain_search::<Azul>();
    lines_have_the_values_of_plain_search::<SummerPavilion>();
    lines_have_the_values_of_plain_search::<QueensGarden>();
}

#[test]
fn candidates_are_told_with_shares_and_leads() {
    // The lead is a point of the game, at the end without what the win counts beside it.
    let toy = Toy::parse("0([9 2] [5 5] *(1:[8 0] 1:[8 0]) 1([4 0] [0 3]))", 2);
    let asked = Limits { candidates: 9, ..Limits::default() };
    let decision = agent::<Toy>("minimax").choose(&toy, &asked).expect("a decision");
    let told: Vec<_> = decision.candidates().iter().map(|it| (it.action.0, it.win, it.lead)).collect();
    let likely = 1.0 / (1.0 + crate::arithmetic::exp(-1.0));
    assert_eq!(told[0], (0, 1.0, 7.0));
    assert!(told[1].0 == 2 && (told[1].1 - likely).abs() < 1e-6 && told[1].2 == 8.0, "{told:?}");
    assert_eq!(told[2..], [(1, 0.5, 0.0), (3, 0.0, -3.0)]);
    let lines: Vec<_> = decision.candidates().iter().map(|it| it.line.len()).collect();
    assert_eq!(lines, [1, 1, 1, 2]);
    for (players, search) in [(2, "paranoid"), (3, "paranoid"), (4, "maxn")] {
        let state: QueensGarden = middle(players, 5);
        let mut minimax = agent::<QueensGarden>(&format!("minimax:nodes=3000,search={search}"));
        let decision =
            minimax.choose(&state, &Limits { candidates: 4, ..Limits::default() }).expect("a decision");
        let search = decision.search.as_ref().expect("a search");
        assert_eq!((decision.candidates().len(), decision.candidates()[0].action), (4, decision.action));
        assert!((search.wins.as_slice().iter().sum::<f32>() - 1.0).abs() < 1e-5);
        for candidate in decision.candidates() {
            assert!(search.visits.contains(&(candidate.action, candidate.visits)));
            assert!((0.0..=1.0).contains(&candidate.win) && candidate.line[0] == candidate.action);
        }
        assert!(decision.candidates().is_sorted_by(|a, b| a.lead >= b.lead), "{:?}", decision.candidates());
    }
}

/// Calls `check` at positions of games played half by the ratings of actions and half at random.
fn for_positions<G: Playable>(
    rules: &'static G::Rules,
    players: usize,
    seed: u64,
    mut check: impl FnMut(&G, Seat),
) {
    let (mut legal, mut ratings) = (Vec::new(), Vec::new());
    let mut rng = Generator::new(seed);
    let mut state = G::new(rules, players);
    while state.turn() != Turn::Over {
        match state.turn() {
            Turn::Player(seat) => {
                check(&state, seat);
                if rng.below(2) == 0 {
                    state.play_random(&mut rng, &mut legal);
                } else {
                    let weights = G::Weights::default();
                    state.apply(state.best_action(&weights, &mut rng, &mut legal, &mut ratings));
                }
            }
            _ => state.play_chance(&mut rng),
        }
    }
}

/// The number of states that plain search would look at, as far as `most`.
fn size<G: Game>(state: &G, depth: usize, most: usize) -> usize {
    let mut legal = Vec::new();
    state.legal_actions(&mut legal);
    let mut all = legal.len();
    for action in legal {
        if depth == 1 || all >= most {
            break;
        }
        let mut child = *state;
        child.apply(action);
        all += size(&child, depth - 1, most - all);
    }
    all
}

fn real_positions_have_the_value_of_plain_search<G: Playable>(every: u64) {
    const MOST: usize = 20_000;
    for_each_variant::<G>(|rules, players| {
        let mut count = 0;
        for_positions::<G>(rules, players, 3, |state, seat| {
            count += 1;
            if count % every != 0 {
                return;
            }
            let depth = (1..=8).rev().find(|&depth| size(state, depth, MOST) < MOST).unwrap_or(1);
            check_against_plain(state, seat, depth);
        });
    });
}

#[test]
fn positions_of_azul_have_the_value_of_plain_search() {
    real_positions_have_the_value_of_plain_search::<Azul>(7);
}

#[test]
fn positions_of_summer_pavilion_have_the_value_of_plain_search() {
    real_positions_have_the_value_of_plain_search::<SummerPavilion>(29);
}

#[test]
fn positions_of_queens_garden_have_the_value_of_plain_search() {
    real_positions_have_the_value_of_plain_search::<QueensGarden>(29);
}

/// Shares kept from action to action, and children valued without playing, agree with working everything out
/// afresh.
fn values_are_those_from_scratch<G: Playable>() {
    for_each_variant::<G>(|rules, players| {
        for_positions::<G>(rules, players, 5, |state, seat| {
            let mut memory = memory_for(state);
            let scratch = memory_for(state);
            let root = memory.begin(state);
            assert_eq!(root.shares, state.shares(&scratch.judge), "{state}");
            let mut by_playing = Vec::new();
            for Candidate { action, .. } in memory.candidates(&root) {
                let child = memory.child(&root, seat, action);
                let values = memory.values(&child);
                assert_eq!(values, memory.values(&fresh(&scratch, child.state)), "{action} in\n{state}");
                by_playing.push(values.as_slice().to_vec());
            }
            let mut told = Vec::new();
            state.visit_children(&memory.judge, &root.shares, |action, values| {
                let child = memory.child(&root, seat, action);
                assert_eq!(memory.values(&child), *values, "{action} in\n{state}");
                told.push(values.as_slice().to_vec());
                std::ops::ControlFlow::Continue(())
            });
            if !told.is_empty() {
                assert!(
                    by_playing.iter().all(|values| told.contains(values)),
                    "a child is left out\n{state}"
                );
            }
        });
    });
}

#[test]
fn values_of_azul_are_those_from_scratch() {
    values_are_those_from_scratch::<Azul>();
}

#[test]
fn values_of_summer_pavilion_are_those_from_scratch() {
    values_are_those_from_scratch::<SummerPavilion>();
}

#[test]
fn values_of_queens_garden_are_those_from_scratch() {
    values_are_those_from_scratch::<QueensGarden>();
}

/// A position of a game in the middle of its second round.
fn middle<G: Playable>(players: usize, plies: usize) -> G {
    let rules = intern(<G::Rules as Rules>::from_options(&[]).expect("the default variant"));
    let mut found = None;
    let mut count = 0;
    for_positions::<G>(rules, players, 8, |state, _| {
        if state.round() == 2 {
            count += 1;
            found = found.or((count == plies).then_some(*state));
        }
    });
    found.expect("the second round is that long")
}

#[test]
fn a_solved_position_keeps_its_value_at_any_depth_with_any_table() {
    let state: Azul = middle(2, 8);
    let way = Way::to(Opponents::Paranoid, MAX_DEPTH);
    let answer = way.search(&state);
    assert!(answer.solved);
    for reuse in [Reuse::Nothing, Reuse::SameDepth] {
        let other = Way { reuse, ..way }.search(&state);
        assert_eq!((other.leads, other.solved), (answer.leads.clone(), true));
    }
    let (mut tiny, mut memory) = (way.tables(), memory_for(&state));
    tiny.resize(Opponents::Paranoid, 1, 1);
    let mut root = RootSearch::new(&mut memory, &state, way.opponents, 1);
    let clock = Clock::new(u64::MAX, TimeLimits::default(), Limits::default());
    MinimaxSearch { tables: &tiny, memory: &mut memory, clock }.deepen(&mut root, MAX_DEPTH, |_, _| ());
    assert_eq!(root.best.as_slice()[0].leads.as_slice(), answer.leads);
}

fn searching_needs_no_memory<G: Playable>() {
    for (players, opponents) in [(2, Opponents::Paranoid), (3, Opponents::Paranoid), (3, Opponents::MaxN)] {
        let way = Way::to(opponents, MAX_DEPTH);
        let state: G = middle(players, 2);
        let (tables, mut memory) = (way.tables(), memory_for(&state));
        let mut search = |nodes: u64, lines| {
            let mut root = RootSearch::new(&mut memory, &state, opponents, lines);
            let clock = Clock::new(nodes, TimeLimits::default(), Limits::default());
            let mut search = MinimaxSearch { tables: &tables, memory: &mut memory, clock };
            let used = allocation_counter::measure(|| {
                search.deepen(&mut root, MAX_DEPTH, |_, _| ());
            });
            used.count_total
        };
        search(5000, 1);
        for lines in [1, 5] {
            assert_eq!(search(5000, lines), 0, "{players} players, {opponents:?}, {lines} lines");
        }
    }
}

#[test]
fn searching_needs_no_memory_after_the_first_search() {
    searching_needs_no_memory::<Azul>();
    searching_needs_no_memory::<SummerPavilion>();
    searching_needs_no_memory::<QueensGarden>();
}

fn agent<G: Playable>(spec: &str) -> Box<dyn Agent<G>> {
    spec.parse::<AgentSpec>().expect("a spec").build().expect("an agent")
}

#[test]
fn the_agent_keeps_its_limits() {
    let state: Azul = middle(2, 1);
    let mut minimax = agent::<Azul>("minimax");
    let mut search = |limits: Limits<'_>| {
        minimax.new_game(1);
        minimax.choose(&state, &limits).expect("a decision").search.expect("a search")
    };
    assert_eq!(search(Limits::default()).nodes, DEFAULT_NODES);
    assert_eq!(search(Limits { nodes: Some(777), ..Limits::default() }).nodes, 777);
    let start = Instant::now();
    let time = Some(Duration::from_millis(20));
    assert!(search(Limits { time, ..Limits::default() }).nodes > 0);
    assert!(start.elapsed() < Duration::from_secs(2));
    let stop = std::sync::atomic::AtomicBool::new(true);
    assert!(search(Limits { stop: Some(&stop), ..Limits::default() }).nodes < 5000);
    let decision = agent::<Azul>("minimax:depth=2").choose(&state, &Limits::default()).expect("a decision");
    assert_eq!(decision.search.expect("a search").depth, 2);
}

/// Where everything can be known, since then it does not matter which thread comes first.
#[test]
fn several_threads_find_what_one_finds() {
    const NODES: u64 = 60_000;
    fn check<G: Playable>(players: usize, search: &str) {
        let [mut one, mut three] = [(NODES, 1), (10 * NODES, 3)].map(|(nodes, threads)| {
            agent::<G>(&format!("minimax:nodes={nodes},search={search},threads={threads}"))
        });
        let (rules, mut compared) = (intern(<G::Rules as Rules>::from_options(&[]).expect("rules")), 0);
        for_positions::<G>(rules, players, 8, |state, seat| {
            let values = |agent: &mut dyn Agent<G>| {
                agent.new_game(1);
                let limits = Limits { candidates: 3, ..Limits::default() };
                let search = agent.choose(state, &limits).expect("a decision").search.expect("a search");
                let leads = search.candidates.iter().map(|candidate| candidate.lead).collect::<Vec<_>>();
                (search.nodes, search.leads[seat], leads)
            };
            if compared == 4 {
                return;
            }
            let (nodes, best, leads) = values(&mut *one);
            if (5_000..NODES).contains(&nodes) {
                let found = values(&mut *three);
                assert_eq!((found.1, found.2), (best, leads), "{search}\n{state}");
                compared += 1;
            }
        });
        assert_eq!(compared, 4, "{search}");
    }
    check::<Azul>(2, "paranoid");
    check::<Azul>(3, "paranoid");
    check::<Azul>(3, "maxn");
    check::<QueensGarden>(2, "paranoid");
}

#[test]
fn threads_share_the_nodes_and_few_are_searched_by_one() {
    let state: Azul = middle(2, 1);
    let search = |spec: &str| {
        let decision = agent::<Azul>(spec).choose(&state, &Limits::default()).expect("a decision");
        decision.search.expect("a search")
    };
    let shared = search("minimax:nodes=30001,threads=4").nodes;
    assert!((7501..=30_001).contains(&shared), "{shared} nodes");
    let [one, four] = ["", ",threads=4"].map(|threads| search(&format!("minimax:nodes=4000{threads}")));
    assert_eq!((one.nodes, one.visits), (four.nodes, four.visits));
    let timed = search("minimax:cpu=20,threads=2");
    assert!(timed.cpu >= Some(Duration::from_millis(20)), "that of both threads: {:?}", timed.cpu);
}

#[test]
fn the_same_limits_give_the_same_search() {
    for spec in ["minimax:nodes=3000", "minimax:nodes=3000,search=maxn"] {
        let state: Azul = middle(3, 1);
        let mut agent = agent::<Azul>(spec);
        let mut choose = |seed| {
            agent.new_game(seed);
            let decision = agent.choose(&state, &Limits::default()).expect("a decision");
            let search = decision.search.expect("a search");
            assert_eq!(search.visits[0].0, decision.action);
            assert_eq!(search.line()[0], decision.action);
            (search.visits, search.values.as_slice().to_vec(), search.candidates)
        };
        assert_eq!(choose(1), choose(2));
    }
}

#[test]
fn a_forced_move_costs_nothing_and_chance_is_refused() {
    let forced = Toy::parse("0(1([1 0] [0 1]))", 2);
    let decision = agent::<Toy>("minimax").choose(&forced, &Limits::default()).expect("a decision");
    assert!(decision.action == Child(0) && decision.search.is_none());
    let asked = Limits { candidates: 1, ..Limits::default() };
    let decision = agent::<Toy>("minimax").choose(&forced, &asked).expect("a decision");
    assert_eq!(decision.candidates()[0].lead, -1.0);
    let chance = Toy::parse("*(1:[1 0] 1:[0 1])", 2);
    assert_eq!(agent::<Toy>("minimax").choose(&chance, &Limits::default()).err(), Some(AgentError::NoTurn));
}

#[test]
fn a_win_counts_beside_the_lead() {
    // A lead of 1 at the end, or one of 3 that is only expected.
    let tree = "0([3 2] *(1:[3 0] 1:[3 0]))";
    for (margin, action) in [(1.0, 1), (0.8, 0)] {
        let toy = Toy::parse(tree, 2);
        let spec = format!("minimax:margin={margin}");
        let decision = agent::<Toy>(&spec).choose(&toy, &Limits::default()).expect("a decision");
        assert_eq!(decision.action, Child(action), "{spec}");
    }
}

#[test]
fn specs_print_and_parse_back() {
    for text in [
        "minimax",
        "minimax:nodes=5,depth=3,time=10,cpu=9,search=maxn,weights=a.toml,margin=0.5,threads=2,memory=4",
    ] {
        assert_eq!(text.parse::<AgentSpec>().expect("a spec").to_string(), text);
    }
    let error = "minimax:search=alpha".parse::<AgentSpec>().expect_err("no such search").to_string();
    assert!(error.contains("one of paranoid, maxn"), "{error}");
}

/// The share of games that an agent wins against greedy, seats in turn.
fn share_against_greedy<G: Playable>(spec: &str, games: u64) -> f64 {
    let mut agents = [agent::<G>(spec), agent::<G>("greedy")];
    let rules = intern(<G::Rules as Rules>::from_options(&[]).expect("the default variant"));
    let mut won = 0.0;
    for game in 0..games {
        agents.iter_mut().for_each(|agent| agent.new_game(game));
        let (mut state, mut rng) = (G::new(rules, 2), Generator::new(game / 2));
        while state.turn() != Turn::Over {
            match state.turn() {
                Turn::Player(seat) => {
                    let agent = &mut agents[(seat.index() + game as usize) % 2];
                    state.apply(agent.choose(&state, &Limits::default()).expect("a decision").action);
                }
                _ => state.play_chance(&mut rng),
            }
        }
        won += state.wins()[Seat::new(game as usize % 2)];
    }
    won / games as f64
}

#[test]
fn minimax_beats_greedy_at_azul() {
    let share = share_against_greedy::<Azul>("minimax:nodes=2000", 20);
    assert!(share > 0.8, "minimax won {share}");
}

#[test]
fn minimax_beats_greedy_at_queens_garden() {
    let share = share_against_greedy::<QueensGarden>("minimax:nodes=1500", 20);
    assert!(share > 0.6, "minimax won {share}");
}
