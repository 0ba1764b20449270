//! Legal actions, play and scoring.

use std::ops::RangeInclusive;

use super::payment::{least_wilds, mixes};
use super::{
    Action, Board, CENTER, COLORS, Color, Outcome, Phase, STAR_SLOTS, STARS, Slot, SummerPavilion,
    SummerPavilionRules,
};
use crate::bits::{BitList, positions};
use crate::error::{RuleViolation, StateError};
use crate::game::{Game, Turn};
use crate::player::{PerPlayer, Seat, leaders};
use crate::seed::{Fraction, Generator};
use crate::supply::Wording;
use crate::tiles::Tiles;

const WORDING: Wording = Wording {
    too_few: RuleViolation("each factory gets 4 tiles as long as bag and depot have any"),
    not_there: RuleViolation("the bag and then the depot do not hold these tiles"),
};

impl Game for SummerPavilion {
    type Rules = SummerPavilionRules;
    type Action = Action;
    type Outcome = Outcome;

    const ID: &'static str = "summer-pavilion";
    const NAME: &'static str = "Azul: Summer Pavilion";
    /// Gray side, empty board, at least six tiles of every color: an outer star has 5 · 21 payments and 6 of
    /// the wild color, the center 5 · 18 and 6; and a pass.
    const PLAYERS: RangeInclusive<usize> = 2..=4;
    const MAX_LEGAL: usize = 6 * 111 + 96 + 1;

    fn new(rules: &'static SummerPavilionRules, players: usize) -> Self {
        assert!(Self::PLAYERS.contains(&players), "Summer Pavilion seats 2, 3 or 4 players, not {players}");
        SummerPavilion::start(rules, players)
    }

