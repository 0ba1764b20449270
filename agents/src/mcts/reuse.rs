//! Keeping what was found as the game goes on.

use azulejo::Keyed;

use super::node::{Below, Children, NONE, NodeId, Outcomes, entries};
use super::tree::Tree;

/// Marks a node that is reached, before it has a new place.
const REACHED: NodeId = NodeId::MAX;

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
            Below::Outcomes(known) => entries(&self.outcomes, known.first)
                .map(|entry| &self.outcomes[entry as usize - 1])
                .find(|edge| edge.outcome == *outcome)
                .map(|edge| edge.child),
            _ => None,
        };
        self.root.apply_chance(outcome);
        self.states.clear();
        self.keep(found);
    }

    /// Makes a node the top, keeps what can be reached from there and drops the rest.
    fn keep(&mut self, id: Option<NodeId>) {
        let Some(id) = id else {
            return self.reset(self.root);
        };
        let top = self.with_children(id);
        self.mark(top);
        self.close_gaps();
        self.top = self.moved[top as usize];
    }

    /// Marks in `moved` what can be reached from a node.
    fn mark(&mut self, top: NodeId) {
        self.moved.clear();
        self.moved.resize(self.nodes.len(), NONE);
        self.open.clear();
        self.open.push(top);
        while let Some(id) = self.open.pop() {
            if std::mem::replace(&mut self.moved[id as usize], REACHED) == REACHED {
                continue;
            }
            match self.nodes[id as usize].below() {
                Below::Nothing => {}
                Below::Children(Children { first, count, .. }) => {
                    self.open.extend(first..first + u32::from(count));
                }
                Below::Twin(twin) => self.open.push(twin),
                Below::Outcomes(Outcomes { first, .. }) => {
                    let edges = entries(&self.outcomes, first).map(|entry| entry as usize - 1);
                    self.open.extend(edges.map(|edge| self.outcomes[edge].child));
                }
            }
        }
    }

    /// Moves the marked nodes together, in their order, and all references with them.
    fn close_gaps(&mut self) {
        let mut next = 1;
        for id in 1..self.nodes.len() {
            if self.moved[id] == REACHED {
                self.nodes[next] = self.nodes[id];
                self.moved[id] = next as NodeId;
                next += 1;
            }
        }
        self.nodes.truncate(next);
        let places = self.close_gaps_of_outcomes();
        let moved = &self.moved;
        for node in &mut self.nodes[1..] {
            node.set_below(match node.below() {
                Below::Nothing => Below::Nothing,
                Below::Children(children) => {
                    Below::Children(Children { first: moved[children.first as usize], ..children })
                }
                Below::Outcomes(known) => {
                    Below::Outcomes(Outcomes { first: places[known.first as usize], ..known })
                }
                Below::Twin(twin) => Below::Twin(moved[twin as usize]),
            });
        }
        self.states.retain(|_, id| {
            *id = moved[*id as usize];
            *id != NONE
        });
    }

    /// The same for the outcomes that lead to marked nodes; gives the new number of each entry.
    fn close_gaps_of_outcomes(&mut self) -> Vec<u32> {
        let mut places = vec![NONE; self.outcomes.len() + 1];
        let mut next = 0;
        for place in 0..self.outcomes.len() {
            let mut edge = self.outcomes[place];
            edge.child = self.moved[edge.child as usize];
            if edge.child != NONE {
                self.outcomes[next] = edge;
                next += 1;
                places[place + 1] = next as u32;
            }
        }
        self.outcomes.truncate(next);
        self.outcomes.iter_mut().for_each(|edge| edge.next = places[edge.next as usize]);
        places
    }
}
