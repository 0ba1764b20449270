//! The search tree: an arena of nodes addressed by number.

use std::task::{Poll, ready};

use azulejo::seed::derive;
use azulejo::{Game, Generator, Keyed, MAX_PLAYERS, PerPlayer, Seat, Turn};

use super::arena::TreeArena;
use super::chance::ChanceTreatment;
use super::children::ChildEntry;
use super::node::{Below, Children, NONE, NodeId, Outcomes, TreeNode};
use super::select::SelectionRule;
use super::tally::RootTally;
use crate::cache::KeyHash;
use crate::evaluator::{Evaluator, Expectation};

/// A leaf handed out for evaluation: where it is, and its state.
#[derive(Clone, Debug)]
pub struct Leaf<G> {
    pub(super) path: Vec<NodeId>,
    depth: usize,
    /// The leaf's state.
    pub state: G,
}

impl<G> Leaf<G> {
    /// The number of moves from the root to the leaf.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// A key of the node where the walk has come to, as caches take them.
    pub(super) fn node_key(&self) -> u64 {
        let id = self.path.last().expect("a walk has begun");
        KeyHash::EMPTY.with((*id).into(), 0).key()
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
    pub(super) arena: TreeArena<G>,
    rules: TreeRules,
    /// What is drawn n-th at a chance node is drawn with a seed derived from this one and n.
    draws: u64,
    /// What virtual losses have changed: nodes with their sums before.
    pub(super) supposed: Vec<(NodeId, [f32; MAX_PLAYERS])>,
    /// What was found after the root's actions since it became the root, by the places of its children.
    pub(super) tallies: Vec<RootTally>,
    /// Scratch space of `expand`.
    actions: Vec<G::Action>,
    probabilities: Vec<f32>,
}

/// How a tree grows.
#[derive(Clone, Copy, Debug)]
pub struct TreeRules {
    /// The rule by which children are selected.
    pub selection: SelectionRule,
    /// What happens at chance nodes.
    pub chance: ChanceTreatment,
    /// The most bytes, at least a mebibyte.
    pub memory: usize,
}

impl<G: Keyed> Tree<G> {
    /// A tree that consists of its root. Chance outcomes are drawn with seeds derived from `draws`.
    pub fn new(root: G, rules: TreeRules, draws: u64) -> Self {
        let mut tree = Tree {
            root,
            top: NONE,
            arena: TreeArena::new(rules.memory),
            rules,
            draws,
            supposed: Vec::new(),
            tallies: Vec::new(),
            actions: Vec::with_capacity(G::MAX_LEGAL),
            probabilities: Vec::with_capacity(G::MAX_LEGAL),
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
        self.supposed.clear();
        self.tallies.clear();
        self.top = self.arena.clear();
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

    /// Whether the tree has stopped growing for lack of memory.
    pub fn is_full(&self) -> bool {
        self.arena.is_full()
    }

    /// The number of simulations that passed through the root.
    pub fn visits(&self) -> u32 {
        self.node(self.top).visits
    }

    /// A leaf for [`gather`](Tree::gather) to fill in.
    pub fn leaf(&self) -> Leaf<G> {
        Leaf { path: Vec::new(), depth: 0, state: self.root }
    }

    /// Walks from the root to a state that has not been evaluated yet, or where the tree ends (the game is over, at chance as
    /// [`ChanceTreatment::Afterstate`] says, or where there is no memory for what follows), and hands it out in `leaf`.
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
        (leaf.state, leaf.depth) = (self.root, 0);
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
                (Turn::Chance, ChanceTreatment::Sample) => match self.draw(id, &mut leaf.state, rng) {
                    Some(next) => next,
                    None => break,
                },
                (Turn::Player(seat), _) => {
                    let children = match self.node(id).below() {
                        Below::Children(children) => Some(children),
                        _ => ready!(self.expand(id, &leaf.state, evaluator, rng)),
                    };
                    let Some(children) = children else { break };
                    let child = match at_root {
                        Some(place) if id == self.top => self.arena.try_child(id, children, place),
                        _ => self.select(id, children, seat),
                    };
                    let Some(child) = child else { break };
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
        if self.node(id).visits == 0 {
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
        let known = self.arena.state_node(state.whole_key(), id);
        if known != id {
            self.arena.nodes[id as usize].set_below(Below::Twin(known));
        }
    }

    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &TreeNode<G::Action> {
        &self.arena.nodes[id as usize]
    }

    /// The node where what follows is known: the node itself, or its twin.
    pub(super) fn with_children(&self, id: NodeId) -> NodeId {
        match self.node(id).below() {
            Below::Twin(twin) => twin,
            _ => id,
        }
    }

    /// The children of a node, or of its twin; none if it has not been expanded.
    pub(super) fn children(&self, id: NodeId) -> Option<Children> {
        match self.node(self.with_children(id)).below() {
            Below::Children(children) => Some(children),
            _ => None,
        }
    }

    /// Adds the utilities that were found at a leaf to every node on the way to it, and counts all that was found for the
    /// root's action.
    pub fn apply(&mut self, leaf: &Leaf<G>, found: &Expectation) {
        self.count_at_root(leaf, found);
        for &id in &leaf.path {
            let node = &mut self.arena.nodes[id as usize];
            node.visits += 1;
            for (sum, value) in node.sums.iter_mut().zip(found.utility.as_slice()) {
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

    /// Changes the prior probabilities of the root's children, of which none has been tried, and puts the most promising first again.
    pub(super) fn change_root_priors(&mut self, mut change: impl FnMut(f32) -> f32) {
        let Some(children) = self.children(self.top) else { return };
        assert_eq!(children.tried, 0, "children that have been tried keep their prior");
        let entries = &mut self.arena.entries[children.entries()];
        entries.iter_mut().for_each(|entry| *entry = entry.with_prior(change(entry.prior())));
        // Equals stay in their order.
        entries.sort_by(|a, b| b.prior().total_cmp(&a.prior()));
    }

    /// Lists the children of a node at a player's turn, the most promising first; `None` if there is no room for them.
    fn expand(
        &mut self,
        id: NodeId,
        state: &G,
        evaluator: &mut (impl Evaluator<G> + ?Sized),
        rng: &mut Generator,
    ) -> Poll<Option<Children>> {
        state.legal_actions(&mut self.actions);
        if !self.arena.has_room_for_children(self.actions.len()) {
            return Poll::Ready(None);
        }
        ready!(evaluator.poll_policy(state, &mut self.actions, &mut self.probabilities, rng));
        Poll::Ready(self.arena.list_children(id, &self.actions, &self.probabilities))
    }

    /// The child that the next simulation goes to: one of those tried before, or the first untried one; `None` if that has to be
    /// and there is no room for it.
    #[inline]
    fn select(&mut self, id: NodeId, children: Children, seat: Seat) -> Option<NodeId> {
        let untried = self.arena.next_untried(children).map(ChildEntry::prior);
        let mean = |child: &TreeNode<G::Action>| match child.below() {
            Below::Twin(twin) => self.node(twin).mean(seat),
            _ => child.mean(seat),
        };
        let tried = self.arena.tried(children);
        let chosen = self.rules.selection.choose(self.node(id), seat, tried, untried, mean);
        chosen.or_else(|| self.arena.try_child(id, children, children.tried))
    }

    /// Moves on from a chance node: by a new outcome while it has few for its visits, else by one drawn before.
    ///
    /// A node with v visits keeps up to ⌈√v⌉ different outcomes (progressive widening; Couëtoux et al. 2011).
    fn draw(&mut self, id: NodeId, state: &mut G, rng: &mut Generator) -> Option<NodeId> {
        let node = self.node(id);
        let known = match node.below() {
            Below::Outcomes(outcomes) => outcomes,
            _ => Outcomes { first: NONE, count: 0, asked: 0 },
        };
        let widen = u32::from(known.count).pow(2) < node.visits;
        let new = if widen { self.widen(id, known, state) } else { None };
        let entry = new.or_else(|| self.arena.draw_again(known.first, rng))?;
        let edge = self.arena.outcome(entry);
        state.apply_chance(&edge.outcome);
        Some(edge.child)
    }

    /// Draws an outcome by its probability and returns its entry, made if it is new; `None` if there is no room for it.
    ///
    /// All chance nodes draw with the same random numbers: actions are compared by the same deals.
    fn widen(&mut self, id: NodeId, mut known: Outcomes, state: &G) -> Option<u32> {
        let outcome = state.sample_chance(&mut Generator::new(derive(self.draws, &[known.asked.into()])));
        known.asked = known.asked.wrapping_add(1);
        let found = self.arena.find_outcome(known.first, &outcome);
        match found {
            Some(entry) => self.arena.count_draw(known.first, entry),
            None => {
                known.first = self.arena.add_outcome(outcome, known.first)?;
                known.count += 1;
            }
        }
        self.arena.nodes[id as usize].set_below(Below::Outcomes(known));
        found.or(Some(known.first))
    }

    /// The root's children, visited or not, in the order in which they are to be tried.
    pub(super) fn root_children(&self) -> Vec<TreeNode<G::Action>> {
        let Some(children) = self.children(self.top) else { return Vec::new() };
        let untried = self.arena.untried(children).iter().map(ChildEntry::node);
        self.arena.tried_nodes(children).copied().chain(untried).collect()
    }

    /// The root's actions that have been visited, with their visits: the most visited first, of equals the one of more utility to
    /// the player to move.
    pub fn root_actions(&self) -> Vec<(G::Action, u32)> {
        let Turn::Player(seat) = self.root.turn() else { return Vec::new() };
        self.ranked(self.top, seat).into_iter().map(|node| (node.action, node.visits)).collect()
    }

    /// Whether `left` simulations more are too few for another action at the root to overtake the most visited one, even if they
    /// become somewhat faster.
    pub(super) fn is_decided(&self, left: u64) -> bool {
        u64::from(self.lead()) > left + left / 4
    }

    /// How many visits the most visited action at the root has more than any other one.
    fn lead(&self) -> u32 {
        let tried = self.children(self.top).into_iter().flat_map(|children| self.arena.tried_nodes(children));
        let [first, second] = tried.fold([0, 0], |[first, second], child| match child.visits {
            visits if visits > first => [visits, first],
            visits => [first, second.max(visits)],
        });
        first - second
    }

    /// The visited children, the most visited first; of equals the one of more utility.
    fn ranked(&self, id: NodeId, seat: Seat) -> Vec<TreeNode<G::Action>> {
        let tried = self.children(id).into_iter().flat_map(|children| self.arena.tried_nodes(children));
        let mut children: Vec<_> = tried.filter(|child| child.visits > 0).copied().collect();
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
        let children = self.children(id)?;
        let place = self.arena.tried_nodes(children).position(|child| child.action == action)?;
        Some(self.arena.child(children, place as u16))
    }
}
