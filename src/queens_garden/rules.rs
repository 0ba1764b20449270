//! Legal actions, play and scoring.

use std::ops::RangeInclusive;

use super::actions::{Action, Outcome};
use super::choices::Choices;
use super::counts::TileCounts;
use super::garden::{Area, places_of_area};
use super::kind::{Kind, KindSet};
use super::place::Place;
use super::state::{Board, Display, Pending, Phase, QueensGarden, Slot};
use super::variant::QueensGardenRules;
use super::{GAME_ID, MAX_SLOTS, ROUNDS, TOP_TILES};
use crate::error::{RuleViolation, StateError};
use crate::game::{Game, Turn};
use crate::player::{PerPlayer, Seat, leaders};
use crate::seed::Generator;

impl Game for QueensGarden {
    type Rules = QueensGardenRules;
    type Action = Action;
    type Outcome = Outcome;

    const ID: &'static str = GAME_ID;
    const NAME: &'static str = "Azul: Queen's Garden";
    /// A tile with a choice of all 48 places but the fountain.
    const PLAYERS: RangeInclusive<usize> = 2..=4;
    const MAX_LEGAL: usize = 48;

    fn new(rules: &'static QueensGardenRules, players: usize) -> Self {
        assert!(Self::PLAYERS.contains(&players), "Queen's Garden seats 2, 3 or 4 players, not {players}");
        QueensGarden::start(rules, players)
    }

    fn rules(&self) -> &'static QueensGardenRules {
        self.rules
    }

    #[inline]
    fn players(&self) -> usize {
        self.boards.players()
    }

    fn round(&self) -> u32 {
        self.round.into()
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.phase {
            Phase::Turn | Phase::Take | Phase::Place | Phase::Pay | Phase::Discard => {
                Turn::Player(self.to_move)
            }
            Phase::Deal | Phase::Reveal => Turn::Chance,
            Phase::Over => Turn::Over,
        }
    }

    fn legal_actions(&self, buffer: &mut Vec<Action>) {
        buffer.clear();
        buffer.extend(self.choices().iter());
    }

    fn random_action(&self, rng: &mut Generator, _buffer: &mut Vec<Action>) -> Action {
        let choices = self.choices();
        choices.nth(rng.below(choices.len().into()) as u32)
    }

    fn check_action(&self, action: Action) -> Result<(), RuleViolation> {
        let choices: Choices = self.choices();
        if choices.contains(action) { Ok(()) } else { Err(self.why_not(action)) }
    }

    fn apply(&mut self, action: Action) {
        debug_assert_eq!(self.check_action(action), Ok(()), "{action} in\n{self}");
        self.perform(action);
        while matches!(self.phase, Phase::Take | Phase::Place | Phase::Pay | Phase::Discard) {
            let Some(forced) = self.forced() else { break };
            self.perform(forced);
        }
    }

    fn sample_chance(&self, rng: &mut Generator) -> Outcome {
        match (self.phase, self.display.first_bare()) {
            (Phase::Reveal, Some(slot)) => {
                let kind = self.unseen.nth(rng.below(self.unseen.len().into()) as u8);
                Outcome::Reveal { slot: slot as u8 + 1, kind }
            }
            _ => Outcome::Fill(self.stock.pool(TOP_TILES).draw(TOP_TILES, rng)),
        }
    }

    fn check_chance(&self, outcome: &Outcome) -> Result<(), RuleViolation> {
        match (outcome, self.phase) {
            (Outcome::Fill(tiles), Phase::Deal) => {
                let pool = self.stock.pool(TOP_TILES);
                if tiles.total() != TOP_TILES.min(pool.total()) {
                    Err(RuleViolation("the stack's top gets 4 tiles as long as bag and tower have any"))
                } else if !pool.contains(*tiles) {
                    Err(RuleViolation("the bag does not hold these tiles"))
                } else {
                    Ok(())
                }
            }
            (Outcome::Reveal { slot, kind }, Phase::Reveal) => {
                if self.display.first_bare() != Some(*slot as usize - 1) {
                    Err(RuleViolation(
                        "empty expansions are turned up in the order of slots: another slot is next",
                    ))
                } else if !self.unseen.contains(*kind) {
                    Err(RuleViolation("that expansion has been revealed before"))
                } else {
                    Ok(())
                }
            }
            (Outcome::Fill(_), Phase::Reveal) => {
                Err(RuleViolation("an empty expansion must be turned up first"))
            }
            (Outcome::Reveal { .. }, Phase::Deal) => {
                Err(RuleViolation("the stack's top must be filled first"))
            }
            _ => Err(RuleViolation("nothing is drawn at random now")),
        }
    }

    fn apply_chance(&mut self, outcome: &Outcome) {
        debug_assert_eq!(self.check_chance(outcome), Ok(()), "{outcome} in\n{self}");
        match *outcome {
            Outcome::Fill(tiles) => self.fill_top(tiles),
            Outcome::Reveal { slot, kind } => {
                self.unseen -= KindSet::of(kind);
                self.display.slots_mut()[slot as usize - 1].kind = Some(kind);
            }
        }
        self.phase = if self.display.first_bare().is_some() { Phase::Reveal } else { Phase::Turn };
    }

    fn scores(&self) -> PerPlayer<i16> {
        self.boards.map(|board| board.score)
    }

    fn wins(&self) -> PerPlayer<f64> {
        leaders(&self.scores())
    }

    fn from_json(rules: &'static QueensGardenRules, state: &serde_json::Value) -> Result<Self, StateError> {
        super::json::read(rules, state)
    }
}

