//! A toy game whose whole tree is written as text, for tests of searches against values that are known.
//!
//! `[3 5]` is an end with its scores, `0(… …)` a decision of seat 0, `*(1:… 3:…)` a chance node with the
//! weights of its outcomes. Actions and outcomes are numbered from 0.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use azulejo::{
    Encode, Game, Generator, Indexed, Keyed, NotationError, Parts, PerPlayer, RuleViolation, Rules, Seat,
    SpecError, StateError, Turn, intern, leaders,
};
use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use serde::{Serialize, Serializer};

use crate::heuristic::{Heuristic, Millipoints, POINT, StateValue};

#[derive(Debug, PartialEq)]
pub(crate) enum ToyNode {
    End(Vec<i16>),
    Decision { seat: usize, children: Vec<usize> },
    Chance { children: Vec<(u64, usize)> },
}

/// A tree's nodes; the last one is the root.
#[derive(Debug, PartialEq)]
pub(crate) struct ToyRules {
    nodes: Vec<ToyNode>,
}

impl ToyRules {
    fn read(&mut self, text: &str) -> (usize, usize) {
        let bytes = text.as_bytes();
        let close = match bytes[0] {
            b'[' => text.find(']').expect("an end closes"),
            _ => 1,
        };
        if bytes[0] == b'[' {
            let scores = text[1..close].split(' ').map(|score| score.parse().expect("a score")).collect();
            self.nodes.push(ToyNode::End(scores));
            return (self.nodes.len() - 1, close + 1);
        }
        let (mut at, mut children) = (2, Vec::new());
        while bytes[at] != b')' {
            if bytes[at] == b' ' {
                at += 1;
                continue;
            }
            let mut weight = 1;
            if bytes[0] == b'*' {
                weight = u64::from(bytes[at] - b'0');
                at += 2;
            }
            let (child, length) = self.read(&text[at..]);
            children.push((weight, child));
            at += length;
        }
        self.nodes.push(match bytes[0] {
            b'*' => ToyNode::Chance { children },
            seat => ToyNode::Decision {
                seat: (seat - b'0') as usize,
                children: children.into_iter().map(|(_, child)| child).collect(),
            },
        });
        (self.nodes.len() - 1, at + 1)
    }
}

impl Rules for ToyRules {
    fn from_options(_options: &[&str]) -> Result<Self, SpecError> {
        Ok(ToyRules { nodes: Vec::new() })
    }

    fn options(&self) -> String {
        String::new()
    }

    fn variants() -> Vec<Self> {
        Vec::new()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Toy {
    rules: &'static ToyRules,
    node: usize,
    players: usize,
}

impl Toy {
    /// The game whose tree this is.
    pub(crate) fn parse(text: &str, players: usize) -> Toy {
        let mut rules = ToyRules { nodes: Vec::new() };
        let (_, length) = rules.read(text);
        assert_eq!(length, text.len(), "text follows the tree");
        Toy::new(intern(rules), players)
    }

    fn node(&self) -> &'static ToyNode {
        &self.rules.nodes[self.node]
    }
}

/// The number of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Child(pub usize);

impl Indexed for Child {
    const COUNT: usize = 64;

    fn index(self) -> usize {
        self.0
    }

    fn from_index(index: usize) -> Self {
        Child(index)
    }
}

impl fmt::Display for Child {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Child {
    type Err = NotationError;

    fn from_str(token: &str) -> Result<Self, NotationError> {
        token.parse().map(Child).map_err(|_| NotationError::new(token, "a child's number"))
    }
}

impl fmt::Display for Toy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.node())
    }
}

impl Serialize for Toy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.node as u64)
    }
}

impl Game for Toy {
    type Rules = ToyRules;
    type Action = Child;
    type Outcome = Child;

    const ID: &'static str = "toy";
    const NAME: &'static str = "Toy";
    const PLAYERS: RangeInclusive<usize> = 1..=4;
    const MAX_LEGAL: usize = 64;

    fn new(rules: &'static ToyRules, players: usize) -> Self {
        Toy { rules, node: rules.nodes.len() - 1, players }
    }

