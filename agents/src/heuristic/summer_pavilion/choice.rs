//! The best action, found without listing all.

use azulejo::Generator;
use azulejo::bits::positions;
use azulejo::summer_pavilion::{Action, CENTER, COLORS, Color, STARS, Slot};

use super::drafter::Drafts;
use super::geometry::PAYABLE;
use super::kind::StarKind;
use super::rater::Rater;
use super::star::{PURSES, StarRater};

/// Which of several best actions is chosen.
pub(super) enum Ties<'a> {
    /// Each with the same probability.
    Random(&'a mut Generator),
    /// That of the highest rank, so that the choice does not depend on the numbers of the factories.
    Ranked,
}

/// The best action so far.
struct BestSoFar {
    rating: f32,
    action: Action,
    /// How many actions of this rating have been met.
    ties: u64,
    rank: u64,
}

impl BestSoFar {
    /// The action to begin with; any other of a rating above −∞ replaces it.
    fn new(action: Action, rating: f32) -> Self {
        BestSoFar { rating, action, ties: 1, rank: 0 }
    }

    /// Takes an action into account.
    #[inline(always)]
    fn offer(&mut self, rating: f32, action: Action, rank: u64, ties: &mut Ties<'_>) {
        if rating > self.rating {
            (self.rating, self.action, self.ties, self.rank) = (rating, action, 1, rank);
        } else if rating == self.rating {
            self.ties += 1;
            let replaces = match ties {
                Ties::Random(rng) => rng.below(self.ties) == 0,
                Ties::Ranked => rank > self.rank,
            };
            if replaces {
                (self.action, self.rank) = (action, rank);
            }
        }
    }
}

/// The acquisition of the highest rating, found without listing: what does not depend on the source is worked
/// out once for each color.
pub(super) fn best_acquisition(rater: &Rater<'_>, drafts: &mut Drafts, ties: &mut Ties<'_>) -> Action {
    let (state, wild) = (rater.state, rater.stage.wild);
    let mut best = BestSoFar::new(Action::Done, f32::NEG_INFINITY);
    for color in Color::ALL {
        let sources = state.sources_of(color);
        if sources == 0 {
            continue;
        }
        let mut drafter = drafts.of(rater, color.index());
        for source in positions(sources.into()) {
            let tiles = state.source(source);
            let own = if color.index() == wild { 0 } else { tiles.count(color.index()) };
            let rating = drafter.gain(own) + rater.beside(source, own, tiles.count(wild).min(1));
            // What lies there; the center comes after a factory that holds the same.
            let rank = tiles.word() << 1 | u64::from(source != CENTER);
            best.offer(rating, Action::Acquire { source: source as u8, color }, rank, ties);
        }
    }
    best.action
}

/// The bonus tile of the highest rating.
pub(super) fn best_bonus(rater: &Rater<'_>, drafts: &mut Drafts, ties: &mut Ties<'_>) -> Action {
    let mut best = BestSoFar::new(Action::Done, f32::NEG_INFINITY);
    for (color, _) in rater.state.supply().iter() {
        best.offer(drafts.of(rater, color).bonus(), Action::Bonus(Color::ALL[color]), 0, ties);
    }
    best.action
}

/// The placement of the highest rating, or the pass, found without listing: of the mixes that pay for a slot
/// only the cheapest is looked at, and what does not depend on the color is worked out once for each slot.
pub(super) fn best_placement(rater: &Rater<'_>, ties: &mut Ties<'_>) -> Action {
    let hand = rater.board.hand();
    let mut best = None;
    let held = (0..COLORS).fold(0, |held, color| held | u8::from(hand.count(color) != 0) << color);
    for star in 0..STARS {
        let (colors, free) = (rater.board.accepted(star) & held, rater.board.free(star));
        if colors == 0 || free == 0 {
            continue;
        }
        let rated = StarRater::new(rater, star);
        let open = free & PAYABLE[rated.layout][usize::from(purse(rater, colors)).min(PURSES - 1)];
        if open == 0 {
            continue;
        }
        // Often nothing can be paid for, and what the pass is worth does not matter.
        let best = best.get_or_insert_with(|| BestSoFar::new(Action::Pass, rater.pass()));
        let worth = rated.worth();
        for position in positions(open.into()) {
            offer_slot(&rated, worth, position, colors, best, ties);
        }
    }
    best.map_or(Action::Pass, |best: BestSoFar| best.action)
}

/// The most tiles that can be paid for a tile of one of some colors, all in the hand.
#[inline]
fn purse(rater: &Rater<'_>, colors: u8) -> u8 {
    positions(colors.into()).fold(0, |most, color| most.max(rater.purse(color)))
}

/// Takes all placements on a free slot with one of some colors, all in the hand, into account.
#[inline]
fn offer_slot(
    star: &StarRater<'_>,
    worth: f32,
    position: usize,
    colors: u8,
    best: &mut BestSoFar,
    ties: &mut Ties<'_>,
) {
    let (rater, prices) = (star.rater, &star.rater.tables.prices);
    let (slot, cost) = (Slot::new(star.star, position), star.cost(position));
    let gain = star.gain(position);
    let mut mixed_worth = None;
    for color in positions(colors.into()) {
        let (own, purse) = (rater.board.hand().count(color), rater.purse(color));
        if purse < cost {
            continue;
        }
        let wilds = if prices[color] <= prices[rater.stage.wild] {
            cost.saturating_sub(own)
        } else {
            (purse - own).min(cost - 1)
        };
        let then = match star.kind.with(color) {
            StarKind::Mixed => *mixed_worth.get_or_insert_with(|| star.worth_with(position, StarKind::Mixed)),
            kind => star.worth_with(position, kind),
        };
        let rating = gain + rater.weights.star * (then - worth) - rater.price(color, cost - wilds, wilds);
        best.offer(rating, Action::Place { slot, color: Color::ALL[color], wilds }, 0, ties);
    }
}
