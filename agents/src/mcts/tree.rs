//! The search tree: an arena of nodes addressed by number.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::task::{Poll, ready};

use azulejo::seed::derive;
use azulejo::{Game, Generator, Indexed, Keyed, MAX_PLAYERS, PerPlayer, Seat, Turn};

use super::chance::ChanceTreatment;
use super::node::{Below, Children, NONE, NodeId, OutcomeEdge, Outcomes, TreeNode, entries};
use super::select::SelectionRule;
use crate::evaluator::Evaluator;

/// A leaf handed out for evaluation: where it is, and its state.
#[derive(Clone, Debug)]
pub struct Leaf<G> {
    pub(super) path: Vec<NodeId>,
    depth: usize,
    /// Whether there is a chance node on the path.
    chance_passed: bool,
    /// The leaf's state.
    pub state: G,
}

impl<G> Leaf<G> {
    /// The number of moves from the root to the leaf.
    pub fn depth(&self) -> usize {
        self.depth
    }
}

/// The tree of one search over the game `G`, from a state at a player's turn.
///
/// A simulation is [`gather`](Tree::gather), an evaluation of the leaf by the caller, and
/// [`apply`](Tree::apply): the tree neither evaluates nor knows of threads. Several leaves can be gathered before the first
/// is evaluated, see [`suppose_lost`](Tree::suppose_lost).
#[derive(Debug)]
pub struct Tree<G: Game> {
    pub(super) root: G,
    /// The root's node.
    pub(super) top: NodeId,
    pub(super) nodes: Vec<TreeNode<G::Action>>,
    pub(super) outcomes: Vec<OutcomeEdge<G>>,
    pub(super) rules: TreeRules,
    /// The nodes of states before the next chance node, by [`placed_key`](Keyed::placed_key).
    pub(super) states: HashMap<u64, NodeId>,
    /// What is drawn n-th at a chance node is drawn with a seed derived from this one and n.
    draws: u64,
    /// What virtual losses have changed: nodes with their sums before.
    pub(super) supposed: Vec<(NodeId, [f32; MAX_PLAYERS])>,
    /// Scratch space of `expand`.
    actions: Vec<G::Action>,
    probabilities: Vec<f32>,
    /// Scratch space of `keep`.
    pub(super) moved: Vec<NodeId>,
    pub(super) open: Vec<NodeId>,
}

/// How a tree grows.
#[derive(Clone, Copy, Debug)]
pub struct TreeRules {
    /// The rule by which children are selected.
    pub selection: SelectionRule,
    /// What happens at chance nodes.
    pub chance: ChanceTreatment,
}

impl<G: Keyed> Tree<G> {
    /// A tree that consists of its root. Chance outcomes are drawn with seeds derived from `draws`.
    pub fn new(root: G, rules: TreeRules, draws: u64) -> Self {
        let mut tree = Tree {
            root,
            top: NONE,
            nodes: Vec::new(),
            outcomes: Vec::new(),
            rules,
            states: HashMap::new(),
            draws,
            supposed: Vec::new(),
            actions: Vec::with_capacity(G::MAX_LEGAL),
            probabilities: Vec::with_capacity(G::MAX_LEGAL),
            moved: Vec::new(),
            open: Vec::new(),
        };
        tree.reset(root);
        tree
    }

    /// Forgets everything, for a new game; chance outcomes are drawn with seeds derived from `draws`.
    pub fn forget(&mut self, draws: u64) {
        self.draws = draws;
        self.reset(self.root);
    }

    /// Forgets everything and starts from another state. Memory is kept.
    pub fn reset(&mut self, root: G) {
        self.root = root;
        self.nodes.clear();
        self.outcomes.clear();
        self.states.clear();
        self.supposed.clear();
        self.nodes.resize(2, TreeNode::new(G::Action::from_index(0), 1.0));
        self.top = 1;
    }

    /// The root's state.
    pub fn root(&self) -> &G {
        &self.root
    }

