//! Legal actions, play and scoring.

use std::ops::RangeInclusive;

use super::{Action, Azul, AzulRules, Board, CENTER, COLORS, Color, Deal, Phase, Wall, WallSide};
use crate::bits::BitList;
use crate::error::{RuleViolation, StateError};
use crate::game::{Game, Turn};
use crate::player::{PerPlayer, Seat, leaders};
use crate::seed::Generator;
use crate::supply::Wording;
use crate::tiles::Tiles;

const WORDING: Wording = Wording {
    too_few: RuleViolation("each factory gets 4 tiles as long as bag and lid have any"),
    not_there: RuleViolation("the bag and then the lid do not hold these tiles"),
};

impl Game for Azul {
    type Rules = AzulRules;
    type Action = Action;
    type Outcome = Deal;

    const ID: &'static str = "azul";
    const NAME: &'static str = "Azul";
    /// 36 pairs of a factory and a color in it, each with 6 targets.
    const PLAYERS: RangeInclusive<usize> = 2..=4;
    const MAX_LEGAL: usize = 216;

    fn new(rules: &'static AzulRules, players: usize) -> Self {
        assert!(Self::PLAYERS.contains(&players), "Azul seats 2, 3 or 4 players, not {players}");
        Azul::start(rules, players)
    }

    fn rules(&self) -> &'static AzulRules {
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
            Phase::Draft | Phase::Tile => Turn::Player(self.to_move),
            Phase::Deal => Turn::Chance,
            Phase::Over => Turn::Over,
        }
    }

    fn legal_actions(&self, buffer: &mut Vec<Action>) {
        buffer.clear();
        let board = &self.boards[self.to_move];
        match self.phase {
            Phase::Draft => {
                for source in 0..=self.factories() {
                    for (color, _) in self.sources[source].iter() {
                        let color = Color::ALL[color];
                        let lines = BitList::of(board.open.of(color).into());
                        buffer.extend((0..lines.len()).map(|n| Action::Draft {
                            source: source as u8,
                            color,
                            line: lines.nth(n),
                        }));
                    }
                }
            }
            Phase::Tile => {
                let (row, columns) = board.next_tiling().expect("phase tile waits for a line with a column");
                let columns = BitList::of(columns);
                buffer.extend(
                    (0..columns.len()).map(|n| Action::Tile { row: row as u8, column: columns.nth(n) }),
                );
            }
            Phase::Deal | Phase::Over => {}
        }
    }

    fn random_action(&self, rng: &mut Generator, _buffer: &mut Vec<Action>) -> Action {
        let board = &self.boards[self.to_move];
        let mut fraction = rng.fraction();
        if self.phase == Phase::Tile {
            let (row, columns) = board.next_tiling().expect("phase tile waits for a line with a column");
            let columns = BitList::of(columns);
            return Action::Tile { row: row as u8, column: columns.nth(fraction.below(columns.len())) };
        }
        // A color by its number of actions (at most 216 in all), then a source and a line that go with it.
        let lines = board.open.sizes();
        let actions: [u8; COLORS] = std::array::from_fn(|color| {
            let sources = BitList::of(self.holders.of(color)).len();
            (sources * (lines >> (8 * color) & 0xFF)) as u8
        });
        let actions = Tiles::from_counts(&actions);
        let color = Color::ALL[actions.kind_at(fraction.below(actions.total().into()) as u8)];
        let sources = BitList::of(self.holders.of(color.index()));
        let lines = BitList::of(board.open.of(color).into());
        let source = sources.nth(fraction.below(sources.len()));
        Action::Draft { source, color, line: lines.nth(fraction.below(lines.len())) }
    }

    fn check_action(&self, action: Action) -> Result<(), RuleViolation> {
        let board = &self.boards[self.to_move];
        match (action, self.phase) {
            (Action::Draft { source, color, line }, Phase::Draft) => {
                if source as usize > self.factories() {
                    return Err(RuleViolation("there is no factory of that number"));
                }
                if self.sources[source as usize].count(color.index()) == 0 {
                    return Err(RuleViolation("that source holds no tile of that color"));
                }
                if line as usize <= COLORS && board.open.of(color) >> line & 1 == 1 {
                    Ok(())
                } else {
                    Err(board.why_closed(line, color))
                }
            }
            (Action::Tile { row, column }, Phase::Tile) => match board.next_tiling() {
                Some((next, _)) if next != row as usize => {
                    Err(RuleViolation("lines are tiled from the top: another line is next"))
                }
                Some((_, columns)) if (column as usize) < COLORS && columns >> column & 1 == 1 => Ok(()),
                _ => Err(RuleViolation("that space is taken, or its column holds the color already")),
            },
            (_, Phase::Draft) => Err(RuleViolation("tiles are being taken: no line is tiled now")),
            (_, Phase::Tile) => Err(RuleViolation("a complete line must be tiled first")),
            (_, Phase::Deal) => Err(RuleViolation("the factories must be filled first")),
            (_, Phase::Over) => Err(RuleViolation("the game is over")),
        }
    }

    fn apply(&mut self, action: Action) {
        debug_assert_eq!(self.check_action(action), Ok(()), "{action} in\n{self}");
        match action {
            Action::Draft { source, color, line } => self.draft(source as usize, color, line as usize),
            Action::Tile { row, column } => {
                let color = self.boards[self.to_move].lines[row as usize].color;
                self.stock.lid += self.boards[self.to_move].tile(row as usize, column as usize, color);
                self.continue_tiling();
            }
        }
    }

    fn sample_chance(&self, rng: &mut Generator) -> Deal {
        self.stock.deal(self.factories(), rng)
    }

    fn check_chance(&self, deal: &Deal) -> Result<(), RuleViolation> {
        if self.phase != Phase::Deal {
            return Err(RuleViolation("no factories are to be filled now"));
        }
        self.stock.check_deal(deal, self.factories(), &WORDING)
    }

    fn apply_chance(&mut self, deal: &Deal) {
        debug_assert_eq!(self.check_chance(deal), Ok(()), "{deal} in\n{self}");
        let mut dealt = Tiles::EMPTY;
        for (i, &factory) in deal.factories().iter().enumerate() {
            dealt += factory;
            self.sources[i + 1] = factory;
            self.holders.set(i + 1, factory);
        }
        self.stock.remove(dealt);
        self.phase = Phase::Draft;
        self.to_move = self.start;
    }

    fn scores(&self) -> PerPlayer<i16> {
        self.boards.map(|board| board.score)
    }

    fn wins(&self) -> PerPlayer<f64> {
        leaders(&self.boards.map(|board| (board.score, board.wall.complete_rows())))
    }

    fn from_json(rules: &'static AzulRules, state: &serde_json::Value) -> Result<Self, StateError> {
        super::json::read(rules, state)
    }
}

