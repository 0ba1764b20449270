//! The search tree: an arena of nodes addressed by number.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use azulejo::seed::derive;
use azulejo::{Game, Generator, Indexed, Keyed, MAX_PLAYERS, PerPlayer, Seat, Turn};

use super::chance::ChanceTreatment;
use super::prior::{Prior, most_likely_first};
use super::select::Selection;
use crate::parameters::keyword_enum;

/// A node's place in the arena.
pub(super) type NodeId = u32;

/// No children have been made yet, or no further outcome follows. The first place of the arena stays empty.
pub(super) const NONE: u32 = 0;

/// What a node's `first` leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Below {
    /// The first of the children, which lie side by side in the order in which they are to be tried.
    Children,
    /// The first entry of a chance node's list of outcomes.
    Outcomes,
    /// The node that stands for the same state, reached by the same moves in another order; all that follows is there.
    Twin,
}

/// A state reached in the tree, with the statistics of the simulations that passed through it.
///
/// The state itself is not kept: it is played out again from the root on the way down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<A> {
    /// The sum over its simulations of each seat's utility.
    pub sums: [f32; MAX_PLAYERS],
    /// The number of simulations that passed through.
    pub visits: u32,
    /// The prior probability of the action that leads here.
    pub prior: f32,
    /// What follows; [`NONE`] if nothing is known yet.
    pub first: u32,
    /// The number of children or outcomes.
    pub children: u16,
    /// What follows.
    pub below: Below,
    /// How many of the children, from the first on, may have been visited; of a chance node, how often an outcome was
    /// asked for that may be new.
    pub tried: u16,
    /// The action that leads here; without meaning at the root and behind a chance node.
    pub action: A,
}

impl<A> Node<A> {
    pub fn new(action: A, prior: f32) -> Self {
        Node {
            sums: [0.0; MAX_PLAYERS],
            visits: 0,
            prior,
            first: NONE,
            children: 0,
            below: Below::Children,
            tried: 0,
            action,
        }
    }

    /// A seat's mean utility; the node has been visited.
    #[inline]
    pub fn mean(&self, seat: Seat) -> f32 {
        self.sums[seat.index()] / self.visits as f32
    }
}

/// A chance outcome that has been drawn in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutcomeEdge<G: Game> {
    pub outcome: G::Outcome,
    pub child: NodeId,
    /// How often it has been drawn.
    draws: u32,
    /// The next outcome of the same chance node.
    pub next: u32,
}

/// A leaf handed out for evaluation: where it is, and its state.
#[derive(Clone, Debug)]
pub struct Leaf<G> {
    path: Vec<NodeId>,
    depth: usize,
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
/// [`apply`](Tree::apply): the tree neither evaluates nor knows of threads.
#[derive(Debug)]
pub struct Tree<G: Game> {
    pub(super) root: G,
    /// The root's node.
    pub(super) top: NodeId,
    pub(super) nodes: Vec<Node<G::Action>>,
    pub(super) outcomes: Vec<OutcomeEdge<G>>,
    pub(super) rules: TreeRules,
    /// The nodes of states before the next chance node, by [`placed_key`](Keyed::placed_key).
    pub(super) states: HashMap<u64, NodeId>,
    /// What is drawn n-th at a chance node is drawn with a seed derived from this one and n.
    draws: u64,
    /// Scratch space of `expand`.
    pub(super) actions: Vec<G::Action>,
    pub(super) probabilities: Vec<f32>,
    /// Scratch space of `suggest`.
    suggested: Vec<u64>,
    /// The place among the root's children of the one that the next simulations go to; chosen by the selection if none.
    pub(super) aim: Option<u16>,
    /// Scratch space of `keep`.
    pub(super) moved: Vec<NodeId>,
    pub(super) open: Vec<NodeId>,
}

/// How a tree grows.
#[derive(Clone, Copy, Debug)]
pub struct TreeRules {
    /// The rule by which children are selected.
    pub selection: Selection,
    /// What happens at chance nodes.
    pub chance: ChanceTreatment,
    /// What happens where a state is reached in another way.
    pub transpositions: Transpositions,
}

impl TreeRules {
    /// Whether nothing is shared between ways to a state. In an open tree a node does not stand for one state.
    fn shares_nothing(self) -> bool {
        self.transpositions == Transpositions::Apart || self.chance == ChanceTreatment::Open
    }
}

keyword_enum! {
    /// What the tree does where a state before the next chance node is reached by the same moves in another order.
    Transpositions {
        /// The ways share what is known of the state, its value and all that follows; each counts its own visits
        /// (UCT2 of Childs, Brodeur and Kocsis 2008).
        Shared = "shared",
        /// Nothing is shared.
        Apart = "apart",
    }
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
            actions: Vec::with_capacity(G::MAX_LEGAL),
            probabilities: Vec::with_capacity(G::MAX_LEGAL),
            suggested: Vec::new(),
            aim: None,
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
        self.aim = None;
        self.nodes.resize(2, Node::new(G::Action::from_index(0), 1.0));
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
        Leaf { path: Vec::new(), depth: 0, state: self.root }
    }