impl QueensGarden {
    fn fill_top(&mut self, tiles: TileCounts) {
        self.stock.remove(tiles);
        if tiles.is_empty() {
            // Without tiles nothing would bring the stack into play: all of it joins the display, the top
            // first.
            for _ in 1..self.stack {
                self.display.push(Slot::default());
            }
            self.stack = 0;
        } else if let Some(top) = self.display.slots_mut().last_mut() {
            top.tiles = tiles;
        }
    }

    /// Carries out one action of the player to move.
    #[inline]
    pub(super) fn perform(&mut self, action: Action) {
        // What ends the turn by itself is not kept: after a full storage was discarded there is no room for it.
        if action != Action::Done {
            self.pending.push(action);
        }
        match action {
            Action::Acquire(_) | Action::Take(_) => {
                self.phase = Phase::Take;
                if self.taking().next.is_none() {
                    self.acquire();
                }
            }
            Action::Tile(_) | Action::Expansion(_) => self.phase = Phase::Place,
            Action::At(_) | Action::Pay(_) | Action::PayExpansion(_) => {
                self.phase = Phase::Pay;
                if self.payment().owed == 0 {
                    self.place();
                }
            }
            Action::Joker => self.place(),
            Action::Buy(area) => self.buy(area.into()),
            Action::Pass => self.pass(),
            Action::Drop(kind) => {
                self.stock.lid += TileCounts::of(kind);
                let board = &mut self.boards[self.to_move];
                board.tiles -= TileCounts::of(kind);
                board.deduct(kind.value().into(), self.rules);
            }
            Action::DropExpansion(kind) => {
                self.supply += 1;
                let board = &mut self.boards[self.to_move];
                board.expansions -= KindSet::of(kind);
                board.deduct(kind.value().into(), self.rules);
            }
            Action::Done => self.end_turn(),
        }
    }

