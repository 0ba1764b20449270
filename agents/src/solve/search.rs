//! The search itself.

use std::sync::atomic::AtomicU64;

use azulejo::{Indexed, Turn};

use super::budget::{Budget, Halt, SolveLimits};
use super::endgame::Endgame;
use super::foresight::find_chance;
use super::worth::{Worth, WorthRange};
use super::{Solution, SolveError, SolveProgress, SolvedAction};
use crate::cache::KeyHash;
use crate::heuristic::Candidate;
use crate::minimax::order::{MoveOrder, pick};
use crate::minimax::table::{Bound, Entry, TableValue, TranspositionTable, mixed};

/// The worth of every legal action of a position for the player to move; `watch` is told now and then how far it is.
///
/// # Errors
/// If nobody is to move, there are not two players, something is left to chance, or the position is too large.
pub fn solve<G: Endgame>(
    state: &G,
    limits: SolveLimits,
    watch: &mut dyn FnMut(&SolveProgress),
) -> Result<Solution<G>, SolveError> {
    let Turn::Player(seat) = state.turn() else { return Err(SolveError::NoTurn) };
    if state.players() != 2 {
        return Err(SolveError::Players(state.players()));
    }
    let half = limits.memory.bytes_of_part(2);
    let mut budget = Budget::new(limits.nodes, half, watch);
    let mut actions = Vec::new();
    state.legal_actions(&mut actions);
    budget.progress.actions = actions.len();
    let mut outlook = state.outlook();
    let checked = check_chance(state, &mut outlook, &mut budget);
    let solved = checked.and_then(|line| match line {
        Some(_) => Ok((line, Vec::new())),
        None => Ok((None, Solver::new(state, outlook, &mut budget, half).solve(state, &actions)?)),
    });
    match solved {
        Ok((None, worths)) => {
            let worths = worths.iter().map(|worth| worth.seen_by(seat));
            let solved =
                |(&action, worth): (_, Worth)| SolvedAction { action, lead: worth.lead(), win: worth.win() };
            Ok(Solution {
                actions: actions.iter().zip(worths).map(solved).collect(),
                nodes: budget.progress.nodes,
            })
        }
        Ok((Some(line), _)) => {
            Err(SolveError::Chance { line: line.iter().map(ToString::to_string).collect() })
        }
        Err(Halt::Nodes) => Err(SolveError::Nodes(budget.progress)),
        Err(Halt::Memory) => Err(SolveError::Memory(budget.progress)),
        Err(Halt::Chance) => unreachable!("no line of play meets a chance node"),
    }
}

/// A line of play that meets a chance node, if there is one.
fn check_chance<G: Endgame>(
    state: &G,
    outlook: &mut G::Outlook,
    budget: &mut Budget<'_>,
) -> Result<Option<Vec<G::Action>>, Halt> {
    match state.is_chance_free(outlook, budget)? {
        true => Ok(None),
        false => find_chance(state, outlook, budget),
    }
}

/// The deepest line for which killers are kept.
const MOST_PLIES: usize = 128;

/// What the table holds of a state: its image, and the least and the most that it can be worth.
#[derive(Clone, Copy)]
struct KnownRange<I> {
    of: I,
    range: WorthRange,
}

impl<I: TableValue> TableValue for KnownRange<I> {
    type Words = (I::Words, [AtomicU64; 1]);

    fn write(self, (of, range): &Self::Words) -> u64 {
        let WorthRange { low, high } = self.range;
        let [low, high] = [low, high].map(|worth| u64::from(worth.number().cast_unsigned()));
        mixed([self.of.write(of), [low | high << 16].write(range)])
    }

    fn read((of, range): &Self::Words) -> (Self, u64) {
        let ((of, mix), ([word], range_mix)) = (I::read(of), <[u64; 1]>::read(range));
        let [low, high] = [word, word >> 16].map(|number| Worth::from_number((number as u16).cast_signed()));
        (KnownRange { of, range: WorthRange { low, high } }, mixed([mix, range_mix]))
    }
}

/// A search for the worth of states.
pub(super) struct Solver<'a, 'w, G: Endgame> {
    outlook: G::Outlook,
    budget: &'a mut Budget<'w>,
    table: TranspositionTable<KnownRange<G::Image>>,
    pub order: MoveOrder<G::Action>,
    judge: G::Judge,
    lists: Vec<Vec<Candidate<G::Action>>>,
    actions: Vec<G::Action>,
    ratings: Vec<f32>,
}