    /// Walks from the root to a state that has not been evaluated yet, or where the tree ends (the game is over, or
    /// at chance as [`ChanceTreatment::Afterstate`] says), and hands it out in `leaf`.
    ///
    /// A node's children are made when a second simulation comes to it; `prior` orders them.
    pub fn gather(&mut self, leaf: &mut Leaf<G>, prior: &mut impl Prior<G>, rng: &mut Generator) {
        leaf.path.clear();
        (leaf.state, leaf.depth) = (self.root, 0);
        let (mut id, mut chance_passed) = (self.top, self.rules.shares_nothing());
        loop {
            let turn = leaf.state.turn();
            if self.node(id).visits == 0 && !chance_passed {
                self.find_twin(id, &leaf.state);
            }
            leaf.path.push(id);
            if self.node(id).below == Below::Twin {
                id = self.node(id).first;
                leaf.path.push(id);
            }
            if self.node(id).visits == 0 {
                return;
            }
            id = match (turn, self.rules.chance) {
                (Turn::Over, _) | (Turn::Chance, ChanceTreatment::Afterstate) => return,
                (Turn::Chance, ChanceTreatment::Sample) => self.draw(id, &mut leaf.state, rng),
                (Turn::Chance, ChanceTreatment::Open) => {
                    leaf.state.play_chance(rng);
                    self.behind_chance(id)
                }
                (Turn::Player(seat), chance) => {
                    if self.node(id).first == NONE {
                        self.expand(id, &leaf.state, prior, rng);
                    }
                    let child = match chance {
                        ChanceTreatment::Open => self.select_legal(id, seat, &leaf.state, prior, rng),
                        _ => self.select(id, seat),
                    };
                    leaf.state.apply(self.node(child).action);
                    child
                }
            };
            chance_passed |= turn == Turn::Chance;
            leaf.depth += 1;
        }
    }

    /// Makes a node that has not been visited the twin of the one that stands for the same state, if there is one.
    fn find_twin(&mut self, id: NodeId, state: &G) {
        match self.states.entry(state.placed_key()) {
            Entry::Vacant(entry) => _ = entry.insert(id),
            Entry::Occupied(known) if *known.get() == id => {}
            Entry::Occupied(known) => {
                let node = &mut self.nodes[id as usize];
                (node.below, node.first) = (Below::Twin, *known.get());
            }
        }
    }

    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &Node<G::Action> {
        &self.nodes[id as usize]
    }

    /// The node where what follows is known: the node itself, or its twin.
    pub(super) fn with_children(&self, id: NodeId) -> NodeId {
        let node = self.node(id);
        if node.below == Below::Twin { node.first } else { id }
    }