    /// Whether exactly one action is legal at the root.
    pub fn is_forced(&mut self) -> bool {
        self.root.legal_actions(&mut self.actions);
        self.actions.len() == 1
    }

    /// The number of simulations that passed through the root.
    pub fn visits(&self) -> u32 {
        self.node(self.top).visits
    }

    /// A leaf for [`gather`](Tree::gather) to fill in.
    pub fn leaf(&self) -> Leaf<G> {
        Leaf { path: Vec::new(), depth: 0, chance_passed: false, state: self.root }
    }

    /// Walks from the root to a state that has not been evaluated yet, or where the tree ends (the game is over, or
    /// at chance as [`ChanceTreatment::Afterstate`] says), and hands it out in `leaf`.
    ///
    /// A node's children are made when a second simulation comes to it, by the evaluator's policy. If that has to wait, the
    /// walk stops before, and [`resume`](Tree::resume) goes on from there. From the root the walk goes to the child at the
    /// place `at_root`, or to the one that the selection chooses.
    pub fn gather(
        &mut self,
        leaf: &mut Leaf<G>,
        evaluator: &mut (impl Evaluator<G> + ?Sized),
        rng: &mut Generator,
        at_root: Option<u16>,
    ) -> Poll<()> {
        leaf.path.clear();
        (leaf.state, leaf.depth, leaf.chance_passed) = (self.root, 0, false);
        let id = self.enter(self.top, leaf);
        self.walk(id, leaf, evaluator, rng, at_root)
    }

    /// Goes on with a walk that stopped before a node without children, with the same arguments.
    ///
    /// # Panics
    /// If the leaf is not of such a walk.
    pub fn resume(
        &mut self,
        leaf: &mut Leaf<G>,
        evaluator: &mut (impl Evaluator<G> + ?Sized),
        rng: &mut Generator,
        at_root: Option<u16>,
    ) -> Poll<()> {
        let id = *leaf.path.last().expect("a walk has begun");
        self.walk(id, leaf, evaluator, rng, at_root)
    }

    /// Walks on from a node that was entered.
    #[inline]
    fn walk(
        &mut self,
        mut id: NodeId,
        leaf: &mut Leaf<G>,
        evaluator: &mut (impl Evaluator<G> + ?Sized),
        rng: &mut Generator,
        at_root: Option<u16>,
    ) -> Poll<()> {
        while self.node(id).visits > 0 {
            let next = match (leaf.state.turn(), self.rules.chance) {
                (Turn::Over, _) | (Turn::Chance, ChanceTreatment::Afterstate) => break,
                (Turn::Chance, ChanceTreatment::Sample) => {
                    leaf.chance_passed = true;
                    self.draw(id, &mut leaf.state, rng)
                }
                (Turn::Player(seat), _) => {
                    let children = match self.node(id).below() {
                        Below::Children(children) => children,
                        _ => ready!(self.expand(id, &leaf.state, evaluator, rng)),
                    };
                    let place = match at_root {
                        Some(place) if id == self.top => place,
                        _ => self.select(id, children, seat),
                    };
                    let child = children.first + u32::from(place);
                    if place >= children.tried {
                        let tried = Children { tried: place + 1, ..children };
                        self.nodes[id as usize].set_below(Below::Children(tried));
                    }
                    leaf.state.apply(self.node(child).action);
                    child
                }
            };
            leaf.depth += 1;
            id = self.enter(next, leaf);
        }
        Poll::Ready(())
    }

    /// Puts a node on the path, with its twin if it has one; returns where what follows is known.
    #[inline]
    fn enter(&mut self, id: NodeId, leaf: &mut Leaf<G>) -> NodeId {
        if self.node(id).visits == 0 && !leaf.chance_passed {
            self.find_twin(id, &leaf.state);
        }
        leaf.path.push(id);
        match self.node(id).below() {
            Below::Twin(twin) => {
                leaf.path.push(twin);
                twin
            }
            _ => id,
        }
    }

