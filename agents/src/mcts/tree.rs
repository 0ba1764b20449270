//! The search tree: an arena of nodes addressed by number.

use azulejo::{Game, Generator, Indexed, MAX_PLAYERS, PerPlayer, Seat, Turn};

use super::chance::ChanceTreatment;
use super::prior::Prior;
use super::select::Selection;

/// A node's place in the arena.
pub(super) type NodeId = u32;

const ROOT: NodeId = 0;
/// No children have been made yet, or no further outcome follows. The root is nobody's child.
pub(super) const NONE: u32 = 0;

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
    /// At a player's turn the first of the children, which lie side by side in the order in which they are to be
    /// tried; at a chance node the first entry of the list of outcomes.
    pub first: u32,
    /// The number of children or outcomes.
    pub children: u16,
    /// Whether the children are behind chance outcomes.
    chance: bool,
    /// How many of the children, from the first on, may have been visited.
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
            chance: false,
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
struct OutcomeEdge<G: Game> {
    outcome: G::Outcome,
    child: NodeId,
    /// How often it has been drawn.
    draws: u32,
    /// The next outcome of the same chance node.
    next: u32,
}

/// A leaf handed out for evaluation: where it is, and its state.
#[derive(Clone, Debug)]
pub struct Leaf<G> {
    path: Vec<NodeId>,
    /// The leaf's state.
    pub state: G,
}

impl<G> Leaf<G> {
    /// The number of moves from the root to the leaf.
    pub fn depth(&self) -> usize {
        self.path.len() - 1
    }
}

/// The tree of one search over the game `G`, from a state at a player's turn.
///
/// A simulation is [`gather`](Tree::gather), an evaluation of the leaf by the caller, and
/// [`apply`](Tree::apply): the tree neither evaluates nor knows of threads.
#[derive(Debug)]
pub struct Tree<G: Game> {
    root: G,
    pub(super) nodes: Vec<Node<G::Action>>,
    outcomes: Vec<OutcomeEdge<G>>,
    pub(super) selection: Selection,
    chance: ChanceTreatment,
    /// Scratch space of `expand`.
    pub(super) actions: Vec<G::Action>,
    pub(super) probabilities: Vec<f32>,
    /// Scratch space of `reroot`.
    old_nodes: Vec<Node<G::Action>>,
    old_outcomes: Vec<OutcomeEdge<G>>,
}

impl<G: Game> Tree<G> {
    /// A tree that consists of its root.
    pub fn new(root: G, selection: Selection, chance: ChanceTreatment) -> Self {
        let mut tree = Tree {
            root,
            nodes: Vec::new(),
            outcomes: Vec::new(),
            selection,
            chance,
            actions: Vec::with_capacity(G::MAX_LEGAL),
            probabilities: Vec::with_capacity(G::MAX_LEGAL),
            old_nodes: Vec::new(),
            old_outcomes: Vec::new(),
        };
        tree.reset(root);
        tree
    }

    /// Forgets everything and starts from another state. Memory is kept.
    pub fn reset(&mut self, root: G) {
        self.root = root;
        self.nodes.clear();
        self.outcomes.clear();
        self.nodes.push(Node::new(G::Action::from_index(0), 1.0));
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
        self.nodes[0].visits
    }

    /// A leaf for [`gather`](Tree::gather) to fill in.
    pub fn leaf(&self) -> Leaf<G> {
        Leaf { path: Vec::new(), state: self.root }
    }

