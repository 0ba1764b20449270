//! What a search of Summer Pavilion can be bent to.

use azulejo::summer_pavilion::{CENTER_STAR, Feature, FeatureKind, STAR_SLOTS, STARS, SummerPavilion};
use azulejo::{Game, Seat};

use crate::goal::{Goal, part};

/// The goals.
pub(super) const GOALS: &[Goal<SummerPavilion>] = &[
    Goal { name: "stars", about: "complete stars", count: stars },
    Goal { name: "numbers", about: "all slots of a number", count: numbers },
    Goal { name: "middle", about: "the star of six colors", count: middle },
    Goal { name: "pillars", about: "pillars, for a bonus tile each", count: pillars },
    Goal { name: "statues", about: "statues, for two bonus tiles each", count: statues },
    Goal { name: "windows", about: "windows, for three bonus tiles each", count: windows },
];

fn on_star(state: &SummerPavilion, seat: Seat, star: usize) -> f32 {
    part(STAR_SLOTS as u32 - state.board(seat).free(star).count_ones(), STAR_SLOTS as u32)
}

fn stars(state: &SummerPavilion, seat: Seat) -> f32 {
    (0..STARS).map(|star| on_star(state, seat, star)).sum()
}

fn middle(state: &SummerPavilion, seat: Seat) -> f32 {
    on_star(state, seat, CENTER_STAR)
}

fn numbers(state: &SummerPavilion, seat: Seat) -> f32 {
    let filled = state.board(seat).filled();
    let sets = (1..=6).map(|cost| state.rules().side.slots_of_cost(cost)).filter(|&slots| slots != 0);
    sets.map(|slots| part((filled & slots).count_ones(), slots.count_ones())).sum()
}

fn features(state: &SummerPavilion, seat: Seat, kind: FeatureKind) -> f32 {
    let filled = state.board(seat).filled();
    let of_kind = Feature::ALL.into_iter().filter(|feature| feature.kind == kind);
    of_kind.map(|it| part((filled & it.slots).count_ones(), it.slots.count_ones())).sum()
}

fn pillars(state: &SummerPavilion, seat: Seat) -> f32 {
    features(state, seat, FeatureKind::Pillar)
}

fn statues(state: &SummerPavilion, seat: Seat) -> f32 {
    features(state, seat, FeatureKind::Statue)
}

fn windows(state: &SummerPavilion, seat: Seat) -> f32 {
    features(state, seat, FeatureKind::Window)
}