    /// Moves the chosen items into the storage, then sets up what chance has to bring.
    fn acquire(&mut self) {
        let (takes, count) = self.items_to_take();
        let board = &mut self.boards[self.to_move];
        let mut emptied = 0;
        for (i, (slot, &take)) in self.display.slots_mut().iter_mut().zip(&takes[..count]).enumerate() {
            if take.is_empty() {
                continue;
            }
            if slot.kind.is_some() {
                board.expansions |= take;
                emptied |= 1 << i;
            } else {
                slot.tiles -= TileCounts::one_of_each(take);
                board.tiles += TileCounts::one_of_each(take);
            }
        }
        let from_top = self.stack > 0 && !takes[count - 1].is_empty();
        self.display.remove(emptied);
        self.end_turn();
        if from_top {
            self.stack -= 1;
        }
        if from_top && self.stack > 0 {
            self.display.push(Slot::default());
            self.phase = Phase::Deal;
        } else if self.display.first_bare().is_some() {
            self.phase = Phase::Reveal;
        }
    }

    /// For each slot the kinds that the complete acquisition takes there, and the number of slots.
    fn items_to_take(&self) -> ([KindSet; MAX_SLOTS], usize) {
        let [Action::Acquire(selection), chosen @ ..] = self.pending.actions() else {
            unreachable!("an acquisition is under way");
        };
        let slots = self.slots();
        let (mut once, mut repeated) = (KindSet::EMPTY, KindSet::EMPTY);
        for slot in slots {
            repeated |= once & slot.shown();
            once |= slot.shown();
        }
        let mut takes = [KindSet::EMPTY; MAX_SLOTS];
        for (take, slot) in takes.iter_mut().zip(slots) {
            *take = (slot.shown() & selection.kinds()) - repeated;
        }
        for (action, kind) in chosen.iter().zip((repeated & selection.kinds()).iter()) {
            if let Action::Take(slot) = action {
                takes[*slot as usize - 1] |= KindSet::of(kind);
            }
        }
        (takes, slots.len())
    }

    /// Pays for the tile or expansion that the turn is about and lays it.
    fn place(&mut self) {
        let (pending, rules) = (self.pending, self.rules);
        let [first, Action::At(place), paid @ ..] = pending.actions() else {
            unreachable!("a placement is under way");
        };
        let owed = self.payment().owed;
        let board = &mut self.boards[self.to_move];
        for action in paid {
            match *action {
                Action::Pay(kind) => {
                    board.tiles -= TileCounts::of(kind);
                    self.stock.lid += TileCounts::of(kind);
                }
                Action::PayExpansion(kind) => {
                    board.expansions -= KindSet::of(kind);
                    self.supply += 1;
                }
                // What the tiles and expansions leave owed.
                _ => board.jokers -= owed,
            }
        }
        match *first {
            Action::Expansion(kind) => {
                board.expansions -= KindSet::of(kind);
                board.garden.lay_face_up(kind, *place);
            }
            Action::Tile(kind) => {
                board.tiles -= TileCounts::of(kind);
                board.garden.lay_hexagon(kind, *place);
            }
            _ => unreachable!("a tile or an expansion is placed"),
        }
        board.jokers += board.garden.awards(*place, rules).min(board.tile_room());
        self.end_turn();
    }

    fn buy(&mut self, area: usize) {
        self.supply -= 1;
        let board = &mut self.boards[self.to_move];
        board.deduct(self.rules.expansion_price, self.rules);
        board.garden.lay_face_down(area);
        self.end_turn();
    }

    fn pass(&mut self) {
        let board = &mut self.boards[self.to_move];
        board.passed = true;
        if self.marker.is_none() {
            self.marker = Some(self.to_move);
            board.deduct(self.rules.first_pass_penalty, self.rules);
        }
        self.phase = Phase::Discard;
    }

    /// Hands the turn to the next player who has not passed, or finishes the round.
    fn end_turn(&mut self) {
        self.pending = Pending::default();
        let players = self.boards.players();
        let next = self.to_move.next(players).around(players).find(|&seat| !self.boards[seat].passed);
        match next {
            Some(seat) => {
                self.to_move = seat;
                self.phase = Phase::Turn;
            }
            None => self.finish_round(),
        }
    }