impl Azul {
    /// Plays a draft and, after the round's last one, everything up to the next decision.
    #[inline]
    fn draft(&mut self, source: usize, color: Color, line: usize) {
        let tiles = std::mem::take(&mut self.sources[source]);
        let count = tiles.count(color.index());
        self.holders.take(source, color.index());
        self.sources[CENTER] += tiles.without(color.index());
        let board = &mut self.boards[self.to_move];
        if source == CENTER && self.marker.is_none() {
            self.marker = Some(self.to_move);
            if self.rules.marker_spaces > 0 {
                board.floor.drop_marker();
            }
        }
        let overflow = board.receive(line, color, count);
        self.stock.lid += Tiles::of(color.index(), overflow);
        if self.holders.is_empty() {
            self.finish_drafting();
        } else {
            self.to_move = self.to_move.next(self.boards.players());
        }
    }

    fn finish_drafting(&mut self) {
        match self.rules.wall {
            WallSide::Colored => {
                for seat in Seat::all(self.boards.players()) {
                    self.stock.lid += self.boards[seat].tile_printed_columns();
                }
                self.finish_round();
            }
            WallSide::Gray => {
                self.to_move = self.start;
                self.phase = Phase::Tile;
                self.continue_tiling();
            }
        }
    }

    /// Gray wall: goes on, in turn order, to the next line that has a choice of columns, or finishes the
    /// round.
    fn continue_tiling(&mut self) {
        for seat in self.start.around(self.boards.players()) {
            let board = &mut self.boards[seat];
            self.stock.lid += board.drop_dead_lines();
            if board.next_tiling().is_some() {
                self.to_move = seat;
                return;
            }
        }
        self.finish_round();
    }