    /// Makes the children of a leaf at a player's turn, with a probability for each action in the order of
    /// `legal_actions`; those of probability 0 are left out. A leaf that has children keeps them.
    pub fn suggest(&mut self, leaf: &Leaf<G>, prior: &[f32]) {
        let Some(&id) = leaf.path.last() else { return };
        let node = self.node(id);
        if node.first != NONE || node.below != Below::Children {
            return;
        }
        leaf.state.legal_actions(&mut self.actions);
        most_likely_first(prior, &mut self.suggested);
        let first = self.nodes.len() as u32;
        let node = &mut self.nodes[id as usize];
        (node.first, node.children) = (first, self.suggested.len() as u16);
        let (places, actions) = (self.suggested.iter().map(|&place| place as usize), &self.actions);
        self.nodes.extend(places.map(|place| Node::new(actions[place], prior[place])));
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

    /// Makes the root's children, which `prior` orders, unless it has some.
    pub fn expand_root(&mut self, prior: &mut impl Prior<G>, rng: &mut Generator) {
        let id = self.with_children(self.top);
        if self.node(id).first == NONE {
            let root = self.root;
            self.expand(id, &root, prior, rng);
        }
    }

    /// Makes the children of a node at a player's turn, the most promising first.
    fn expand(&mut self, id: NodeId, state: &G, prior: &mut impl Prior<G>, rng: &mut Generator) {
        state.legal_actions(&mut self.actions);
        prior.order(state, &mut self.actions, &mut self.probabilities, rng);
        let first = self.nodes.len() as u32;
        let node = &mut self.nodes[id as usize];
        (node.first, node.children) = (first, self.actions.len() as u16);
        let children = self.actions.iter().zip(&self.probabilities);
        self.nodes.extend(children.map(|(&action, &prior)| Node::new(action, prior)));
    }

    /// The child that the next simulation goes to: one of those tried before, or the first untried one.
    fn select(&mut self, id: NodeId, seat: Seat) -> NodeId {
        let parent = *self.node(id);
        if let Some(place) = self.aim.filter(|_| id == self.top) {
            self.nodes[id as usize].tried = parent.tried.max(place + 1);
            return parent.first + u32::from(place);
        }
        let tried = &self.nodes[parent.first as usize..][..parent.tried as usize];
        let untried = (parent.tried < parent.children)
            .then(|| &self.nodes[parent.first as usize + parent.tried as usize]);
        let mean = |child: &Node<G::Action>| match child.below {
            Below::Twin => self.node(child.first).mean(seat),
            _ => child.mean(seat),
        };
        let choice = self.rules.selection.choose(&parent, tried, untried, seat, mean);
        if choice == parent.tried as usize {
            self.nodes[id as usize].tried += 1;
        }
        parent.first + choice as u32
    }

    /// Moves on from a chance node: by a new outcome while it has few for its visits, else by one drawn before.
    ///
    /// A node with v visits keeps up to ⌈√v⌉ different outcomes (progressive widening; Couëtoux et al. 2011).
    fn draw(&mut self, id: NodeId, state: &mut G, rng: &mut Generator) -> NodeId {
        let node = *self.node(id);
        let widen = u32::from(node.children).pow(2) < node.visits;
        let edge = if widen { self.widen(id, state) } else { self.draw_again(node, rng) };
        let edge = &mut self.outcomes[edge as usize - 1];
        edge.draws += 1;
        state.apply_chance(&edge.outcome);
        edge.child
    }

    /// Draws an outcome by its probability and returns its entry (numbered from 1), made if it is new.
    ///
    /// All chance nodes draw with the same random numbers: actions are compared by the same deals.
    fn widen(&mut self, id: NodeId, state: &G) -> u32 {
        let node = &mut self.nodes[id as usize];
        let outcome = state.sample_chance(&mut Generator::new(derive(self.draws, &[node.tried.into()])));
        (node.tried, node.below) = (node.tried.wrapping_add(1), Below::Outcomes);
        let known = entries(&self.outcomes, node.first)
            .find(|&entry| self.outcomes[entry as usize - 1].outcome == outcome);
        if let Some(entry) = known {
            return entry;
        }
        let child = self.nodes.len() as u32;
        self.nodes.push(Node::new(G::Action::from_index(0), 1.0));
        let node = &mut self.nodes[id as usize];
        self.outcomes.push(OutcomeEdge { outcome, child, draws: 0, next: node.first });
        node.first = self.outcomes.len() as u32;
        node.children += 1;
        node.first
    }

    /// One of the outcomes drawn before, with probability in proportion to how often it was drawn.
    fn draw_again(&self, node: Node<G::Action>, rng: &mut Generator) -> u32 {
        let draws = |entry| u64::from(self.outcomes[entry as usize - 1].draws);
        let mut left = rng.below(entries(&self.outcomes, node.first).map(draws).sum());
        for entry in entries(&self.outcomes, node.first) {
            match left.checked_sub(draws(entry)) {
                None => return entry,
                Some(rest) => left = rest,
            }
        }
        node.first
    }

    /// The root's children, visited or not, in the order in which they are to be tried.
    pub(super) fn root_children(&self) -> &[Node<G::Action>] {
        let node = self.node(self.with_children(self.top));
        &self.nodes[node.first as usize..][..node.children.into()]
    }

    /// The root's children that have been visited: the action, the visits, and the sum over these of the utility of
    /// the player to move.
    pub fn root_actions(&self) -> Vec<(G::Action, u32, f32)> {
        let Turn::Player(seat) = self.root.turn() else { return Vec::new() };
        let children = self.ranked(self.top, seat, &self.root).into_iter();
        children.map(|node| (node.action, node.visits, node.sums[seat.index()])).collect()
    }

    /// The visited children that are legal in this state, the most visited first; of equals the one of more utility.
    /// In an open tree others may be among them.
    fn ranked(&self, id: NodeId, seat: Seat, state: &G) -> Vec<Node<G::Action>> {
        let node = self.node(self.with_children(id));
        let mut children = self.nodes[node.first as usize..][..node.tried as usize].to_vec();
        children.retain(|child| child.visits > 0 && state.is_legal(child.action));
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
            next = self.ranked(id, seat, &state).first().map(|child| child.action);
        }
        line
    }

    /// The child of a node, or of its twin, that an action leads to, if it may have been visited.
    pub(super) fn child(&self, id: NodeId, action: G::Action) -> Option<NodeId> {
        let node = self.node(self.with_children(id));
        let tried = if node.below == Below::Children { node.tried } else { 0 };
        let children = &self.nodes[node.first as usize..][..tried.into()];
        let place = children.iter().position(|child| child.action == action);
        place.map(|place| node.first + place as u32)
    }
}

/// The entries (numbered from 1) of the list of outcomes that begins at `first`.
pub(super) fn entries<G: Game>(outcomes: &[OutcomeEdge<G>], first: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(first).filter(|&entry| entry != NONE), |&entry| {
        Some(outcomes[entry as usize - 1].next).filter(|&next| next != NONE)
    })
}
