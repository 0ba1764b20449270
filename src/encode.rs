//! What networks see of a game: features of a state and outputs for actions.
//!
//! A state is a set of *active features*, numbers below [`Encode::FEATURES`]: a network's first layer is the
//! sum of their weight rows. An action's *output* is a number below [`Encode::OUTPUTS`]. Outputs are put
//! together from *parts*, so that what an action is like, say which tiles it takes to which line, is learned
//! once and not again for everything that it can come with.

mod factories;

pub(crate) use factories::{Contents, Factories, multisets, places};

use crate::bits;
use crate::game::Game;
use crate::key::Keyed;
use crate::player::Seat;

/// A game that networks can play: its states as features, its actions as outputs.
///
/// Features and outputs are the same for all variants and numbers of players. Where the rules do not tell
/// equal things apart (the factories, say), neither do features and outputs: they name what lies there, not
/// where.
pub trait Encode: Keyed {
    /// How many features there are.
    const FEATURES: usize;
    /// No state has more active features than this.
    const MAX_ACTIVE: usize;
    /// How many outputs there are.
    const OUTPUTS: usize;
    /// How many parts outputs are put together from.
    const PARTS: usize;
    /// How many features the game had before some were added at their end, each time that this was done. A network for the
    /// first ones plays on as before, with weights of 0 for those that it does not know.
    const FORMER_FEATURES: &'static [usize] = &[];
    /// How many further features tell where equal things lie; see [`encode_places`](Encode::encode_places).
    const PLACES: usize = 0;

    /// The names of all features in order, each another one.
    fn feature_names() -> Vec<String>;

    /// The seat from whose point of view the state is encoded: the player to move; at chance the player who
    /// moves afterwards, as far as that is known. The other seats follow in turn order.
    fn viewpoint(&self) -> Seat;

    /// Clears `active` and fills it with the state's active features, each once.
    fn encode(&self, active: &mut Vec<u16>);

    /// The output of an action that is legal in this state. Two of them share one only if they come to the
    /// same.
    fn output(&self, action: Self::Action) -> usize;

    /// The parts of an output.
    fn parts(output: usize) -> Parts;

    /// The names of all parts in order, each another one.
    fn part_names() -> Vec<String> {
        (0..Self::PARTS).map(|part| format!("part{part}")).collect()
    }

    /// The names of the features of [`encode_places`](Encode::encode_places) in order, none of them a feature's.
    fn place_names() -> Vec<String> {
        Vec::new()
    }

    /// Adds to `active` the features that tell where the things lie that [`encode`](Encode::encode) describes as a
    /// set, numbered from [`FEATURES`](Encode::FEATURES) on.
    ///
    /// Networks do without them. Who numbers actions by [`Indexed`](crate::Indexed) needs them: an index names a
    /// place.
    fn encode_places(&self, active: &mut Vec<u16>) {
        _ = active;
    }

    /// In how many ways things can be called by other names without changing a game by these rules, the names as they are included:
    /// way 0. What is learned of a state is learned of all its images.
    fn symmetries(rules: &Self::Rules) -> u32 {
        _ = rules;
        1
    }

    /// What an action is called by a symmetry of the rules, a number below [`symmetries`](Encode::symmetries).
    #[must_use]
    fn renamed(action: Self::Action, symmetry: u32) -> Self::Action {
        _ = symmetry;
        action
    }

    /// What a chance outcome is called by a symmetry of the rules.
    #[must_use]
    fn renamed_outcome(outcome: &Self::Outcome, symmetry: u32) -> Self::Outcome {
        _ = symmetry;
        *outcome
    }

    /// The legal action with this output, the first one if several come to the same; `None` if there is none.
    /// `buffer` is scratch space.
    fn action(&self, output: usize, buffer: &mut Vec<Self::Action>) -> Option<Self::Action> {
        self.legal_actions(buffer);
        buffer.iter().copied().find(|&action| self.output(action) == output)
    }
}

/// The parts of an output: one or two different numbers below [`Encode::PARTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parts {
    first: u16,
    second: Option<u16>,
}

impl Parts {
    /// A single part.
    pub fn one(part: usize) -> Self {
        Parts { first: part as u16, second: None }
    }

    /// Two parts.
    pub(crate) fn two(first: usize, second: usize) -> Self {
        Parts { first: first as u16, second: Some(second as u16) }
    }

