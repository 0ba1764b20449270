//! What an evaluator finds out about a state after its first simulation changes the state's value, and all that it was added to.

use azulejo::queens_garden::QueensGarden;
use azulejo::summer_pavilion::SummerPavilion;
use azulejo::{MAX_PLAYERS, PerPlayer};

use super::*;
use crate::clock::SearchClock;
use crate::mcts::searcher::SimulationBudget;

/// Expects of every state something of its own, and with the policy something else.
#[derive(Debug, Default)]
struct SecondThoughts;

/// A number for each seat, from -1 to 1, that only this state has, and its share of the win and lead.
fn thought<G: Keyed>(state: &G, salt: u64) -> Expectation {
    let mut rng = Generator::new(state.whole_key() ^ salt);
    let utility = PerPlayer::from_fn(state.players(), |_| rng.below(2001) as f32 / 1000.0 - 1.0);
    Expectation {
        utility,
        wins: utility.map(|value| (value + 1.0) / 2.0),
        leads: utility.map(|value| 10.0 * value),
    }
}

/// How much the later thought counts.
const WEIGHT: f32 = 0.6;

impl<G: Keyed> Evaluator<G> for SecondThoughts {
    fn reseed(&mut self, _seed: u64) {}

    fn value(&mut self, state: &G) -> Expectation {
        thought(state, 1)
    }

    fn result(&mut self, state: &G, _utility: Utility) -> Expectation {
        thought(state, 1)
    }

    fn afterthought(&mut self, state: &G) -> Option<Expectation> {
        Some(thought(state, 1).step_to(WEIGHT, &thought(state, 2)))
    }
}

/// Sums of simulations, and their number.
type Count = ([f32; MAX_PLAYERS], u32);

/// The one without the other.
fn less((sums, visits): Count, (other, fewer): Count) -> Count {
    (std::array::from_fn(|seat| sums[seat] - other[seat]), visits - fewer)
}

/// Counts of a tree's simulations by the moves that they made, where its nodes have those of all ways to a state.
struct Ways<'a, G: Game> {
    tree: &'a Tree<G>,
    /// Of the nodes that stand for states that were reached in other ways, too: the twins there.
    twins: HashMap<NodeId, Vec<NodeId>>,
}

impl<'a, G: Keyed> Ways<'a, G> {
    fn new(tree: &'a Tree<G>) -> Self {
        let mut twins: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        for (node, id) in tree.arena.nodes.iter().zip(0..) {
            if let Below::Twin(twin) = node.below() {
                twins.entry(twin).or_default().push(id);
            }
        }
        Ways { tree, twins }
    }

    /// What simulations that reached a node from its own parent have found.
    fn through(&self, id: NodeId) -> Count {
        let count = |id| (self.tree.node(id).sums, self.tree.node(id).visits);
        let twins = self.twins.get(&id).into_iter().flatten();
        twins.fold(count(id), |rest, &twin| less(rest, count(twin)))
    }

    /// What is left at a node without those that went on: what the first simulation and the afterthought have left there.
    fn left_at(&self, id: NodeId, below: &[NodeId]) -> Count {
        let node = self.tree.node(id);
        below.iter().fold((node.sums, node.visits), |rest, &child| less(rest, self.through(child)))
    }
}

/// Checks every state of a tree that has grown from its root alone; returns how many had an afterthought.
fn check<G: Keyed>(tree: &Tree<G>, label: &str) -> u32 {
    let ways = Ways::new(tree);
    let (mut checked, mut waiting) = (0, VecDeque::from([(tree.top, *tree.root())]));
    while let Some((id, state)) = waiting.pop_front() {
        let first = thought(&state, 1);
        let (below, expected): (Vec<(NodeId, G)>, _) = match tree.node(id).below() {
            // What follows is checked at the node that stands for the state.
            Below::Twin(_) => continue,
            Below::Nothing => (Vec::new(), first),
            Below::Children(children) => {
                checked += 1;
                let tried = (0..children.tried).map(|place| {
                    let (child, mut after) = (tree.arena.child(children, place), state);
                    after.apply(tree.node(child).action);
                    (child, after)
                });
                (tried.collect(), first.mixed(WEIGHT, &thought(&state, 2)))
            }
            Below::Outcomes(known) => {
                let drawn = tree.arena.outcomes_from(known.first).map(|entry| {
                    let (edge, mut after) = (tree.arena.outcome(entry), state);
                    after.apply_chance(&edge.outcome);
                    (edge.child, after)
                });
                (drawn.collect(), first)
            }
        };
        let ids: Vec<NodeId> = below.iter().map(|(child, _)| *child).collect();
        let (left, ended) = ways.left_at(id, &ids);
        let simulations = if state.turn() == Turn::Over { ended as f32 } else { 1.0 };
        assert_eq!(ended as f32, simulations, "{label} at\n{state}");
        for (seat, value) in expected.utility.iter() {
            let (left, value) = (left[seat.index()], simulations * value);
            assert!((left - value).abs() < 2e-3, "{label}: seat {seat} has {left}, not {value}, at\n{state}");
        }
        waiting.extend(below.into_iter().filter(|(child, _)| tree.node(*child).visits > 0));
    }
    checked
}