    fn rules(&self) -> &'static SummerPavilionRules {
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
            Phase::Acquire | Phase::Place | Phase::Bonus | Phase::Keep => Turn::Player(self.to_move),
            Phase::Deal | Phase::Supply => Turn::Chance,
            Phase::Over => Turn::Over,
        }
    }

    fn legal_actions(&self, buffer: &mut Vec<Action>) {
        buffer.clear();
        match self.phase {
            Phase::Acquire => self.list_acquisitions(buffer),
            Phase::Place => {
                self.list_placements(buffer);
                buffer.push(Action::Pass);
            }
            Phase::Bonus => buffer.extend(colors_of(self.supply).map(Action::Bonus)),
            Phase::Keep => {
                buffer.extend(colors_of(self.boards[self.to_move].keepable()).map(Action::Keep));
                buffer.push(Action::Done);
            }
            Phase::Deal | Phase::Supply | Phase::Over => {}
        }
    }

    #[inline]
    fn random_action(&self, rng: &mut Generator, _buffer: &mut Vec<Action>) -> Action {
        let mut fraction = rng.fraction();
        match self.phase {
            Phase::Acquire => self.random_acquisition(fraction),
            Phase::Place => self.random_placement(fraction),
            Phase::Bonus => {
                let colors = BitList::of(color_set(self.supply).into());
                Action::Bonus(Color::ALL[colors.nth(fraction.below(colors.len())) as usize])
            }
            Phase::Keep => {
                let colors = BitList::of(color_set(self.boards[self.to_move].keepable()).into());
                match fraction.below(colors.len() + 1) {
                    n if n == colors.len() => Action::Done,
                    n => Action::Keep(Color::ALL[colors.nth(n) as usize]),
                }
            }
            Phase::Deal | Phase::Supply | Phase::Over => {
                panic!("no action is legal in phase {:?}", self.phase)
            }
        }
    }

    fn check_action(&self, action: Action) -> Result<(), RuleViolation> {
        match (action, self.phase) {
            (Action::Acquire { source, color }, Phase::Acquire) => self.check_acquisition(source, color),
            (Action::Place { slot, color, wilds }, Phase::Place) => self.check_placement(slot, color, wilds),
            (Action::Pass, Phase::Place) | (Action::Done, Phase::Keep) => Ok(()),
            (Action::Bonus(color), Phase::Bonus) if self.supply.count(color.index()) == 0 => {
                Err(RuleViolation("the supply holds no tile of that color"))
            }
            (Action::Bonus(_), Phase::Bonus) => Ok(()),
            (Action::Keep(color), Phase::Keep) => self.boards[self.to_move].check_keep(color),
            (_, Phase::Acquire) => Err(RuleViolation("tiles are being taken from factories and center")),
            (_, Phase::Place) => Err(RuleViolation("a tile must be placed, or the player must pass")),
            (_, Phase::Bonus) => Err(RuleViolation("a bonus tile must be taken from the supply first")),
            (_, Phase::Keep) => Err(RuleViolation("the player has passed and is choosing tiles to keep")),
            (_, Phase::Deal) => Err(RuleViolation("the factories must be filled first")),
            (_, Phase::Supply) => Err(RuleViolation("the supply must be filled first")),
            (_, Phase::Over) => Err(RuleViolation("the game is over")),
        }
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        debug_assert_eq!(self.check_action(action), Ok(()), "{action} in\n{self}");
        match action {
            Action::Acquire { source, color } => self.acquire(source as usize, color),
            Action::Place { slot, color, wilds } => self.place(slot, color, wilds),
            Action::Bonus(color) => self.take_bonus(color),
            Action::Pass => {
                self.boards[self.to_move].passed = true;
                self.phase = Phase::Keep;
                self.continue_keeping();
            }
            Action::Keep(color) => {
                self.boards[self.to_move].keep(color);
                self.continue_keeping();
            }
            Action::Done => self.discard_rest(),
        }
    }

    fn sample_chance(&self, rng: &mut Generator) -> Outcome {
        if self.phase == Phase::Supply {
            Outcome::Supply({ self.stock }.draw(self.rules.supply - self.supply.total(), rng))
        } else {
            Outcome::Deal(self.stock.deal(self.factories(), rng))
        }
    }

    fn check_chance(&self, outcome: &Outcome) -> Result<(), RuleViolation> {
        match (outcome, self.phase) {
            (Outcome::Supply(tiles), Phase::Supply) => {
                let wanted = self.rules.supply - self.supply.total();
                if tiles.total() != wanted.min(self.stock.total()) {
                    return Err(RuleViolation(
                        "the supply is filled up to 10 tiles as long as bag and depot have any",
                    ));
                }
                { self.stock }.take(*tiles, &WORDING)
            }
            (Outcome::Deal(deal), Phase::Deal) => self.stock.check_deal(deal, self.factories(), &WORDING),
            (_, Phase::Supply) => Err(RuleViolation("the supply is to be filled now, not the factories")),
            (_, Phase::Deal) => Err(RuleViolation("the factories are to be filled now, not the supply")),
            _ => Err(RuleViolation("no tiles are to be drawn now")),
        }
    }

    fn apply_chance(&mut self, outcome: &Outcome) {
        debug_assert_eq!(self.check_chance(outcome), Ok(()), "{outcome} in\n{self}");
        match outcome {
            Outcome::Supply(tiles) => {
                self.stock.remove(*tiles);
                self.supply += *tiles;
                match self.next.take() {
                    // Only before the first round the supply is filled while nobody has passed.
                    None if !self.boards[self.start].passed => self.phase = Phase::Deal,
                    next => self.go_on(next),
                }
            }
            Outcome::Deal(deal) => {
                let mut dealt = Tiles::EMPTY;
                for (i, &factory) in deal.factories().iter().enumerate() {
                    dealt += factory;
                    self.sources[i + 1] = factory;
                    self.holders.set(i + 1, factory);
                }
                self.stock.remove(dealt);
                self.phase = Phase::Acquire;
                self.to_move = self.start;
            }
        }
    }

    fn scores(&self) -> PerPlayer<i16> {
        PerPlayer::from_fn(self.players(), |seat| self.boards[seat].score)
    }

    fn wins(&self) -> PerPlayer<f64> {
        leaders(&self.scores())
    }

    fn from_json(rules: &'static SummerPavilionRules, state: &serde_json::Value) -> Result<Self, StateError> {
        super::json::read(rules, state)
    }
}

