//! Keeping what was found as the game goes on.

use azulejo::{Game, Keyed};

use super::arena::TreeArena;
use super::children::chunk_places;
use super::node::{Below, Children, NONE, NodeId, Outcomes};
use super::tree::Tree;

/// Ends the chain of the nodes that are marked and whose own references are still to be followed.
const END: NodeId = NodeId::MAX;

impl<G: Keyed> Tree<G> {
    /// Makes the state after an action the root and keeps what was found below it, if anything was.
    pub fn follow_action(&mut self, action: G::Action) {
        let found = self.child(self.top, action);
        self.root.apply(action);
        self.keep(found);
    }

    /// Makes the state after a chance outcome the root and keeps what was found below it, if anything was.
    pub fn follow_chance(&mut self, outcome: &G::Outcome) {
        let found = match self.node(self.top).below() {
            Below::Outcomes(known) => {
                let found = self.arena.find_outcome(known.first, outcome);
                found.map(|entry| self.arena.outcome(entry).child)
            }
            _ => None,
        };
        self.root.apply_chance(outcome);
        self.keep(found);
    }

    /// Makes a node the top, keeps what can be reached from there and drops the rest.
    fn keep(&mut self, id: Option<NodeId>) {
        self.tallies.clear();
        match id {
            Some(id) => self.top = self.arena.keep(self.with_children(id)),
            None => self.reset(self.root),
        }
    }
}

impl<G: Game> TreeArena<G> {
    /// Keeps what can be reached from a node, moved together, and drops the rest; returns the node's new place.
    fn keep(&mut self, top: NodeId) -> NodeId {
        self.mark(top);
        self.move_nodes();
        self.move_outcomes();
        self.move_references();
        self.move_lists();
        let moved = &self.moved;
        self.states.retain(|_, id| {
            *id = moved[*id as usize];
            *id != NONE
        });
        let top = self.moved[top as usize];
        self.make_room_again();
        top
    }

    /// Marks in `moved` what is kept of the nodes: what can be reached from a node, and with children that have been tried the rest
    /// of their chunks.
    ///
    /// The marks are a chain of the nodes to go on from, the last one found first, so that it takes no memory beside them.
    fn mark(&mut self, top: NodeId) {
        self.moved.clear();
        self.moved.reserve_exact(self.nodes.len());
        self.moved.resize(self.nodes.len(), NONE);
        let mut open = END;
        self.reach(top, &mut open);
        while open != END {
            let below = self.nodes[open as usize].below();
            open = self.moved[open as usize];
            match below {
                Below::Nothing => {}
                Below::Children(children) => {
                    for chunk in children.chunks() {
                        let begin = self.entries[children.first as usize + chunk].chunk();
                        let tried = chunk_places(chunk, children.tried).len() as NodeId;
                        let all = chunk_places(chunk, children.count).len() as NodeId;
                        (begin..begin + tried).for_each(|id| self.reach(id, &mut open));
                        self.moved[(begin + tried) as usize..(begin + all) as usize].fill(END);
                    }
                }
                Below::Twin(twin) => self.reach(twin, &mut open),
                Below::Outcomes(Outcomes { first, .. }) => {
                    let mut entry = first;
                    while entry != NONE {
                        let edge = self.outcome(entry);
                        entry = edge.next;
                        let child = edge.child;
                        self.reach(child, &mut open);
                    }
                }
            }
        }
    }

    /// Marks a node and puts it in front of those to go on from, unless that has been done.
    fn reach(&mut self, id: NodeId, open: &mut NodeId) {
        let mark = &mut self.moved[id as usize];
        if *mark == NONE {
            *mark = std::mem::replace(open, id);
        }
    }

    /// Moves the marked nodes together, in their order, and writes their new places into `moved`.
    fn move_nodes(&mut self) {
        let mut next = 1;
        for id in 1..self.nodes.len() {
            if self.moved[id] != NONE {
                self.nodes[next] = self.nodes[id];
                self.moved[id] = next as NodeId;
                next += 1;
            }
        }
        self.nodes.truncate(next);
    }

    /// Moves the outcomes that lead to nodes that are kept together, and writes their new numbers into `moved_outcomes`.
    fn move_outcomes(&mut self) {
        self.moved_outcomes.clear();
        self.moved_outcomes.reserve_exact(self.outcomes.len() + 1);
        self.moved_outcomes.resize(self.outcomes.len() + 1, NONE);
        let mut next = 0;
        for place in 0..self.outcomes.len() {
            let mut edge = self.outcomes[place];
            edge.child = self.moved[edge.child as usize];
            if edge.child != NONE {
                self.outcomes[next] = edge;
                next += 1;
                self.moved_outcomes[place + 1] = next as u32;
            }
        }
        self.outcomes.truncate(next);
        for edge in &mut self.outcomes {
            edge.next = self.moved_outcomes[edge.next as usize];
        }
    }

    /// Lets nodes point to where their twins and outcomes are now.
    fn move_references(&mut self) {
        for node in &mut self.nodes {
            match node.below() {
                Below::Nothing | Below::Children(_) => {}
                Below::Twin(twin) => node.set_below(Below::Twin(self.moved[twin as usize])),
                Below::Outcomes(known) => {
                    let first = self.moved_outcomes[known.first as usize];
                    node.set_below(Below::Outcomes(Outcomes { first, ..known }));
                }
            }
        }
    }

    /// Moves the lists of children of nodes that are kept together and lets them point to where the chunks are now.
    fn move_lists(&mut self) {
        let mut next = 0;
        self.parents.retain_mut(|parent| {
            *parent = self.moved[*parent as usize];
            // Nothing follows the empty place, to which those that are dropped are sent.
            let node = &mut self.nodes[*parent as usize];
            let Below::Children(children) = node.below() else { return false };
            node.set_below(Below::Children(Children { first: next as u32, ..children }));
            self.entries.copy_within(children.entries(), next);
            for entry in &mut self.entries[next..][children.chunks()] {
                entry.set_chunk(self.moved[entry.chunk() as usize]);
            }
            next += usize::from(children.count);
            true
        });
        self.entries.truncate(next);
    }
}
