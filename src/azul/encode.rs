//! What networks see of Azul.
//!
//! Factories are a set: features say how many of them hold each content, outputs which content a draft breaks
//! up.

use super::symmetry::Symmetry;
use super::{Action, Azul, AzulRules, COLORS, Color, Deal, FLOOR_SPACES, LETTERS, Phase, Wall, WallSide};
use crate::bits::positions;
use crate::encode::{
    Active, Block, Contents, Encode, Factories, Names, POINTS, Parts, changes, most_changes, multisets,
    places, places_after, seats_from,
};
use crate::player::{MAX_PLAYERS, Seat};

/// Contents of a factory, the empty one included.
const CONTENTS: usize = multisets(4, COLORS);
/// What a draft may leave of a factory.
const RESTS: usize = multisets(3, COLORS);
const TABLE: Contents<COLORS, 3125> = Contents::new();
static NUMBERS: Contents<COLORS, 3125> = TABLE;
/// For each content of a factory and color: how many tiles of the color it holds, and the number of the rest.
static BROKEN: [[(u8, u8); COLORS]; CONTENTS] = TABLE.broken();

/// Tiles of one color in the center are counted up to this many.
const CENTER_TILES: usize = 10;
/// Rounds are told apart up to this one.
const ROUNDS: usize = 7;
/// The bag's tiles of a color are counted in steps of this many.
const BAG_STEP: usize = 3;
const BAG_STEPS: usize = 7;

// The table.
const ROUND: Block = Block::first(ROUNDS);
const PLAYERS: Block = ROUND.then(MAX_PLAYERS - 1);
const GRAY: Block = PLAYERS.then(1);
const PHASE: Block = GRAY.then(3);
const START: Block = PHASE.then(MAX_PLAYERS);
const MARKER: Block = START.then(1);
const CENTER: Block = MARKER.then(COLORS * CENTER_TILES);
const FACTORIES: Factories<COLORS> = Factories::after(CENTER);
const BAG: Block = FACTORIES.last().then(COLORS * BAG_STEPS);

// A seat.
const SCORE: Block = Block::first(POINTS);
const SETTLED: Block = SCORE.then(POINTS);
const HAS_MARKER: Block = SETTLED.then(1);
const FLOOR: Block = HAS_MARKER.then(7);
const LINES: Block = FLOOR.then(COLORS * COLORS * COLORS);
const WALL: Block = LINES.then(COLORS * COLORS);
const WALL_COLORS: Block = WALL.then(COLORS * COLORS * COLORS);
const ROWS: Block = WALL_COLORS.then(COLORS * COLORS);
const COLUMNS: Block = ROWS.then(COLORS * COLORS);
const SETS: Block = COLUMNS.then(COLORS * COLORS);
const SEAT: usize = SETS.end();

// The rules.
const RULES: Block = Block { first: BAG.end() + MAX_PLAYERS * SEAT, len: changes(NUMBERS_OF_RULES) };
const NUMBERS_OF_RULES: usize = 5 + FLOOR_SPACES;

/// What counts for points: bonuses, what the marker costs, the floor line.
const fn rule_numbers(rules: &AzulRules) -> [i16; NUMBERS_OF_RULES] {
    let [a, b, c, d, e, f, g] = rules.floor;
    let AzulRules { row_bonus, column_bonus, color_bonus, marker_points, marker_spaces, .. } = *rules;
    [row_bonus, column_bonus, color_bonus, marker_points, marker_spaces as i16, a, b, c, d, e, f, g]
}

const USUAL: [i16; NUMBERS_OF_RULES] = rule_numbers(&AzulRules::USUAL);

// Outputs.
const LINES_AND_FLOOR: usize = COLORS + 1;
const FROM_FACTORY: Block = Block::first(CONTENTS * COLORS * LINES_AND_FLOOR);
const FROM_CENTER: Block = FROM_FACTORY.then(CENTER_TILES * COLORS * LINES_AND_FLOOR);
const TILE: Block = FROM_CENTER.then(COLORS * COLORS);

// Parts.
const TAKE: Block = Block::first(CENTER_TILES * COLORS * LINES_AND_FLOOR);
const REST: Block = TAKE.then(RESTS);
const IN_CENTER: Block = REST.then(1);
const TO_COLUMN: Block = IN_CENTER.then(COLORS * COLORS);