/// The colors present, in order.
fn colors_of(tiles: Tiles) -> impl Iterator<Item = Color> {
    tiles.iter().map(|(color, _)| Color::ALL[color])
}

/// The colors present, bit [`Color::index`].
#[inline]
fn color_set(tiles: Tiles) -> u8 {
    (0..COLORS).fold(0, |all, color| all | u8::from(tiles.count(color) != 0) << color)
}

/// What a hand can pay for a color with: its tiles of that color, and the wild tiles beside them.
#[inline]
fn purse(hand: Tiles, color: usize, wild: Color) -> (u8, u8) {
    let wilds = if color == wild.index() { 0 } else { hand.count(wild.index()) };
    (hand.count(color), wilds)
}

/// Acquiring.
impl SummerPavilion {
    fn list_acquisitions(&self, buffer: &mut Vec<Action>) {
        for source in 0..=self.factories() {
            let tiles = self.sources[source];
            let beside_wild = tiles.without(self.wild.index());
            let choice = if beside_wild.is_empty() { tiles } else { beside_wild };
            buffer.extend(colors_of(choice).map(|color| Action::Acquire { source: source as u8, color }));
        }
    }

    #[inline]
    fn random_acquisition(&self, mut fraction: Fraction) -> Action {
        let sources: [BitList; COLORS] = Color::ALL.map(|color| BitList::of(self.sources_of(color)));
        let actions = Tiles::from_counts(&sources.map(|sources| sources.len() as u8));
        let color = actions.kind_at(fraction.below(actions.total().into()) as u8);
        let source = sources[color].nth(fraction.below(sources[color].len()));
        Action::Acquire { source, color: Color::ALL[color] }
    }

    fn check_acquisition(&self, source: u8, color: Color) -> Result<(), RuleViolation> {
        if source as usize > self.factories() {
            Err(RuleViolation("there is no factory of that number"))
        } else if self.sources[source as usize].count(color.index()) == 0 {
            Err(RuleViolation("that source holds no tile of that color"))
        } else if self.sources_of(color) >> source & 1 == 0 {
            Err(RuleViolation("that color is wild: it can be chosen only where no other color lies"))
        } else {
            Ok(())
        }
    }

    #[inline]
    fn acquire(&mut self, source: usize, color: Color) {
        let tiles = std::mem::take(&mut self.sources[source]);
        let wild = self.wild.index();
        let one_wild = Tiles::of(wild, tiles.count(wild).min(1));
        let chosen = Tiles::of(color.index(), tiles.count(color.index()));
        let taken = if color == self.wild { one_wild } else { chosen + one_wild };
        self.holders.set(source, Tiles::EMPTY);
        self.sources[CENTER] += tiles - taken;
        self.holders.set(CENTER, self.sources[CENTER]);
        let board = &mut self.boards[self.to_move];
        board.hand += taken;
        if source == CENTER && self.token.is_none() {
            self.token = Some(self.to_move);
            board.lose(self.rules.center_penalty * i16::from(taken.total()));
        }
        if self.holders.is_empty() {
            self.start_placing();
        } else {
            self.to_move = self.to_move.next(self.boards.players());
        }
    }
}

/// Placing.
impl SummerPavilion {
    fn start_placing(&mut self) {
        self.phase = Phase::Place;
        self.to_move = self.token.unwrap_or(self.start);
    }

