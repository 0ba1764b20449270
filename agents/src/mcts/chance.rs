//! What a search does at chance nodes.

use azulejo::{Generator, Indexed, Keyed, Seat};

use super::prior::Prior;
use super::tree::{NONE, Node, NodeId, Tree};
use crate::parameters::keyword_enum;

keyword_enum! {
    /// How the tree goes on at a chance node.
    ChanceTreatment {
        /// Behind a chance node are the outcomes that were drawn, a tree for each; with v visits up to ⌈√v⌉ different
        /// ones (progressive widening; Couëtoux et al. 2011), by the same random numbers at all chance nodes.
        Sample = "sample",
        /// The tree ends at a chance node: it is evaluated before anything is drawn.
        Afterstate = "afterstate",
        /// One tree for all outcomes: every simulation draws anew, and statistics belong to sequences of actions, of
        /// which the legal ones take part (open loop; Perez Liebana et al. 2015).
        Open = "open",
    }
}

impl<G: Keyed> Tree<G> {
    /// The only node behind a chance node of an open-loop tree.
    pub(super) fn behind_chance(&mut self, id: NodeId) -> NodeId {
        if self.nodes[id as usize].first == NONE {
            let child = self.nodes.len() as NodeId;
            self.nodes.push(Node::new(G::Action::from_index(0), 1.0));
            let node = &mut self.nodes[id as usize];
            (node.first, node.children, node.tried) = (child, 1, 1);
        }
        self.nodes[id as usize].first
    }

    /// The child that the next simulation goes to among those that are legal in this state: with other outcomes of
    /// chance before it, a node stands for other states.
    pub(super) fn select_legal(
        &mut self,
        id: NodeId,
        seat: Seat,
        state: &G,
        prior: &mut impl Prior<G>,
        rng: &mut Generator,
    ) -> NodeId {
        state.legal_actions(&mut self.actions);
        let known =
            self.children(id).iter().filter(|child| self.actions.binary_search(&child.action).is_ok());
        if known.count() < self.actions.len() {
            self.add_children(id, state, prior, rng);
        }
        let parent = self.nodes[id as usize];
        self.nodes[id as usize].tried = parent.children;
        let mut best = (f32::NEG_INFINITY, NONE);
        for place in parent.first..parent.first + u32::from(parent.children) {
            let child = &self.nodes[place as usize];
            // Priors may have been added in another order: the legal actions are looked up.
            if state.is_legal(child.action) {
                let score = self.rules.selection.score(&parent, child, seat);
                best = if score > best.0 { (score, place) } else { best };
            }
        }
        best.1
    }

    fn children(&self, id: NodeId) -> &[Node<G::Action>] {
        let node = &self.nodes[id as usize];
        &self.nodes[node.first as usize..][..node.children as usize]
    }

    /// Adds the legal actions that a node does not have yet. Its children move to the end of the arena, where there is
    /// room for more.
    fn add_children(&mut self, id: NodeId, state: &G, prior: &mut impl Prior<G>, rng: &mut Generator) {
        prior.order(state, &mut self.actions, &mut self.probabilities, rng);
        let (start, node) = (self.nodes.len(), self.nodes[id as usize]);
        self.nodes.extend_from_within(node.first as usize..node.first as usize + node.children as usize);
        for (&action, &prior) in self.actions.iter().zip(&self.probabilities) {
            if !self.nodes[start..start + node.children as usize].iter().any(|child| child.action == action) {
                self.nodes.push(Node::new(action, prior));
            }
        }
        let children = (self.nodes.len() - start) as u16;
        let node = &mut self.nodes[id as usize];
        (node.first, node.children) = (start as u32, children);
    }
}
