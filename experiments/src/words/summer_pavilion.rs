//! Summer Pavilion in words.

use azulejo::summer_pavilion::{Action, Color, LETTERS, Outcome, Phase, Slot, SummerPavilion};
use azulejo::{Game, Seat, Turn};

use super::{GameWords, MistakeKind, Topic, guide, mistakes, source_in_words};

impl GameWords for SummerPavilion {
    fn notes(&self, seat: Seat) -> String {
        let token = (self.token() == Some(seat)).then_some("first");
        let passed = self.board(seat).passed().then_some("passed");
        token.into_iter().chain(passed).collect::<Vec<_>>().join(", ")
    }

    fn guide(&self, topic: Topic) -> Vec<String> {
        guide::summer_pavilion(self, topic)
    }

    fn task(&self) -> &'static str {
        match self.phase() {
            Phase::Deal => "the factories are to be filled",
            Phase::Supply => "the supply is to be filled",
            Phase::Acquire => "take tiles: source, color",
            Phase::Place => "place a tile (star, slot, color, wilds paid) or pass",
            Phase::Bonus => "take a bonus tile from the supply",
            Phase::Keep => "choose tiles to keep, up to 4",
            Phase::Over => "the game is over",
        }
    }

    fn action_in_words(&self, action: Action) -> String {
        match action {
            Action::Acquire { source, color } => {
                let held = self.source(source.into());
                let (from, wild) = (source_in_words(source), name(self.wild()));
                let count = held.count(color.index());
                if color == self.wild() {
                    format!("take 1 {wild} (wild) from {from}")
                } else if held.count(self.wild().index()) > 0 {
                    format!("take {count} {} + 1 {wild} (wild) from {from}", name(color))
                } else {
                    format!("take {count} {} from {from}", name(color))
                }
            }
            Action::Place { slot, color, wilds } => placement(self, slot, color, wilds),
            Action::Bonus(color) => format!("take one {} tile from the supply", name(color)),
            Action::Pass => "pass: no more tiles in this round".to_owned(),
            Action::Keep(color) => format!("keep one {} tile", name(color)),
            Action::Done => match self.turn() {
                Turn::Player(seat) => {
                    let rest = self.board(seat).hand().total();
                    format!("keep no more, discard {rest} for -{rest}")
                }
                _ => "keep no more".to_owned(),
            },
        }
    }

    fn mistake_kind(&self, played: Action, better: Action) -> MistakeKind {
        mistakes::summer_pavilion(self, played, better)
    }

    fn outcome_in_words(&self, outcome: &Outcome) -> String {
        match outcome {
            Outcome::Supply(tiles) => format!("the supply gets {}", tiles.letters(LETTERS)),
            Outcome::Deal(_) => "the factories are filled".to_owned(),
        }
    }
}

/// `green on the center star's 6 for 4 + 2 wild: +3`.
fn placement(state: &SummerPavilion, slot: Slot, color: Color, wilds: u8) -> String {
    let star = Color::ALL.get(slot.star()).map_or("center", |&color| name(color));
    let cost = state.rules().side.cost(slot);
    let wild = if wilds == 0 { String::new() } else { format!(" + {wilds} wild") };
    let mut next = *state;
    next.apply(Action::Place { slot, color, wilds });
    let points = match state.turn() {
        Turn::Player(seat) => next.board(seat).score() - state.board(seat).score(),
        _ => 0,
    };
    let owed = if next.owed() > 0 { format!(", {} bonus", next.owed()) } else { String::new() };
    let number = slot.position() + 1;
    format!("put {} on {star} {number} for {}{wild}: +{points}{owed}", name(color), cost - wilds)
}

fn name(color: Color) -> &'static str {
    match color {
        Color::Orange => "orange",
        Color::Red => "red",
        Color::Blue => "blue",
        Color::Yellow => "yellow",
        Color::Green => "green",
        Color::Purple => "purple",
    }
}