    /// Makes a node that has not been visited the twin of the one that stands for the same state, if there is one.
    fn find_twin(&mut self, id: NodeId, state: &G) {
        match self.states.entry(state.placed_key()) {
            Entry::Vacant(entry) => _ = entry.insert(id),
            Entry::Occupied(known) if *known.get() == id => {}
            Entry::Occupied(known) => self.nodes[id as usize].set_below(Below::Twin(*known.get())),
        }
    }

    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &TreeNode<G::Action> {
        &self.nodes[id as usize]
    }

    /// The node where what follows is known: the node itself, or its twin.
    pub(super) fn with_children(&self, id: NodeId) -> NodeId {
        match self.node(id).below() {
            Below::Twin(twin) => twin,
            _ => id,
        }
    }

    /// The children of a node, or of its twin, and how many of them may have been visited.
    fn children(&self, id: NodeId) -> (&[TreeNode<G::Action>], usize) {
        match self.node(self.with_children(id)).below() {
            Below::Children(Children { first, count, tried }) => {
                (&self.nodes[first as usize..][..count.into()], tried.into())
            }
            _ => (&[], 0),
        }
    }

    /// Adds an evaluation, the utility of each seat, to every node on the way to the leaf.
    pub fn apply(&mut self, leaf: &Leaf<G>, values: &PerPlayer<f32>) {
        for &id in &leaf.path {
            let node = &mut self.nodes[id as usize];
            node.visits += 1;
            for (sum, value) in node.sums.iter_mut().zip(values.as_slice()) {
                *sum += value;
            }
        }
    }

    /// Makes the root's children by the evaluator's policy, unless it has some.
    pub fn expand_root(
        &mut self,
        evaluator: &mut (impl Evaluator<G> + ?Sized),
        rng: &mut Generator,
    ) -> Poll<()> {
        let id = self.with_children(self.top);
        if self.node(id).below() == Below::Nothing {
            let root = self.root;
            ready!(self.expand(id, &root, evaluator, rng));
        }
        Poll::Ready(())
    }

    /// Makes the children of a node at a player's turn, the most promising first.
    fn expand(
        &mut self,
        id: NodeId,
        state: &G,
        evaluator: &mut (impl Evaluator<G> + ?Sized),
        rng: &mut Generator,
    ) -> Poll<Children> {
        state.legal_actions(&mut self.actions);
        ready!(evaluator.poll_policy(state, &mut self.actions, &mut self.probabilities, rng));
        let (first, count) = (self.nodes.len() as NodeId, self.actions.len() as u16);
        let made = Children { first, count, tried: 0 };
        self.nodes[id as usize].set_below(Below::Children(made));
        let children = self.actions.iter().zip(&self.probabilities);
        self.nodes.extend(children.map(|(&action, &prior)| TreeNode::new(action, prior)));
        Poll::Ready(made)
    }

    /// The place of the child that the next simulation goes to: one of those tried before, or the first untried one.
    fn select(&self, id: NodeId, children: Children, seat: Seat) -> u16 {
        let Children { first, count, tried } = children;
        let all = &self.nodes[first as usize..][..count.into()];
        let (tried, untried) = (&all[..tried.into()], all.get(usize::from(tried)));
        let mean = |child: &TreeNode<G::Action>| match child.below() {
            Below::Twin(twin) => self.node(twin).mean(seat),
            _ => child.mean(seat),
        };
        self.rules.selection.choose(self.node(id), tried, untried, seat, mean) as u16
    }

    /// Moves on from a chance node: by a new outcome while it has few for its visits, else by one drawn before.
    ///
    /// A node with v visits keeps up to ⌈√v⌉ different outcomes (progressive widening; Couëtoux et al. 2011).
    fn draw(&mut self, id: NodeId, state: &mut G, rng: &mut Generator) -> NodeId {
        let node = self.node(id);
        let known = match node.below() {
            Below::Outcomes(outcomes) => outcomes,
            _ => Outcomes { first: NONE, count: 0, asked: 0 },
        };
        let widen = u32::from(known.count).pow(2) < node.visits;
        let edge = if widen { self.widen(id, known, state) } else { self.draw_again(known, rng) };
        let edge = &mut self.outcomes[edge as usize - 1];
        edge.draws += 1;
        state.apply_chance(&edge.outcome);
        edge.child
    }