/// What is told of the root's actions is as their nodes say.
fn check_tallies<G: Keyed>(tree: &Tree<G>, label: &str) {
    let ways = Ways::new(tree);
    let children = tree.children(tree.top).expect("the root has been expanded");
    for id in (0..children.tried).map(|place| tree.arena.child(children, place)) {
        let (action, (sums, visits)) = (tree.node(id).action, ways.through(id));
        let means = tree.tally(action).means(tree.root().players());
        assert_eq!(means.is_some(), visits > 0, "{label}: {action}, visited {visits} times");
        let Some([wins, leads]) = means else { continue };
        for (seat, win) in wins.iter() {
            let (win, lead, mean) = (2.0 * win - 1.0, leads[seat] / 10.0, sums[seat.index()] / visits as f32);
            assert!(
                (win - mean).abs() < 1e-3 && (lead - mean).abs() < 1e-3,
                "{label}: {win}, {lead}, {mean}"
            );
        }
    }
}

#[test]
fn every_state_has_its_value_with_the_afterthought_once() {
    fn search<G: crate::Playable>(players: usize, moves: usize) {
        let mut state = G::new(intern(<G::Rules as azulejo::Rules>::variants().swap_remove(0)), players);
        let (mut rng, mut buffer) = (Generator::new(1), Vec::new());
        while !matches!(state.turn(), Turn::Player(_)) || rng.below(moves as u64) > 0 {
            state.play_random(&mut rng, &mut buffer);
        }
        let most = Arc::new(AtomicUsize::new(0));
        let hesitant = || -> Box<dyn Evaluator<G>> { Box::new(Hesitant::new(SecondThoughts, true, &most)) };
        let at_once = || -> Box<dyn Evaluator<G>> { Box::new(SecondThoughts) };
        let selection = SelectionRule::Puct { c: 1.0, fpu: 0.0 };
        let rules = TreeRules { selection, chance: ChanceTreatment::Sample, memory: 1 << 26 };
        let searcher = |evaluator| Searcher::new(rules, Utility { margin: 0.0 }, evaluator);
        for root in ROOT_RULES {
            for (label, searcher) in [
                ("one by one", searcher(at_once())),
                ("a batch", searcher(at_once()).with_batch(8)),
                ("a batch that waits", searcher(hesitant()).with_batch(8)),
                ("a team", searcher(at_once()).with_helpers((0..2).map(|_| at_once()))),
            ] {
                let label = format!("{}, {players} players, {root:?}, {label}", G::NAME);
                let (mut searcher, limits) = (searcher.with_root(root), Limits::default());
                searcher.reset(2);
                let budget = SimulationBudget {
                    simulations: 1500,
                    clock: SearchClock::start(TimeLimits::default()),
                    limits: &limits,
                    decides: false,
                    pause: None,
                    cpu_before: Duration::ZERO,
                };
                let effort = searcher.search(&state, &budget).expect("threads start");
                assert_eq!(effort.nodes, 1500, "{label}");
                let expanded = check(searcher.tree(), &label);
                assert!(expanded > 20, "{label}: {expanded}");
                check_tallies(searcher.tree(), &label);
            }
        }
    }
    search::<Azul>(2, 5);
    search::<Azul>(3, 40);
    search::<SummerPavilion>(4, 20);
    search::<QueensGarden>(3, 20);
}