    /// The parts' numbers.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> + Clone {
        std::iter::once(self.first).chain(self.second).map(usize::from)
    }
}

/// A number that changes whenever the meaning of a game's features or outputs does: trained weights fit one
/// number.
pub fn encoding_hash<G: Encode>() -> u64 {
    hash_with_features::<G>(G::FEATURES)
}

/// The former encodings of a game that are the beginning of today's: their [`encoding_hash`] and number of features.
pub fn former_encodings<G: Encode>() -> Vec<(u64, usize)> {
    G::FORMER_FEATURES.iter().map(|&features| (hash_with_features::<G>(features), features)).collect()
}

/// The hash of the encoding that has the first ones of a game's features.
fn hash_with_features<G: Encode>(features: usize) -> u64 {
    let names = G::feature_names()[..features].join("\n").into_bytes();
    let parts = (0..G::OUTPUTS).flat_map(|output| G::parts(output).iter().collect::<Vec<_>>());
    fingerprint(names.into_iter().chain(parts.flat_map(|part| (part as u16).to_le_bytes())))
}

/// A number that tells bytes apart, the same on every machine: FNV-1a (Fowler, Noll, Vo).
pub fn fingerprint(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

/// The number of features of [`Active::points`].
pub(crate) const POINTS: usize = SCORE_STEPS + SCORE_STEP - 1;
/// Points in a step.
const SCORE_STEP: usize = 5;
/// Scores are told apart in steps up to this many.
const SCORE_STEPS: usize = 32;

/// How far a number of the rules is from its usual value is told by features for so many points or more, above and below.
const DISTANCES: [i16; 6] = [1, 2, 3, 5, 8, 13];

/// The number of features of [`Active::changes`] for so many numbers of the rules.
pub(crate) const fn changes(numbers: usize) -> usize {
    numbers * 2 * DISTANCES.len()
}

/// The most of them that are active at once.
pub(crate) const fn most_changes(numbers: usize) -> usize {
    numbers * DISTANCES.len()
}

/// Consecutive features, or parts, that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub first: usize,
    pub len: usize,
}

impl Block {
    /// The first block.
    pub(crate) const fn first(len: usize) -> Self {
        Block { first: 0, len }
    }

    /// The block after this one.
    pub(crate) const fn then(self, len: usize) -> Self {
        Block { first: self.first + self.len, len }
    }

    /// The number after the block's last one.
    pub(crate) const fn end(self) -> usize {
        self.first + self.len
    }

    /// The number of entry `index`.
    #[inline]
    pub(crate) fn at(self, index: usize) -> usize {
        debug_assert!(index < self.len, "entry {index} of {self:?}");
        self.first + index
    }
}

/// The active features of a state, as they are found.
pub(crate) struct Active<'a> {
    features: &'a mut Vec<u16>,
    /// What is added to all numbers: the place of the blocks of the seat that is being described.
    pub base: usize,
}

impl<'a> Active<'a> {
    pub(crate) fn new(features: &'a mut Vec<u16>) -> Self {
        features.clear();
        Active { features, base: 0 }
    }

    /// Entry `index` of a block.
    #[inline]
    pub(crate) fn set(&mut self, block: Block, index: usize) {
        self.features.push((self.base + block.at(index)) as u16);
    }

    /// Entry `index` if a condition holds.
    #[inline]
    pub(crate) fn set_if(&mut self, condition: bool, block: Block, index: usize) {
        if condition {
            self.set(block, index);
        }
    }

    /// One of the `size` entries from `first` on for a count from 1 up, the last one for all from `size` up;
    /// none for 0.
    #[inline]
    pub(crate) fn count(&mut self, block: Block, first: usize, size: usize, count: usize) {
        if count > 0 {
            self.set(block, first + count.min(size) - 1);
        }
    }

    /// The entries whose bits are set.
    #[inline]
    pub(crate) fn bits(&mut self, block: Block, mask: u64) {
        bits::positions(mask).for_each(|entry| self.set(block, entry));
    }

