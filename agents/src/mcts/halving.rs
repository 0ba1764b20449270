//! Sharing few simulations out at the root: sequential halving on Gumbel variables (Danihelka, Guez, Schrittwieser and
//! Silver 2022).
//!
//! To each action belongs a random number g with a standard Gumbel distribution, times `noise`, and the logarithm l of its
//! prior probability. The actions with the highest g + l are considered; phase by phase all that are left get the same
//! number of simulations, and the half with the higher g + l + σ(q) stays. The search *improves* the policy to
//! softmax(l + σ(q)) over all actions, where actions without simulations are taken to be worth a mix of what is known.

use azulejo::{Game, Generator, Keyed, PerPlayer, Turn};
use rand::RngExt;

use super::node::TreeNode;
use super::tree::Tree;
use crate::arithmetic::{exp, ln};

/// How the root is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gumbel {
    /// The most actions that are considered.
    pub considered: u64,
    /// The factor on the random numbers: 1 to explore, 0 to play the best.
    pub noise: f32,
    /// How far values are trusted beside the prior: s in σ(q) = s · (50 + most visits of an action) · q, for q from 0 to 1.
    /// Where values are noisy, a small one keeps the improved policy from following the noise.
    pub scale: f32,
}

/// Visits that σ adds to those of the action with the most.
const VISITS_OFFSET: f32 = 50.0;

/// What sequential halving decided.
#[derive(Clone, Debug)]
pub(crate) struct Halving<G: Game> {
    /// The action to play.
    pub chosen: G::Action,
    /// The improved policy.
    pub policy: Vec<(G::Action, f32)>,
    /// The utility of each seat under that policy, as far as it was searched.
    pub values: PerPlayer<f32>,
}

/// A root's action in the race.
#[derive(Clone, Copy, Debug)]
struct Runner {
    /// The place among the root's children.
    place: u16,
    /// g + l.
    start: f32,
}

/// The course of sequential halving.
pub(super) struct Race {
    /// Those that are left.
    runners: Vec<Runner>,
    /// The next one's place in `runners`.
    turn: usize,
    /// [`Gumbel::scale`].
    scale: f32,
    /// Simulations that each gets in this phase.
    each: u64,
    phases: u64,
    all: u64,
    left: u64,
}

impl Race {
    /// A race with so many simulations in a tree whose root has children.
    pub(super) fn new<G: Keyed>(
        tree: &Tree<G>,
        gumbel: Gumbel,
        simulations: u64,
        rng: &mut Generator,
    ) -> Self {
        let mut runners: Vec<Runner> = (0..)
            .zip(&tree.root_children())
            .map(|(place, child)| {
                let noise = if gumbel.noise > 0.0 { gumbel.noise * draw(rng) } else { 0.0 };
                Runner { place, start: noise + ln(child.prior) }
            })
            .collect();
        runners.sort_by(|a, b| b.start.total_cmp(&a.start).then(a.place.cmp(&b.place)));
        runners.truncate(gumbel.considered.min(simulations).max(1) as usize);
        let phases = u64::from((runners.len() as u64).next_power_of_two().trailing_zeros()).max(1);
        let mut race = Race {
            runners,
            turn: 0,
            scale: gumbel.scale,
            each: 0,
            phases,
            all: simulations,
            left: simulations,
        };
        race.each = race.share();
        race
    }

    fn share(&self) -> u64 {
        (self.all / (self.phases * self.runners.len() as u64)).max(1)
    }

    /// The place of the child that the next simulations go to, with their number; `None` when all are used up.
    pub(super) fn next<G: Keyed>(&mut self, tree: &Tree<G>) -> Option<(u16, u64)> {
        if self.turn == self.runners.len() {
            self.turn = 0;
            if self.runners.len() > 2 {
                self.rank(tree);
                self.runners.truncate(self.runners.len().div_ceil(2));
            }
            self.each = self.share();
        }
        let visits = self.each.min(self.left);
        self.left -= visits;
        self.turn += 1;
        (visits > 0).then(|| (self.runners[self.turn - 1].place, visits))
    }