    /// Walks from the root to a state that has not been evaluated yet, or where the tree ends (the game is over, or
    /// at chance as [`ChanceTreatment::Afterstate`] says), and hands it out in `leaf`.
    ///
    /// A node's children are made when a second simulation comes to it; `prior` orders them.
    pub fn gather(&mut self, leaf: &mut Leaf<G>, prior: &mut impl Prior<G>, rng: &mut Generator) {
        leaf.path.clear();
        leaf.state = self.root;
        let mut id = ROOT;
        loop {
            leaf.path.push(id);
            let turn = leaf.state.turn();
            if self.nodes[id as usize].visits == 0 {
                return;
            }
            id = match (turn, self.chance) {
                (Turn::Over, _) | (Turn::Chance, ChanceTreatment::Afterstate) => return,
                (Turn::Chance, ChanceTreatment::Sample) => self.draw(id, &mut leaf.state, rng),
                (Turn::Chance, ChanceTreatment::Open) => {
                    leaf.state.play_chance(rng);
                    self.behind_chance(id)
                }
                (Turn::Player(seat), chance) => {
                    if self.nodes[id as usize].first == NONE {
                        self.expand(id, &leaf.state, prior, rng);
                    }
                    let child = match chance {
                        ChanceTreatment::Open => self.select_legal(id, seat, &leaf.state, prior, rng),
                        _ => self.select(id, seat),
                    };
                    leaf.state.apply(self.nodes[child as usize].action);
                    child
                }
            };
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
        let parent = self.nodes[id as usize];
        let tried = &self.nodes[parent.first as usize..][..parent.tried as usize];
        let untried = (parent.tried < parent.children)
            .then(|| &self.nodes[parent.first as usize + parent.tried as usize]);
        let choice = self.selection.choose(&parent, tried, untried, seat);
        if choice == parent.tried as usize {
            self.nodes[id as usize].tried += 1;
        }
        parent.first + choice as u32
    }

    /// Moves on from a chance node: by a new outcome while it has few for its visits, else by one drawn before.
    ///
    /// A node with v visits keeps up to ⌈√v⌉ different outcomes (progressive widening; Couëtoux et al. 2011).
    fn draw(&mut self, id: NodeId, state: &mut G, rng: &mut Generator) -> NodeId {
        let node = self.nodes[id as usize];
        let widen = u32::from(node.children).pow(2) < node.visits;
        let edge = if widen { self.widen(id, state, rng) } else { self.draw_again(node, rng) };
        let edge = &mut self.outcomes[edge as usize - 1];
        edge.draws += 1;
        state.apply_chance(&edge.outcome);
        edge.child
    }

    /// Draws an outcome by its probability and returns its entry (numbered from 1), made if it is new.
    fn widen(&mut self, id: NodeId, state: &G, rng: &mut Generator) -> u32 {
        let outcome = state.sample_chance(rng);
        let known = entries(&self.outcomes, self.nodes[id as usize].first)
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
        node.chance = true;
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

    /// The root's children that have been visited: the action, the visits, and the sum over these of the utility of
    /// the player to move.
    pub fn root_actions(&self) -> Vec<(G::Action, u32, f32)> {
        let Turn::Player(seat) = self.root.turn() else { return Vec::new() };
        let children = self.ranked(ROOT, seat, &self.root).into_iter();
        children.map(|node| (node.action, node.visits, node.sums[seat.index()])).collect()
    }

    /// The visited children that are legal in this state, the most visited first; of equals the one of more utility.
    /// In an open tree others may be among them.
    fn ranked(&self, id: NodeId, seat: Seat, state: &G) -> Vec<Node<G::Action>> {
        let node = self.nodes[id as usize];
        let mut children = self.nodes[node.first as usize..][..node.tried as usize].to_vec();
        children.retain(|child| child.visits > 0 && state.is_legal(child.action));
        children.sort_by(|a, b| {
            b.visits.cmp(&a.visits).then(b.mean(seat).total_cmp(&a.mean(seat))).then(a.action.cmp(&b.action))
        });
        children
    }

    /// The mean utility of each seat over all simulations.
    pub fn values(&self) -> PerPlayer<f32> {
        PerPlayer::from_fn(self.root.players(), |seat| self.nodes[0].mean(seat))
    }

    /// The most visited line of actions from the root up to the next chance node, from an action on.
    pub fn line(&self, first: G::Action) -> Vec<G::Action> {
        let (mut line, mut state, mut id, mut next) = (Vec::new(), self.root, ROOT, Some(first));
        while let Some(action) = next {
            line.push(action);
            state.apply(action);
            let node = self.nodes[id as usize];
            let children = &self.nodes[node.first as usize..][..node.tried as usize];
            let Some(place) = children.iter().position(|child| child.action == action) else { break };
            id = node.first + place as u32;
            let Turn::Player(seat) = state.turn() else { break };
            next = self.ranked(id, seat, &state).first().map(|child| child.action);
        }
        line
    }

    /// Makes the state after an action the root and keeps what was found below it, if anything was.
    pub fn follow_action(&mut self, action: G::Action) {
        let node = self.nodes[ROOT as usize];
        let tried = if node.chance { 0 } else { node.tried as usize };
        let children = &self.nodes[node.first as usize..][..tried];
        let found = children.iter().position(|child| child.action == action);
        self.root.apply(action);
        self.reroot(found.map(|index| node.first + index as u32));
    }

    /// Makes the state after a chance outcome the root and keeps what was found below it, if anything was.
    pub fn follow_chance(&mut self, outcome: &G::Outcome) {
        let node = self.nodes[ROOT as usize];
        if self.chance == ChanceTreatment::Open {
            self.root.apply_chance(outcome);
            return self.reroot(Some(node.first).filter(|&child| child != NONE));
        }
        let first = if node.chance { node.first } else { NONE };
        let found = entries(&self.outcomes, first)
            .map(|entry| &self.outcomes[entry as usize - 1])
            .find(|edge| edge.outcome == *outcome)
            .map(|edge| edge.child);
        self.root.apply_chance(outcome);
        self.reroot(found);
    }

    /// Keeps the subtree of a node, which becomes the root, and drops the rest.
    fn reroot(&mut self, id: Option<NodeId>) {
        std::mem::swap(&mut self.nodes, &mut self.old_nodes);
        std::mem::swap(&mut self.outcomes, &mut self.old_outcomes);
        let root = self.root;
        self.reset(root);
        let Some(id) = id else { return };
        // Breadth first: a node's children are copied when the node's turn comes in the new arena.
        self.nodes[ROOT as usize] = self.old_nodes[id as usize];
        let mut next = 0;
        while next < self.nodes.len() {
            let old = self.nodes[next];
            if old.chance {
                self.copy_outcomes(next, old.first);
            } else if old.first != NONE {
                self.nodes[next].first = self.nodes.len() as u32;
                let children = &self.old_nodes[old.first as usize..][..old.children as usize];
                self.nodes.extend_from_slice(children);
            }
            next += 1;
        }
    }

    /// Copies the list of outcomes that began at `first` in the old arena, with the nodes behind them.
    fn copy_outcomes(&mut self, id: usize, first: u32) {
        self.nodes[id].first = NONE;
        for entry in entries(&self.old_outcomes, first) {
            let edge = self.old_outcomes[entry as usize - 1];
            let child = self.nodes.len() as u32;
            self.nodes.push(self.old_nodes[edge.child as usize]);
            self.outcomes.push(OutcomeEdge { child, next: self.nodes[id].first, ..edge });
            self.nodes[id].first = self.outcomes.len() as u32;
        }
    }
}

/// The entries (numbered from 1) of the list of outcomes that begins at `first`.
fn entries<G: Game>(outcomes: &[OutcomeEdge<G>], first: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(first).filter(|&entry| entry != NONE), |&entry| {
        Some(outcomes[entry as usize - 1].next).filter(|&next| next != NONE)
    })
}
