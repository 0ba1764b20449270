//! Summer Pavilion: drafts, wild tiles, the start player token, pillars, statues, windows, what is complete in the end.

use azulejo::summer_pavilion::{
    Action, Board, CENTER_STAR, Feature, FeatureKind, Phase, STARS, SummerPavilion, SummerPavilionRules,
};
use azulejo::{Game, Move, Ply, Seat, Turn};

use super::{GameHabits, Habit, HabitTally, habits, yes};

habits! {
    FIRST_TILES = "first draft: tiles", Mean;
    FIRST_WILD = "first draft: with a wild tile", Share;
    EARLY_TILES = "tiles a draft, rounds 1 and 2", Mean;
    TILES = "tiles a draft", Mean;
    WILD = "drafts with a wild tile", Share;
    CENTER = "drafts from the center", Share;
    TOKENS = "tokens taken", Total;
    EARLY_TOKEN = "of these with half of the factories left", Share;
    PLACED = "tiles placed", Total;
    PAID = "cost of a placement", Mean;
    WILDS_PAID = "wild tiles paid", Total;
    BONUS = "bonus tiles taken", Total;
    KEPT = "tiles kept from round to round", Total;
    PILLARS = "pillars", Total;
    STATUES = "statues", Total;
    WINDOWS = "windows", Total;
    STAR = "complete stars", Total;
    NUMBERS = "complete numbers", Total;
    MIDDLE = "tiles on the star of six colors", Total;
}

impl GameHabits for SummerPavilion {
    const HABITS: &'static [Habit] = LIST;

    fn note(ply: &Ply<'_, Self>, tally: &mut HabitTally) {
        if let (Turn::Player(mover), Move::Action(action)) = (ply.before.turn(), ply.played) {
            match *action {
                Action::Acquire { source, .. } => note_draft(ply, mover, source, tally),
                Action::Place { slot, wilds, .. } => {
                    tally.add(mover, PLACED, 1.0);
                    tally.add(mover, PAID, ply.after.rules().side.cost(slot));
                    tally.add(mover, WILDS_PAID, wilds);
                }
                Action::Bonus(_) => tally.add(mover, BONUS, 1.0),
                Action::Keep(_) => tally.add(mover, KEPT, 1.0),
                Action::Pass | Action::Done => {}
            }
        }
        if ply.after.phase() == Phase::Over {
            let rules = ply.after.rules();
            Seat::all(ply.after.players())
                .for_each(|seat| note_end((ply.after.board(seat), seat), rules, tally));
        }
    }
}

fn note_draft(ply: &Ply<'_, SummerPavilion>, mover: Seat, source: u8, tally: &mut HabitTally) {
    let (before, wild) = (&ply.before, ply.before.wild());
    let (was, is) = (before.board(mover).hand(), ply.after.board(mover).hand());
    let tiles = is.total() - was.total();
    let with_wild = yes(is.count(wild.index()) > was.count(wild.index()));
    if before.round() == 1 && was.total() == 0 {
        tally.add(mover, FIRST_TILES, tiles);
        tally.add(mover, FIRST_WILD, with_wild);
    }
    if before.round() <= 2 {
        tally.add(mover, EARLY_TILES, tiles);
    }
    tally.add(mover, TILES, tiles);
    tally.add(mover, WILD, with_wild);
    tally.add(mover, CENTER, yes(source == 0));
    if source == 0 && before.token().is_none() {
        let left = (1..=before.factories()).filter(|&factory| !before.source(factory).is_empty()).count();
        tally.add(mover, TOKENS, 1.0);
        tally.add(mover, EARLY_TOKEN, yes(2 * left >= before.factories()));
    }
}

fn note_end((board, seat): (&Board, Seat), rules: &SummerPavilionRules, tally: &mut HabitTally) {
    for feature in Feature::ALL.into_iter().filter(|&feature| board.has(feature)) {
        let place = match feature.kind {
            FeatureKind::Pillar => PILLARS,
            FeatureKind::Statue => STATUES,
            FeatureKind::Window => WINDOWS,
        };
        tally.add(seat, place, 1.0);
    }
    let is_complete = |cost: &u8| {
        let slots = rules.side.slots_of_cost(*cost);
        slots != 0 && board.filled() & slots == slots
    };
    tally.add(seat, STAR, (0..STARS).filter(|&star| board.free(star) == 0).count() as f64);
    tally.add(seat, NUMBERS, (1..=6).filter(is_complete).count() as f64);
    tally.add(seat, MIDDLE, 6 - board.free(CENTER_STAR).count_ones());
}