impl Encode for Azul {
    const FEATURES: usize = RULES.end();
    const FORMER_FEATURES: &'static [usize] = &[RULES.first];
    const MAX_ACTIVE: usize =
        6 + 5 + 9 + 36 + 1 + 5 + MAX_PLAYERS * (10 + 1 + 1 + 5 + 50 + 15) + most_changes(NUMBERS_OF_RULES);
    const OUTPUTS: usize = TILE.end();
    const PARTS: usize = TO_COLUMN.end();
    const PLACES: usize = places(COLORS);

    fn feature_names() -> Vec<String> {
        let letter = |color: usize| Color::ALL[color].letter();
        let place = |index: usize| format!("{}{}", index / COLORS + 1, index % COLORS + 1);
        let mut names = Names::new();
        names.counts(ROUND, ROUNDS, |_| "round".to_owned());
        names.block(PLAYERS, |index| format!("players={}", index + 2));
        names.block(GRAY, |_| "gray".to_owned());
        names.block(PHASE, |index| format!("phase={}", ["deal", "draft", "tile"][index]));
        names.block(START, |index| format!("start=+{index}"));
        names.block(MARKER, |_| "marker-in-center".to_owned());
        names.counts(CENTER, CENTER_TILES, |color| format!("center-{}", letter(color)));
        FACTORIES.name(&NUMBERS, LETTERS, &mut names);
        names.counts(BAG, BAG_STEPS, |color| format!("bag-{}/{BAG_STEP}", letter(color)));
        for seat in 0..MAX_PLAYERS {
            names.begin(&format!("seat+{seat}."));
            names.points(SCORE, "score");
            names.points(SETTLED, "settled");
            names.block(HAS_MARKER, |_| "marker".to_owned());
            names.block(FLOOR, |index| format!("floor={}", index + 1));
            names.block(LINES, |index| {
                let (row, rest) = (index / (COLORS * COLORS), index % (COLORS * COLORS));
                format!("line{}={}{}", row + 1, rest % COLORS + 1, letter(rest / COLORS))
            });
            names.block(WALL, |index| format!("wall{}", place(index)));
            names.block(WALL_COLORS, |index| {
                format!("wall{}={}", place(index / COLORS), letter(index % COLORS))
            });
            names.counts(ROWS, COLORS, |row| format!("row{}", row + 1));
            names.counts(COLUMNS, COLORS, |column| format!("column{}", column + 1));
            names.counts(SETS, COLORS, |color| format!("set-{}", letter(color)));
        }
        names.begin_table();
        let named = ["row_bonus", "column_bonus", "color_bonus", "marker_points", "marker_spaces"];
        let floor = (1..=FLOOR_SPACES).map(|space| format!("floor{space}"));
        names.changes(RULES, &named.map(str::to_owned).into_iter().chain(floor).collect::<Vec<_>>());
        names.finish()
    }

    #[inline]
    fn viewpoint(&self) -> Seat {
        self.to_move
    }

    fn encode(&self, active: &mut Vec<u16>) {
        let (viewpoint, players) = (self.viewpoint(), self.boards.players());
        let mut active = Active::new(active);
        active.count(ROUND, 0, ROUNDS, self.round.into());
        active.set(PLAYERS, players - 2);
        active.set_if(self.rules.wall == WallSide::Gray, GRAY, 0);
        match self.phase {
            Phase::Deal => active.set(PHASE, 0),
            Phase::Draft => active.set(PHASE, 1),
            Phase::Tile => active.set(PHASE, 2),
            Phase::Over => {}
        }
        active.set(START, places_after(viewpoint, self.start, players));
        active.set_if(self.marker.is_none(), MARKER, 0);
        for (color, count) in self.sources[0].iter() {
            active.count(CENTER, color * CENTER_TILES, CENTER_TILES, count.into());
        }
        FACTORIES.encode(&NUMBERS, &self.sources[1..], &mut active);
        for (color, count) in self.bag().iter() {
            active.count(BAG, color * BAG_STEPS, BAG_STEPS, usize::from(count).div_ceil(BAG_STEP));
        }
        for (place, seat) in seats_from(self, viewpoint).enumerate() {
            active.base = BAG.end() + place * SEAT;
            self.encode_seat(seat, &mut active);
        }
        active.base = 0;
        active.changes(RULES, rule_numbers(self.rules), USUAL);
    }