    fn list_placements(&self, buffer: &mut Vec<Action>) {
        let board = &self.boards[self.to_move];
        let affordable = self.affordable_colors(board.hand);
        for star in 0..STARS {
            let (costs, accepted) = (self.rules.side.payments(star).costs(), board.accepted(star));
            if accepted & affordable[1] == 0 {
                continue;
            }
            for position in positions(board.free(star).into()) {
                let (slot, cost) = (Slot::new(star, position), costs[position]);
                for color in positions((accepted & affordable[cost as usize]).into()) {
                    let (own, wilds) = purse(board.hand, color, self.wild);
                    let (least, color) = (least_wilds(cost, own), Color::ALL[color]);
                    for wilds in least..least + mixes(cost, own, wilds) {
                        buffer.push(Action::Place { slot, color, wilds });
                    }
                }
            }
        }
    }

    /// For each cost up to 6 the colors that a hand can pay it for, bit [`Color::index`].
    #[inline]
    fn affordable_colors(&self, hand: Tiles) -> [u8; STAR_SLOTS + 1] {
        let mut affordable = [0; STAR_SLOTS + 1];
        for (color, _) in hand.iter() {
            let (own, wilds) = purse(hand, color, self.wild);
            let reach = usize::from(own + wilds).min(STAR_SLOTS);
            affordable[1..=reach].iter_mut().for_each(|colors| *colors |= 1 << color);
        }
        affordable
    }

    /// A placement or the pass: the number of placements of each star and color by look-up, then one of them.
    #[inline]
    fn random_placement(&self, mut fraction: Fraction) -> Action {
        let board = &self.boards[self.to_move];
        let purses: [(u8, u8); COLORS] = std::array::from_fn(|color| purse(board.hand, color, self.wild));
        // At most 111 a star, a byte a color.
        let counts: [Tiles; STARS] = std::array::from_fn(|star| {
            let (payments, free) = (self.rules.side.payments(star), board.free(star));
            let accepted = board.accepted(star);
            Tiles::from_counts(&std::array::from_fn::<u8, COLORS, _>(|color| {
                let (own, wilds) = purses[color];
                payments.count(own, wilds, free) * (accepted >> color & 1)
            }))
        });
        let placements: u64 = counts.iter().map(|count| u64::from(count.total())).sum();
        let mut n = fraction.below(placements + 1);
        for (star, count) in counts.iter().enumerate() {
            if n < count.total().into() {
                let (color, n) = count.kind_and_rank_at(n as u8);
                let (own, wilds) = purses[color];
                let (position, wilds) = self.rules.side.payments(star).nth(own, wilds, board.free(star), n);
                return Action::Place { slot: Slot::new(star, position), color: Color::ALL[color], wilds };
            }
            n -= u64::from(count.total());
        }
        Action::Pass
    }

    fn check_placement(&self, slot: Slot, color: Color, wilds: u8) -> Result<(), RuleViolation> {
        let board = &self.boards[self.to_move];
        let cost = self.rules.side.cost(slot);
        if board.filled() & slot.bit() != 0 {
            return Err(RuleViolation("that slot holds a tile already"));
        }
        if board.accepted(slot.star()) >> color.index() & 1 == 0 {
            return Err(RuleViolation("that star does not take this color"));
        }
        if color == self.wild && wilds != 0 {
            return Err(RuleViolation(
                "a tile of the wild color is paid in its own color: write 0 wild tiles",
            ));
        }
        if wilds >= cost {
            return Err(RuleViolation("at least one of the tiles paid must have the color that is placed"));
        }
        let (own, held) = purse(board.hand, color.index(), self.wild);
        if own < cost - wilds {
            return Err(RuleViolation("the hand holds too few tiles of that color"));
        }
        if held < wilds {
            return Err(RuleViolation("the hand holds too few wild tiles"));
        }
        Ok(())
    }