    /// Scores the round, then prepares the next one or ends the game.
    fn finish_round(&mut self) {
        let (players, rules) = (self.boards.players(), self.rules);
        let wheel = &rules.wheel[self.round as usize - 1];
        for seat in Seat::all(players) {
            let board = &mut self.boards[seat];
            board.score += board.garden.round_points(wheel, rules);
        }
        if self.round as usize == ROUNDS {
            for seat in Seat::all(players) {
                self.boards[seat].score_finally(rules);
            }
            self.phase = Phase::Over;
            self.to_move = self.start;
            return;
        }
        self.clear_display();
        for seat in Seat::all(players) {
            self.boards[seat].passed = false;
        }
        self.round += 1;
        self.start = self.marker.take().unwrap_or(self.start);
        self.to_move = self.start;
        self.stack = rules.stack_of(players);
        self.display.push(Slot::default());
        self.phase = Phase::Deal;
    }

    /// Tiles of the display go to the tower, its expansions and the rest of the stack to the supply.
    fn clear_display(&mut self) {
        for slot in self.display.slots() {
            self.stock.lid += slot.tiles;
        }
        // The top is in the display and in the stack.
        self.supply += self.display.slots().len() as u8 + self.stack - u8::from(self.stack > 0);
        self.display = Display::default();
    }

    /// The rule that forbids this action now.
    fn why_not(&self, action: Action) -> RuleViolation {
        match (self.phase, action) {
            (Phase::Over, _) => RuleViolation("the game is over"),
            (Phase::Deal, _) => RuleViolation("the stack's top must be filled first"),
            (Phase::Reveal, _) => RuleViolation("an empty expansion must be turned up first"),
            (Phase::Turn, _) => self.why_not_begin(action),
            (Phase::Take, Action::Take(slot)) => self.why_not_take(slot),
            (Phase::Take, _) => RuleViolation("a slot to take from must be chosen first"),
            (Phase::Place, Action::At(place)) => self.why_not_at(place),
            (Phase::Place, _) => RuleViolation("a place must be chosen first"),
            (Phase::Pay, Action::Joker) => {
                RuleViolation("there are not enough jokers for all that is still owed")
            }
            (Phase::Pay, Action::Pay(kind)) => {
                self.why_not_pay(kind, self.boards[self.to_move].tiles.kinds())
            }
            (Phase::Pay, Action::PayExpansion(kind)) => {
                self.why_not_pay(kind, self.boards[self.to_move].expansions)
            }
            (Phase::Pay, _) => RuleViolation("the placement must be paid first"),
            (Phase::Discard, Action::Drop(kind)) => {
                why_not_drop(kind, self.boards[self.to_move].tiles.kinds())
            }
            (Phase::Discard, Action::DropExpansion(kind)) => {
                why_not_drop(kind, self.boards[self.to_move].expansions)
            }
            (Phase::Discard, _) => RuleViolation("the player has passed: only discarding is left"),
        }
    }

    fn why_not_begin(&self, action: Action) -> RuleViolation {
        let board = &self.boards[self.to_move];
        match action {
            Action::Acquire(selection) => {
                let shown = self.slots().iter().any(|slot| !(slot.shown() & selection.kinds()).is_empty());
                if shown {
                    RuleViolation("the storage has no room for all that this brings")
                } else {
                    RuleViolation("the display shows nothing of that color or pattern")
                }
            }
            Action::Tile(kind) => board.why_not_place(kind, board.tiles.kinds()),
            Action::Expansion(kind) => board.why_not_place(kind, board.expansions),
            Action::Buy(_) if self.supply == 0 => RuleViolation("the supply holds no expansion"),
            Action::Buy(_) if board.score < self.rules.expansion_price => {
                RuleViolation("the player has too few points for an expansion")
            }
            Action::Buy(_) => RuleViolation("an expansion lies on that area already"),
            Action::Take(_) => RuleViolation("nothing is being acquired"),
            Action::At(_) | Action::Pay(_) | Action::PayExpansion(_) | Action::Joker => {
                RuleViolation("nothing is being placed")
            }
            Action::Drop(_) | Action::DropExpansion(_) | Action::Done => {
                RuleViolation("only a player who has just passed may discard")
            }
            Action::Pass => RuleViolation("passing is always possible"),
        }
    }