impl<'a, 'w, G: Endgame> Solver<'a, 'w, G> {
    /// A search of a position and what follows it.
    pub(super) fn new(state: &G, outlook: G::Outlook, budget: &'a mut Budget<'w>, bytes: usize) -> Self {
        let mut table = TranspositionTable::new();
        table.resize(u64::MAX >> 1, bytes as u64);
        let mut judge = G::judge(state.rules(), state.players(), &G::ValueWeights::default());
        state.prepare(&mut judge);
        Solver {
            outlook,
            budget,
            table,
            order: MoveOrder::new(MOST_PLIES),
            judge,
            lists: Vec::new(),
            actions: Vec::new(),
            ratings: Vec::new(),
        }
    }

    /// The worth of each action.
    pub(super) fn solve(&mut self, state: &G, actions: &[G::Action]) -> Result<Vec<Worth>, Halt> {
        let mut worths = Vec::with_capacity(actions.len());
        for &action in actions {
            let mut child = *state;
            child.apply(action);
            let guess = worths.last().copied().unwrap_or_default();
            worths.push(self.worth(&child, guess)?);
            self.budget.progress.solved += 1;
        }
        Ok(worths)
    }

    /// The worth of a state, found from a guess on.
    fn worth(&mut self, state: &G, guess: Worth) -> Result<Worth, Halt> {
        if state.turn() == Turn::Over {
            return Ok(Worth::of_end(state));
        }
        let mut range = state.range(&mut self.outlook, self.budget)?;
        let mut guess = guess.clamp(range.low, range.high);
        loop {
            if let Some(worth) = range.sole() {
                return Ok(worth);
            }
            let target = if guess == range.low { guess.next() } else { guess };
            guess = self.bound(state, target, 0)?;
            range = range.narrowed(target, guess);
        }
    }

    /// At least `target`, and then a lower bound of the state's worth, or less than that, and then an upper bound.
    fn bound(&mut self, state: &G, target: Worth, ply: usize) -> Result<Worth, Halt> {
        let Turn::Player(seat) = state.turn() else {
            return if state.turn() == Turn::Over { Ok(Worth::of_end(state)) } else { Err(Halt::Chance) };
        };
        self.budget.spend()?;
        let range = state.range(&mut self.outlook, self.budget)?;
        if let Some(bound) = decided(range, target) {
            return Ok(bound);
        }
        let image = state.image(&mut self.outlook, self.budget)?;
        let key = image.map(|image| hash(image.as_ref()));
        let known = self.known(key, image);
        let range = known.map_or(range, |(found, _)| range.and(found));
        if let Some(bound) = decided(range, target) {
            return Ok(bound);
        }
        let mut list = self.lists.pop().unwrap_or_default();
        state.list(&self.judge, &mut list, &mut self.actions, &mut self.ratings);
        self.order.rate(&mut list, ply.min(MOST_PLIES - 1), known.map(|(_, action)| action));
        let before = self.budget.progress.nodes;
        // Seat 0 looks for an action that reaches the target, seat 1 for one that does not.
        let wants = |worth: Worth| (worth >= target) == (seat.index() == 0);
        let mut best: Option<(Worth, G::Action)> = None;
        for next in 0..list.len() {
            let action = pick(&mut list, next);
            let mut child = *state;
            child.apply(action);
            let bound = self.bound(&child, target, ply + 1)?;
            if best.is_none_or(|(known, _)| bound.seen_by(seat) > known.seen_by(seat)) {
                best = Some((bound, action));
            }
            if wants(bound) {
                self.order.refuted(action, ply.min(MOST_PLIES - 1), 1);
                break;
            }
        }
        self.lists.push(list);
        let (bound, action) = best.expect("a player who is to move has an action");
        let bound = bound.clamp(range.low, range.high);
        if let (Some(key), Some(image)) = (key, image) {
            let range = range.narrowed(target, bound);
            let work = (self.budget.progress.nodes - before).max(1).ilog2() as u8;
            let value = KnownRange { of: image, range };
            let action = action.index() as u16;
            self.table.put(key, Entry { value, action, depth: work, bound: Bound::Exact, solved: true });
        }
        Ok(bound)
    }

    /// What the table holds of a state, and the action that was best there.
    fn known(&self, key: Option<u64>, image: Option<G::Image>) -> Option<(WorthRange, u16)> {
        let entry = self.table.get(key?)?;
        let KnownRange { of, range } = entry.value;
        (Some(of) == image).then_some((range, entry.action))
    }
}

/// A bound that says whether the worth reaches the target, if the range says so.
fn decided(range: WorthRange, target: Worth) -> Option<Worth> {
    if range.low >= target {
        Some(range.low)
    } else if range.high < target {
        Some(range.high)
    } else {
        None
    }
}

/// Where the table looks for an image.
fn hash(image: &[u64]) -> u64 {
    let pairs = image.chunks(2).map(|pair| (pair[0], pair.get(1).copied().unwrap_or(0)));
    pairs.fold(KeyHash::EMPTY, |hash, (first, second)| hash.with(first, second)).key()
}