    fn rules(&self) -> &'static ToyRules {
        self.rules
    }

    fn players(&self) -> usize {
        self.players
    }

    fn round(&self) -> u32 {
        1
    }

    fn turn(&self) -> Turn {
        match self.node() {
            ToyNode::End(_) => Turn::Over,
            ToyNode::Decision { seat, .. } => Turn::Player(Seat::new(*seat)),
            ToyNode::Chance { .. } => Turn::Chance,
        }
    }

    fn legal_actions(&self, buffer: &mut Vec<Child>) {
        buffer.clear();
        if let ToyNode::Decision { children, .. } = self.node() {
            buffer.extend((0..children.len()).map(Child));
        }
    }

    fn check_action(&self, action: Child) -> Result<(), RuleViolation> {
        match self.node() {
            ToyNode::Decision { children, .. } if action.0 < children.len() => Ok(()),
            _ => Err(RuleViolation("there is no such child")),
        }
    }

    fn apply(&mut self, action: Child) {
        if let ToyNode::Decision { children, .. } = self.node() {
            self.node = children[action.0];
        }
    }

    fn sample_chance(&self, rng: &mut Generator) -> Child {
        let ToyNode::Chance { children } = self.node() else { panic!("no chance node") };
        let weights = WeightedIndex::new(children.iter().map(|(weight, _)| weight));
        Child(weights.expect("a chance node has children with weights").sample(rng))
    }

    fn check_chance(&self, outcome: &Child) -> Result<(), RuleViolation> {
        match self.node() {
            ToyNode::Chance { children } if outcome.0 < children.len() => Ok(()),
            _ => Err(RuleViolation("there is no such outcome")),
        }
    }

    fn apply_chance(&mut self, outcome: &Child) {
        if let ToyNode::Chance { children } = self.node() {
            self.node = children[outcome.0].1;
        }
    }

    fn scores(&self) -> PerPlayer<i16> {
        match self.node() {
            ToyNode::End(scores) => PerPlayer::from_fn(self.players, |seat| scores[seat.index()]),
            _ => PerPlayer::splat(self.players, 0),
        }
    }

    fn wins(&self) -> PerPlayer<f64> {
        leaders(&self.scores())
    }

    fn from_json(_rules: &'static ToyRules, _state: &serde_json::Value) -> Result<Self, StateError> {
        Err(StateError::new("state", "a toy has no JSON state"))
    }
}

impl Heuristic for Toy {
    type Weights = ();
    type Playout = ();

    const TEMPERATURE: f32 = 1.0;

    fn rate_actions(&self, _weights: &(), actions: &[Child], ratings: &mut Vec<f32>) {
        ratings.clear();
        ratings.resize(actions.len(), 0.0);
    }
}

impl Keyed for Toy {
    fn key(&self) -> u64 {
        self.node as u64
    }
}

/// A feature for each node, an output for each child.
impl Encode for Toy {
    const FEATURES: usize = 64;
    const MAX_ACTIVE: usize = 1;
    const OUTPUTS: usize = Child::COUNT;
    const PARTS: usize = Child::COUNT;

    fn feature_names() -> Vec<String> {
        (0..Self::FEATURES).map(|node| format!("node{node}")).collect()
    }

    fn viewpoint(&self) -> Seat {
        match self.turn() {
            Turn::Player(seat) => seat,
            Turn::Chance | Turn::Over => Seat::new(0),
        }
    }

    fn encode(&self, active: &mut Vec<u16>) {
        active.clear();
        active.push(self.node as u16);
    }

    fn output(&self, action: Child) -> usize {
        action.0
    }

    fn parts(output: usize) -> Parts {
        Parts::one(output)
    }
}

/// A chance node is worth the mean of its outcomes, those that are not ends counting nothing; a decision is
/// worth 0.
impl StateValue for Toy {
    type ValueWeights = ();
    type Judge = ();
    type Share = Millipoints;

    fn judge(_rules: &'static ToyRules, _players: usize, _weights: &()) {}

    fn share(&self, _judge: &(), seat: Seat) -> Millipoints {
        let ToyNode::Chance { children } = self.node() else { return 0 };
        let total: u64 = children.iter().map(|(weight, _)| weight).sum();
        let sum: u64 = children
            .iter()
            .map(|&(weight, child)| match &self.rules.nodes[child] {
                ToyNode::End(scores) => weight * scores[seat.index()] as u64,
                _ => 0,
            })
            .sum();
        (sum * POINT as u64 / total) as Millipoints
    }

    fn values(&self, _judge: &(), shares: &PerPlayer<Millipoints>) -> PerPlayer<Millipoints> {
        *shares
    }
}

crate::fill_in!(Toy: heuristic value);