    #[inline]
    fn place(&mut self, slot: Slot, color: Color, wilds: u8) {
        let board = &mut self.boards[self.to_move];
        let paid = Tiles::of(color.index(), self.rules.side.cost(slot) - wilds)
            + Tiles::of(self.wild.index(), wilds);
        board.hand -= paid;
        self.stock.lid += paid - Tiles::of(color.index(), 1);
        board.fill(self.rules.side, slot, color);
        board.score += board.run(slot);
        self.owed = board.bonus_tiles(self.rules, slot).min(self.supply.total());
        if self.owed > 0 {
            self.phase = Phase::Bonus;
        } else {
            self.end_turn();
        }
    }

    #[inline]
    fn take_bonus(&mut self, color: Color) {
        let tile = Tiles::of(color.index(), 1);
        self.supply -= tile;
        self.boards[self.to_move].hand += tile;
        self.owed -= 1;
        if self.owed == 0 {
            self.end_turn();
        }
    }

    /// Goes on asking for tiles to keep, or ends the turn if no more can be kept.
    #[inline]
    fn continue_keeping(&mut self) {
        let board = &self.boards[self.to_move];
        if board.kept.total() >= self.rules.keep_limit || board.keepable().is_empty() {
            self.discard_rest();
        }
    }

    #[inline]
    fn discard_rest(&mut self) {
        let board = &mut self.boards[self.to_move];
        let rest = std::mem::take(&mut board.hand);
        board.lose(self.rules.discard_penalty * i16::from(rest.total()));
        self.stock.lid += rest;
        self.end_turn();
    }
}

/// What follows a turn of the placing phase.
impl SummerPavilion {
    fn end_turn(&mut self) {
        let players = self.boards.players();
        let next = self.to_move.next(players).around(players).find(|&seat| !self.boards[seat].passed);
        if next.is_none() && self.round >= self.rules.rounds {
            self.finish_game();
        } else if self.supply.total() < self.rules.supply && !self.stock.is_empty() {
            self.phase = Phase::Supply;
            self.next = next;
            self.to_move = self.start;
        } else {
            self.go_on(next);
        }
    }

    /// The next seat's turn to place, or the next round if all have passed.
    fn go_on(&mut self, next: Option<Seat>) {
        match next {
            Some(seat) => {
                self.phase = Phase::Place;
                self.to_move = seat;
            }
            None => self.start_round(),
        }
    }

    fn start_round(&mut self) {
        self.round += 1;
        self.wild = self.rules.wild(self.round);
        self.start = self.token.take().unwrap_or(self.start);
        self.to_move = self.start;
        for seat in Seat::all(self.boards.players()) {
            let board = &mut self.boards[seat];
            board.passed = false;
            board.hand = std::mem::take(&mut board.kept);
        }
        if !self.stock.is_empty() {
            self.phase = Phase::Deal;
        } else {
            self.start_placing();
        }
    }

    fn finish_game(&mut self) {
        for seat in Seat::all(self.boards.players()) {
            let board = &mut self.boards[seat];
            board.score += board.star_points(self.rules) + board.number_points(self.rules);
            let kept = std::mem::take(&mut board.kept);
            board.lose(self.rules.kept_penalty * i16::from(kept.total()));
            self.stock.lid += kept;
        }
        self.phase = Phase::Over;
        self.to_move = self.start;
    }
}

impl Board {
    /// The tiles in the hand that may still be kept: colors are named in order, so none before the last one
    /// kept.
    #[inline]
    pub(super) fn keepable(&self) -> Tiles {
        self.hand.kinds_from(self.kept.last_kind())
    }

    fn check_keep(&self, color: Color) -> Result<(), RuleViolation> {
        if self.hand.count(color.index()) == 0 {
            Err(RuleViolation("the hand holds no tile of that color"))
        } else if self.keepable().count(color.index()) == 0 {
            Err(RuleViolation("tiles to keep are named in color order: one of a later color is kept already"))
        } else {
            Ok(())
        }
    }

    fn keep(&mut self, color: Color) {
        let tile = Tiles::of(color.index(), 1);
        self.hand -= tile;
        self.kept += tile;
    }
}