    fn why_not_take(&self, slot: u8) -> RuleViolation {
        let kind = self.taking().next;
        match self.slots().get(slot as usize - 1) {
            None => RuleViolation("there is no slot of that number"),
            Some(slot) if kind.is_some_and(|kind| slot.shown().contains(kind)) => {
                RuleViolation("the storage has no room if that item is chosen")
            }
            Some(_) => RuleViolation("that slot does not show the kind that is to be chosen"),
        }
    }

    fn why_not_at(&self, place: Place) -> RuleViolation {
        let garden = &self.boards[self.to_move].garden;
        let begun = self.pending.actions().first();
        if let Some(Action::Expansion(kind)) = begun {
            return match (place.area(), place.spot()) {
                (0, _) => RuleViolation("expansions lie on areas 1 to 6"),
                (_, 0) => RuleViolation("an expansion has rotations 1 to 6"),
                (area, _) if garden.area(area) != Area::Free => {
                    RuleViolation("an expansion lies on that area already")
                }
                _ => garden.why_unfit(*kind, place),
            };
        }
        let Some(Action::Tile(kind)) = begun else {
            return RuleViolation("nothing is being placed");
        };
        match (place.area(), place.spot()) {
            (0, 0) => RuleViolation("the fountain lies there"),
            _ if garden.filled() & place.mask() != 0 => RuleViolation("a hexagon lies there already"),
            (area, 0) if matches!(garden.area(area), Area::FaceUp { .. }) => {
                RuleViolation("a pavilion stands there")
            }
            (area, _) if garden.free() & places_of_area(area) == 0 => {
                RuleViolation("no expansion lies on that area")
            }
            _ => garden.why_unfit(*kind, place),
        }
    }

    fn why_not_pay(&self, kind: Kind, stored: KindSet) -> RuleViolation {
        let placed = self.pending.actions().first();
        if !stored.contains(kind) {
            RuleViolation("the storage holds no such item")
        } else if matches!(placed, Some(Action::Tile(placed) | Action::Expansion(placed)) if *placed == kind)
        {
            RuleViolation("the hexagon that is placed cannot be paid with one of its own kind")
        } else if self
            .pending
            .actions()
            .iter()
            .any(|paid| matches!(paid, Action::Pay(other) | Action::PayExpansion(other) if *other >= kind))
        {
            RuleViolation("kinds are paid in increasing order, each once")
        } else {
            RuleViolation(
                "with that the payment could not become one color or one pattern of different kinds",
            )
        }
    }
}

fn why_not_drop(kind: Kind, stored: KindSet) -> RuleViolation {
    if stored.contains(kind) {
        RuleViolation("items are discarded in the order of kinds, a tile before an expansion")
    } else {
        RuleViolation("the storage holds no such item")
    }
}

impl Board {
    /// Adds and deducts what the end of the game brings: jokers, then what is left in the storage, then
    /// groups.
    fn score_finally(&mut self, rules: &QueensGardenRules) {
        self.score += i16::from(self.jokers) * rules.joker_points;
        let left = self.tiles.iter().chain(self.expansions.iter());
        self.deduct(left.map(|kind| i16::from(kind.value())).sum(), rules);
        self.score += self.garden.group_points(rules);
    }

    fn why_not_place(&self, kind: Kind, stored: KindSet) -> RuleViolation {
        if !stored.contains(kind) {
            RuleViolation("the storage holds no such item")
        } else if !self.payable().contains(kind) {
            RuleViolation("the storage cannot pay for that")
        } else {
            RuleViolation("the garden has no place where that may lie")
        }
    }
}
