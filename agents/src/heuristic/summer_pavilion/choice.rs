//! The best action, found without listing all.

use azulejo::Generator;
use azulejo::bits::positions;
use azulejo::summer_pavilion::{Action, CENTER, COLORS, Color, STARS, Slot};
use azulejo::tiles::Tiles;

use super::drafter::{Drafter, bonus};
use super::geometry::COSTS;
use super::placer::Placer;
use super::star::StarRater;

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
pub(super) fn best_acquisition(placer: &Placer<'_>, ties: &mut Ties<'_>) -> Action {
    let (rater, state) = (placer.rater, placer.rater.state);
    let mut best = BestSoFar::new(Action::Done, f32::NEG_INFINITY);
    for color in Color::ALL {
        let sources = state.sources_of(color);
        if sources == 0 {
            continue;
        }
        let drafter = Drafter::new(placer, color.index());
        let mut gains = [f32::NAN; 8];
        for source in positions(sources.into()) {
            let tiles = state.source(source);
            let own = if color.index() == rater.wild { 0 } else { tiles.count(color.index()) };
            let known = &mut gains[usize::from(own) % 8];
            if known.is_nan() || own >= 8 {
                *known = drafter.gain(own);
            }
            let rating = *known + rater.beside(source, own, tiles.count(rater.wild).min(1));
            // What lies there; the center comes after a factory that holds the same.
            let rank = tiles.word() << 1 | u64::from(source != CENTER);
            best.offer(rating, Action::Acquire { source: source as u8, color }, rank, ties);
        }
    }
    best.action
}

/// The bonus tile of the highest rating.
pub(super) fn best_bonus(placer: &Placer<'_>, ties: &mut Ties<'_>) -> Action {
    let mut best = BestSoFar::new(Action::Done, f32::NEG_INFINITY);
    for (color, _) in placer.rater.state.supply().iter() {
        best.offer(bonus(placer, color), Action::Bonus(Color::ALL[color]), 0, ties);
    }
    best.action
}

/// The placement of the highest rating, or the pass, found without listing: of the mixes that pay for a slot
/// only the cheapest is looked at, and what does not depend on the color is worked out once for each slot.
pub(super) fn best_placement(placer: &Placer<'_>, ties: &mut Ties<'_>) -> Action {
    let rater = placer.rater;
    let hand = rater.board.hand();
    let mut best = BestSoFar::new(Action::Pass, placer.pass());
    let held = (0..COLORS).fold(0, |held, color| held | u8::from(hand.count(color) != 0) << color);
    for star in 0..STARS {
        let (colors, free) = (rater.board.accepted(star) & held, rater.board.free(star));
        if colors == 0 || free == 0 {
            continue;
        }
        let rated = StarRater::new(placer, star);
        let purse = purse(hand, rater.wild, colors);
        for position in positions(free.into()) {
            if COSTS[rated.layout][position] <= purse {
                offer_slot(&rated, position, colors, &mut best, ties);
            }
        }
    }
    best.action
}

/// The most tiles that can be paid for a tile of one of some colors, all in the hand.
#[inline]
pub(super) fn purse(hand: Tiles, wild: usize, colors: u8) -> u8 {
    let mut most = 0;
    for color in positions(colors.into()) {
        let beside = if color == wild { 0 } else { hand.count(wild) };
        most = most.max(hand.count(color) + beside);
    }
    most
}

/// Takes all placements on a free slot with one of some colors, all in the hand, into account.
#[inline]
fn offer_slot(star: &StarRater<'_>, position: usize, colors: u8, best: &mut BestSoFar, ties: &mut Ties<'_>) {
    let (placer, rater) = (star.placer, star.placer.rater);
    let hand = rater.board.hand();
    let (slot, cost) = (Slot::new(star.star, position), COSTS[star.layout][position]);
    let gain = star.gain(position);
    for color in positions(colors.into()) {
        let own = hand.count(color);
        let beside = if color == rater.wild { 0 } else { hand.count(rater.wild) };
        if own + beside < cost {
            continue;
        }
        let wilds = if placer.prices[color] <= placer.prices[rater.wild] {
            cost.saturating_sub(own)
        } else {
            beside.min(cost - 1)
        };
        let rating =
            gain + star.step(position, star.kind.with(color)) - placer.price(color, cost - wilds, wilds);
        best.offer(rating, Action::Place { slot, color: Color::ALL[color], wilds }, 0, ties);
    }
}