    /// Draws an outcome by its probability and returns its entry (numbered from 1), made if it is new.
    ///
    /// All chance nodes draw with the same random numbers: actions are compared by the same deals.
    fn widen(&mut self, id: NodeId, mut known: Outcomes, state: &G) -> u32 {
        let outcome = state.sample_chance(&mut Generator::new(derive(self.draws, &[known.asked.into()])));
        known.asked = known.asked.wrapping_add(1);
        let found = entries(&self.outcomes, known.first)
            .find(|&entry| self.outcomes[entry as usize - 1].outcome == outcome);
        let entry = found.unwrap_or_else(|| {
            let child = self.nodes.len() as NodeId;
            self.nodes.push(TreeNode::new(G::Action::from_index(0), 1.0));
            self.outcomes.push(OutcomeEdge { outcome, child, draws: 0, next: known.first });
            known.first = self.outcomes.len() as u32;
            known.count += 1;
            known.first
        });
        self.nodes[id as usize].set_below(Below::Outcomes(known));
        entry
    }

    /// One of the outcomes drawn before, with probability in proportion to how often it was drawn.
    fn draw_again(&self, known: Outcomes, rng: &mut Generator) -> u32 {
        let draws = |entry| u64::from(self.outcomes[entry as usize - 1].draws);
        let mut left = rng.below(entries(&self.outcomes, known.first).map(draws).sum());
        for entry in entries(&self.outcomes, known.first) {
            match left.checked_sub(draws(entry)) {
                None => return entry,
                Some(rest) => left = rest,
            }
        }
        known.first
    }

    /// The root's children, visited or not, in the order in which they are to be tried.
    pub(super) fn root_children(&self) -> &[TreeNode<G::Action>] {
        self.children(self.top).0
    }

    /// The root's children that have been visited: the action, the visits, and the sum over these of the utility of
    /// the player to move.
    pub fn root_actions(&self) -> Vec<(G::Action, u32, f32)> {
        let Turn::Player(seat) = self.root.turn() else { return Vec::new() };
        let children = self.ranked(self.top, seat).into_iter();
        children.map(|node| (node.action, node.visits, node.sums[seat.index()])).collect()
    }

    /// The visited children, the most visited first; of equals the one of more utility.
    fn ranked(&self, id: NodeId, seat: Seat) -> Vec<TreeNode<G::Action>> {
        let (children, tried) = self.children(id);
        let mut children = children[..tried].to_vec();
        children.retain(|child| child.visits > 0);
        children.sort_by(|a, b| {
            b.visits.cmp(&a.visits).then(b.mean(seat).total_cmp(&a.mean(seat))).then(a.action.cmp(&b.action))
        });
        children
    }

    /// The mean utility of each seat over all simulations.
    pub fn values(&self) -> PerPlayer<f32> {
        PerPlayer::from_fn(self.root.players(), |seat| self.node(self.top).mean(seat))
    }

    /// The most visited line of actions from the root up to the next chance node, from an action on.
    pub fn line(&self, first: G::Action) -> Vec<G::Action> {
        let (mut line, mut state, mut id, mut next) = (Vec::new(), self.root, self.top, Some(first));
        while let Some(action) = next {
            line.push(action);
            state.apply(action);
            let Some(child) = self.child(id, action) else { break };
            id = child;
            let Turn::Player(seat) = state.turn() else { break };
            next = self.ranked(id, seat).first().map(|child| child.action);
        }
        line
    }

    /// The child of a node, or of its twin, that an action leads to, if it may have been visited.
    pub(super) fn child(&self, id: NodeId, action: G::Action) -> Option<NodeId> {
        let Below::Children(children) = self.node(self.with_children(id)).below() else { return None };
        let tried = &self.nodes[children.first as usize..][..children.tried.into()];
        let place = tried.iter().position(|child| child.action == action);
        place.map(|place| children.first + place as NodeId)
    }
}