    fn part_names() -> Vec<String> {
        let mut names = Names::new();
        names.block(TAKE, |index| {
            let (line, color) = (index % LINES_AND_FLOOR, index / LINES_AND_FLOOR % COLORS);
            let count = index / (LINES_AND_FLOOR * COLORS) + 1;
            let more = if count == CENTER_TILES { ">=" } else { "" };
            format!("take-{more}{count}{}-to-{line}", Color::ALL[color].letter())
        });
        names.rests(REST, &NUMBERS, LETTERS);
        names.block(IN_CENTER, |_| "from-center".to_owned());
        names.block(TO_COLUMN, |index| format!("tile-{}{}", index / COLORS + 1, index % COLORS + 1));
        names.finish()
    }

    fn place_names() -> Vec<String> {
        Factories::<COLORS>::place_names(LETTERS)
    }

    fn encode_places(&self, active: &mut Vec<u16>) {
        Factories::<COLORS>::encode_places(Self::FEATURES, &self.sources[1..], active);
    }

    fn symmetries(rules: &AzulRules) -> u32 {
        Symmetry::count(rules)
    }

    fn renamed(action: Action, symmetry: u32) -> Action {
        Symmetry::new(symmetry).action(action)
    }

    fn renamed_outcome(outcome: &Deal, symmetry: u32) -> Deal {
        Symmetry::new(symmetry).deal(outcome)
    }

    #[inline]
    fn output(&self, action: Action) -> usize {
        match action {
            Action::Draft { source, color, line } => {
                let tiles = self.sources[source as usize];
                let (color, line) = (color.index(), line as usize);
                if source == 0 {
                    let count = usize::from(tiles.count(color)).min(CENTER_TILES);
                    FROM_CENTER.at(((count - 1) * COLORS + color) * LINES_AND_FLOOR + line)
                } else {
                    FROM_FACTORY.at((NUMBERS.number(tiles) * COLORS + color) * LINES_AND_FLOOR + line)
                }
            }
            Action::Tile { row, column } => TILE.at(row as usize * COLORS + column as usize),
        }
    }

    #[inline]
    fn parts(output: usize) -> Parts {
        let (line, color) = (output % LINES_AND_FLOOR, output / LINES_AND_FLOOR % COLORS);
        let take = |count: usize| TAKE.at(((count.max(1) - 1) * COLORS + color) * LINES_AND_FLOOR + line);
        if output >= TILE.first {
            Parts::one(TO_COLUMN.at(output - TILE.first))
        } else if output >= FROM_CENTER.first {
            let count = (output - FROM_CENTER.first) / (COLORS * LINES_AND_FLOOR) + 1;
            Parts::two(take(count), IN_CENTER.at(0))
        } else {
            let (count, rest) = BROKEN[output / (LINES_AND_FLOOR * COLORS)][color];
            Parts::two(take(count.into()), REST.at(rest.into()))
        }
    }
}

impl Azul {
    fn encode_seat(&self, seat: Seat, active: &mut Active<'_>) {
        let board = &self.boards[seat];
        let (wall, filled) = (board.wall, board.wall.filled());
        active.points(SCORE, board.score);
        active.points(SETTLED, self.settled_score(seat));
        active.set_if(self.marker == Some(seat), HAS_MARKER, 0);
        active.count(FLOOR, 0, 7, board.floor.len());
        for (row, line) in board.lines.iter().enumerate() {
            let first = (row * COLORS + line.color.index()) * COLORS;
            active.count(LINES, first, COLORS, line.count.into());
        }
        active.bits(WALL, filled.into());
        for color in Color::ALL {
            let spaces = wall.spaces_of(color);
            active.count(SETS, color.index() * COLORS, COLORS, spaces.count_ones() as usize);
            // On the colored side the space tells the color.
            if self.rules.wall == WallSide::Gray {
                positions(spaces.into())
                    .for_each(|space| active.set(WALL_COLORS, space * COLORS + color.index()));
            }
        }
        for line in 0..COLORS {
            active.count(ROWS, line * COLORS, COLORS, wall.row(line).count_ones() as usize);
            active.count(COLUMNS, line * COLORS, COLORS, wall.column(line).count_ones() as usize);
        }
    }

    /// The points that a seat would have if the round ended now; on the gray side complete lines do not
    /// count.
    fn settled_score(&self, seat: Seat) -> i16 {
        let board = &self.boards[seat];
        let (mut wall, mut score) = (board.wall, board.score);
        if self.rules.wall == WallSide::Colored {
            for (row, line) in
                board.lines.iter().enumerate().filter(|(row, line)| line.count as usize == row + 1)
            {
                let column = Wall::printed_column(row, line.color);
                score += wall.placement_points(row, column);
                wall.place(row, column, line.color);
            }
        }
        score + self.floor_points(seat)
    }
}
