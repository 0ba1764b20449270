//! Queen's Garden in words.

use azulejo::queens_garden::{
    Action, Color, Kind, KindSet, Outcome, Pattern, Phase, QueensGarden, Selection,
};
use azulejo::{Game, Seat};

use super::{GameWords, MistakeKind, Topic, guide, mistakes};

impl GameWords for QueensGarden {
    fn notes(&self, seat: Seat) -> String {
        let board = self.board(seat);
        let plural = if board.jokers() == 1 { "" } else { "s" };
        let jokers = format!("{} joker{plural}", board.jokers());
        let marker = (self.marker() == Some(seat)).then(|| "first".to_owned());
        let passed = board.passed().then(|| "passed".to_owned());
        [jokers].into_iter().chain(marker).chain(passed).collect::<Vec<String>>().join(", ")
    }

    fn guide(&self, topic: Topic) -> Vec<String> {
        guide::queens_garden(self, topic)
    }

    fn task(&self) -> &'static str {
        match self.phase() {
            Phase::Deal => "the stack's top is to be filled",
            Phase::Reveal => "an empty expansion is to be turned up",
            Phase::Turn => "acquire, place, buy or pass",
            Phase::Take => "choose the slot to take from",
            Phase::Place => "choose the place: area, then ring place",
            Phase::Pay => "choose what to pay with",
            Phase::Discard => "discard from the storage, or keep the rest",
            Phase::Over => "the game is over",
        }
    }

    fn action_in_words(&self, action: Action) -> String {
        match action {
            Action::Acquire(selection) => {
                let shown = self.slots().iter().fold(KindSet::EMPTY, |all, slot| all | slot.shown());
                let kinds: Vec<String> =
                    (shown & selection.kinds()).iter().map(|kind| kind.to_string()).collect();
                format!("all {}: {}", selection_name(selection), kinds.join(" "))
            }
            Action::Take(slot) => match next_to_take(self) {
                Some(kind) => format!("the {kind} of slot {slot}"),
                None => format!("take from slot {slot}"),
            },
            Action::Tile(kind) => format!("{} tile for {}", kind_name(kind), kind.value()),
            Action::Expansion(kind) => format!("{} expansion for {}", kind_name(kind), kind.value()),
            Action::At(place) => match (place.area(), place.spot()) {
                (0, spot) => format!("on the fountain board, place {spot}"),
                (area, 0) => format!("on area {area}, center"),
                (area, spot) => format!("on area {area}, place {spot}"),
            },
            Action::Pay(kind) => format!("pay the {} tile", kind_name(kind)),
            Action::PayExpansion(kind) => format!("pay the {} expansion", kind_name(kind)),
            Action::Joker => "pay the rest with jokers".to_owned(),
            Action::Buy(area) => {
                format!("face-down expansion on {area} for {}", self.rules().expansion_price)
            }
            Action::Pass => "no more turns in this round".to_owned(),
            Action::Drop(kind) => format!("discard {} for -{}", kind_name(kind), kind.value()),
            Action::DropExpansion(kind) => {
                format!("discard {} expansion for -{}", kind_name(kind), kind.value())
            }
            Action::Done => "keep the rest of the storage".to_owned(),
        }
    }

    fn mistake_kind(&self, played: Action, better: Action) -> MistakeKind {
        mistakes::queens_garden(self, played, better)
    }

    fn outcome_in_words(&self, outcome: &Outcome) -> String {
        match outcome {
            Outcome::Fill(tiles) if tiles.is_empty() => "no tiles are left for the stack's top".to_owned(),
            Outcome::Fill(tiles) => {
                let kinds: Vec<String> = tiles.iter().map(|kind| kind.to_string()).collect();
                format!("the stack's top gets {}", kinds.join(" "))
            }
            Outcome::Reveal { slot, kind } => {
                format!("the expansion at slot {slot} is {kind}, {}", kind_name(*kind))
            }
        }
    }
}

/// The kind that is shown at several slots and is to be taken next.
fn next_to_take(state: &QueensGarden) -> Option<Kind> {
    let [Action::Acquire(selection), taken @ ..] = state.pending().actions() else { return None };
    let (mut once, mut repeated) = (KindSet::EMPTY, KindSet::EMPTY);
    for slot in state.slots() {
        repeated |= once & slot.shown();
        once |= slot.shown();
    }
    (repeated & selection.kinds()).iter().nth(taken.len())
}

fn color_name(color: Color) -> &'static str {
    match color {
        Color::Yellow => "yellow",
        Color::LightBlue => "light blue",
        Color::LightGreen => "light green",
        Color::DarkGreen => "dark green",
        Color::LightPurple => "light purple",
        Color::DarkPurple => "dark purple",
    }
}

fn pattern_name(pattern: Pattern) -> &'static str {
    match pattern {
        Pattern::Tree => "tree",
        Pattern::Bird => "bird",
        Pattern::Butterfly => "butterfly",
        Pattern::Flower => "flower",
        Pattern::Plant => "plant",
        Pattern::Lily => "lily",
    }
}

fn selection_name(selection: Selection) -> &'static str {
    match selection {
        Selection::Color(color) => color_name(color),
        Selection::Pattern(pattern) => pattern_name(pattern),
    }
}

/// `light blue flower`.
fn kind_name(kind: Kind) -> String {
    format!("{} {}", color_name(kind.color()), pattern_name(kind.pattern()))
}