    /// Numbers of the rules, as far as they are not the usual ones.
    #[inline]
    pub(crate) fn changes<const N: usize>(&mut self, block: Block, found: [i16; N], usual: [i16; N]) {
        if found == usual {
            return;
        }
        for (number, (found, usual)) in found.into_iter().zip(usual).enumerate() {
            let first = (2 * number + usize::from(found < usual)) * DISTANCES.len();
            let reached =
                DISTANCES.iter().take_while(|distance| found.abs_diff(usual) >= distance.unsigned_abs());
            (0..reached.count()).for_each(|distance| self.set(block, first + distance));
        }
    }

    /// Points: the number of whole steps of 5 as one entry, and an entry for each point beyond. Points below
    /// 0 count as 0.
    #[inline]
    pub(crate) fn points(&mut self, block: Block, points: i16) {
        let points = points.max(0) as usize;
        self.set(block, (points / SCORE_STEP).min(SCORE_STEPS - 1));
        for beyond in 0..points % SCORE_STEP {
            self.set(block, SCORE_STEPS + beyond);
        }
    }
}

/// The names of features, block by block in their order.
pub(crate) struct Names {
    names: Vec<String>,
    prefix: String,
    base: usize,
}

impl Names {
    pub(crate) fn new() -> Self {
        Names { names: Vec::new(), prefix: String::new(), base: 0 }
    }

    /// From here on blocks describe something of their own, a seat: their numbers begin again, their names
    /// with `prefix`.
    pub(crate) fn begin(&mut self, prefix: &str) {
        (self.base, self.prefix) = (self.names.len(), prefix.to_owned());
    }

    /// From here on blocks describe the table again: their numbers are those of all features.
    pub(crate) fn begin_table(&mut self) {
        (self.base, self.prefix) = (0, String::new());
    }

    /// Names a block's entries.
    ///
    /// # Panics
    /// If the block does not follow the last one.
    pub(crate) fn block(&mut self, block: Block, name: impl Fn(usize) -> String) {
        assert_eq!(self.base + block.first, self.names.len(), "a block out of order: {}", name(0));
        self.names.extend((0..block.len).map(|index| format!("{}{}", self.prefix, name(index))));
    }

    /// Names the entries of [`Active::points`].
    pub(crate) fn points(&mut self, block: Block, what: &str) {
        self.block(block, |index| match index.checked_sub(SCORE_STEPS) {
            None if index == SCORE_STEPS - 1 => format!("{what}>={}", index * SCORE_STEP),
            None => format!("{what}={}-{}", index * SCORE_STEP, index * SCORE_STEP + SCORE_STEP - 1),
            Some(beyond) => format!("{what}-beyond>={}", beyond + 1),
        });
    }

    /// Names the entries of [`Active::changes`].
    pub(crate) fn changes(&mut self, block: Block, numbers: &[String]) {
        self.block(block, |index| {
            let (sign, distance) =
                (["+", "-"][index / DISTANCES.len() % 2], DISTANCES[index % DISTANCES.len()]);
            format!("{}{sign}{distance}", numbers[index / DISTANCES.len() / 2])
        });
    }

    /// Names what a draft may leave of a factory: the first `block.len` multisets.
    pub(crate) fn rests<const COLORS: usize, const CODES: usize>(
        &mut self,
        block: Block,
        contents: &Contents<COLORS, CODES>,
        letters: &'static str,
    ) {
        let list = contents.list();
        self.block(block, |index| match list[index] {
            rest if rest.is_empty() => "leave-nothing".to_owned(),
            rest => format!("leave-{}", rest.letters(letters)),
        });
    }

    /// Names rows of counts as [`Active::count`] sets them: `size` entries for each of some things.
    pub(crate) fn counts(&mut self, block: Block, size: usize, thing: impl Fn(usize) -> String) {
        self.block(block, |index| {
            let (count, relation) = (index % size + 1, if index % size + 1 == size { ">=" } else { "=" });
            format!("{}{relation}{count}", thing(index / size))
        });
    }

    pub(crate) fn finish(self) -> Vec<String> {
        self.names
    }
}

/// The seats in the order in which features describe them.
pub(crate) fn seats_from(state: &impl Game, viewpoint: Seat) -> impl Iterator<Item = Seat> {
    viewpoint.around(state.players())
}

/// How many places after the viewpoint a seat moves.
#[inline]
pub(crate) fn places_after(viewpoint: Seat, seat: Seat, players: usize) -> usize {
    (seat.index() + players - viewpoint.index()) % players
}