    /// Puts the best of those that are left first; those without a visit come last. All have about the same visits.
    fn rank<G: Keyed>(&mut self, tree: &Tree<G>) {
        let children = &tree.root_children();
        let scale = self.scale * visits_scale(children);
        let score = |runner: &Runner| {
            let child = &children[runner.place as usize];
            (child.visits > 0, runner.start + scale * worth(tree, child))
        };
        self.runners.sort_by(|a, b| {
            let (a, b) = (score(a), score(b));
            b.0.cmp(&a.0).then(b.1.total_cmp(&a.1))
        });
    }

    /// What the race decides.
    pub(super) fn finish<G: Keyed>(mut self, tree: &Tree<G>) -> Halving<G> {
        self.rank(tree);
        let children = &tree.root_children();
        let chosen = children[self.runners[0].place as usize].action;
        let policy = improved_policy(tree, children, self.scale);
        let values = values(tree, children, &policy);
        Halving { chosen, policy, values }
    }
}

/// The utility of each seat if actions are played by the policy, those left out that were not visited.
fn values<G: Keyed>(
    tree: &Tree<G>,
    children: &[TreeNode<G::Action>],
    policy: &[(G::Action, f32)],
) -> PerPlayer<f32> {
    let visited = || children.iter().zip(policy).filter(|(child, _)| child.visits > 0);
    let total: f32 = visited().map(|(_, (_, share))| share).sum();
    if total <= 0.0 {
        return tree.values();
    }
    let players = tree.root().players();
    PerPlayer::from_fn(players, |seat| {
        visited().map(|(child, (_, share))| share / total * child.mean(seat)).sum()
    })
}

/// What a child is worth to the player to move at the root, from 0 to 1; the root's mean if it was not visited.
fn worth<G: Keyed, A>(tree: &Tree<G>, child: &TreeNode<A>) -> f32 {
    let Turn::Player(seat) = tree.root().turn() else { return 0.5 };
    let utility = if child.visits > 0 { child.mean(seat) } else { tree.values()[seat] };
    (utility + 1.0) / 2.0
}

/// What σ multiplies its scale and a value by.
fn visits_scale<A>(children: &[TreeNode<A>]) -> f32 {
    VISITS_OFFSET + children.iter().map(|child| child.visits).max().unwrap_or(0) as f32
}

/// softmax(l + σ(q)); a child without visits is worth the mean of the root's own value and of the visited children's
/// worth, weighted by their prior (the mixed value of the paper).
fn improved_policy<G: Keyed>(
    tree: &Tree<G>,
    children: &[TreeNode<G::Action>],
    scale: f32,
) -> Vec<(G::Action, f32)> {
    let visited = || children.iter().filter(|child| child.visits > 0);
    let visits: f32 = visited().map(|child| child.visits as f32).sum();
    let prior: f32 = visited().map(|child| child.prior).sum();
    let weighted: f32 = visited().map(|child| child.prior * worth(tree, child)).sum();
    let own = tree.values()[match tree.root().turn() {
        Turn::Player(seat) => seat,
        Turn::Chance | Turn::Over => return Vec::new(),
    }];
    let mixed = ((own + 1.0) / 2.0 + visits * weighted / prior.max(1e-9)) / (1.0 + visits);
    let scale = scale * visits_scale(children);
    let logit = |child: &TreeNode<G::Action>| {
        ln(child.prior) + scale * if child.visits > 0 { worth(tree, child) } else { mixed }
    };
    let highest = children.iter().map(logit).fold(f32::NEG_INFINITY, f32::max);
    let total: f32 = children.iter().map(|child| exp(logit(child) - highest)).sum();
    children.iter().map(|child| (child.action, exp(logit(child) - highest) / total)).collect()
}

/// A number with the standard Gumbel distribution.
fn draw(rng: &mut Generator) -> f32 {
    -libm::log(-libm::log(rng.random::<f64>().max(1e-300))) as f32
}