    /// After the wall-tiling: floor penalties, then the next round's deal or the end of the game.
    fn finish_round(&mut self) {
        let mut row_complete = false;
        for seat in Seat::all(self.boards.players()) {
            let penalty = self.floor_points(seat);
            let board = &mut self.boards[seat];
            self.stock.lid += board.clear_floor(penalty);
            row_complete |= board.wall.complete_rows() > 0;
        }
        let none_left = self.stock.is_empty();
        if row_complete || none_left || self.round >= self.rules.last_round {
            for seat in Seat::all(self.boards.players()) {
                self.boards[seat].score += self.boards[seat].bonus(self.rules);
            }
            self.phase = Phase::Over;
            self.to_move = self.start;
        } else {
            self.round += 1;
            self.start = self.marker.take().unwrap_or(self.start);
            self.to_move = self.start;
            self.phase = Phase::Deal;
        }
    }
}

impl Board {
    /// Puts taken tiles into a line (1 to 5) as far as they fit and the rest, or all for line 0, on the
    /// floor. Returns the number of tiles that no floor space was left for.
    #[inline]
    fn receive(&mut self, line: usize, color: Color, count: u8) -> u8 {
        let mut rest = count;
        if let Some(row) = line.checked_sub(1) {
            let place = &mut self.lines[row];
            let room = line as u8 - place.count;
            let laid = count.min(room);
            place.color = color;
            place.count += laid;
            rest -= laid;
            self.open.commit(row, color, laid == room);
        }
        self.floor.drop_tiles(color, rest)
    }

    /// Colored wall: tiles all complete lines from the top. Returns the tiles that go to the lid.
    fn tile_printed_columns(&mut self) -> Tiles {
        let mut lid = Tiles::EMPTY;
        for row in 0..COLORS {
            if self.lines[row].count as usize == row + 1 {
                let color = self.lines[row].color;
                lid += self.tile(row, Wall::printed_column(row, color), color);
            }
        }
        lid
    }

    /// Moves a complete line's tile to the wall and scores it. Returns the line's other tiles, for the lid.
    fn tile(&mut self, row: usize, column: usize, color: Color) -> Tiles {
        self.score += self.wall.placement_points(row, column);
        self.wall.place(row, column, color);
        self.empty_line(row);
        Tiles::of(color.index(), row as u8)
    }

    fn empty_line(&mut self, row: usize) {
        self.lines[row] = Default::default();
        self.open.reopen(row, &self.wall);
    }

    /// Gray wall: the first complete line (from 0) with the columns open to it, as bits; none if no line is
    /// complete. A line without a column must have been dropped before.
    fn next_tiling(&self) -> Option<(usize, u16)> {
        let row = (0..COLORS).find(|&row| self.lines[row].count as usize == row + 1)?;
        Some((row, self.wall.open_columns(row, self.lines[row].color) as u16))
    }

    /// Gray wall: complete lines that come next and have no open column fall to the floor. Returns the tiles
    /// that no floor space was left for.
    fn drop_dead_lines(&mut self) -> Tiles {
        let mut lid = Tiles::EMPTY;
        while let Some((row, 0)) = self.next_tiling() {
            let color = self.lines[row].color;
            lid += Tiles::of(color.index(), self.floor.drop_tiles(color, row as u8 + 1));
            self.empty_line(row);
        }
        lid
    }

    /// Adds the points of the floor (not positive), not below 0, and empties it. Returns its tiles.
    fn clear_floor(&mut self, points: i16) -> Tiles {
        self.score = (self.score + points).max(0);
        std::mem::take(&mut self.floor).tiles()
    }

    /// The rule that keeps a color out of a line (1 to 5).
    fn why_closed(&self, line: u8, color: Color) -> RuleViolation {
        let Some(place) = self.lines.get((line as usize).wrapping_sub(1)) else {
            return RuleViolation("there are only lines 1 to 5 and the floor, 0");
        };
        if self.wall.row_has(line as usize - 1, color) {
            RuleViolation("the wall row beside that line holds the color already")
        } else if place.count == line {
            RuleViolation("that line is full")
        } else {
            RuleViolation("that line holds another color")
        }
    }
}
