//! What networks see of Summer Pavilion.
//!
//! Factories are a set: features say how many of them hold each content, outputs which content an acquisition
//! breaks up. What is wild is told by features alone.

use super::{
    Action, BoardSide, COLORS, Color, Feature, LETTERS, Phase, SLOTS, STAR_LETTERS, STAR_SLOTS, STARS, Slot,
    SummerPavilion, SummerPavilionRules,
};
use crate::bits::positions;
use crate::encode::{
    Active, Block, Contents, Encode, Factories, Names, POINTS, Parts, changes, most_changes, multisets,
    places, places_after, seats_from,
};
use crate::player::{MAX_PLAYERS, Seat};

/// Contents of a factory, the empty one included.
const CONTENTS: usize = multisets(4, COLORS);
/// What an acquisition may leave of a factory, wild tile included.
const RESTS: usize = multisets(3, COLORS);
const TABLE: Contents<COLORS, 15625> = Contents::new();
static NUMBERS: Contents<COLORS, 15625> = TABLE;
/// For each content of a factory and color: how many tiles of the color it holds, and the number of the rest.
static BROKEN: [[(u8, u8); COLORS]; CONTENTS] = TABLE.broken();

/// Tiles of one color in center, supply or hand are counted up to this many.
const MANY: usize = 10;
const ROUNDS: usize = 6;
/// Bonus tiles owed are counted up to this many.
const OWED: usize = 6;
/// The bag's tiles of a color are counted in steps of this many.
const BAG_STEP: usize = 3;
const BAG_STEPS: usize = 8;
/// Tiles that can be kept.
const KEPT: usize = 4;

// The table.
const ROUND: Block = Block::first(ROUNDS);
const PLAYERS: Block = ROUND.then(MAX_PLAYERS - 1);
const GRAY: Block = PLAYERS.then(1);
const PHASE: Block = GRAY.then(6);
const START: Block = PHASE.then(MAX_PLAYERS);
const TOKEN: Block = START.then(1);
const ROUND_ENDS: Block = TOKEN.then(1);
const WILDS: Block = ROUND_ENDS.then(ROUNDS * COLORS);
const OWED_TILES: Block = WILDS.then(OWED);
const CENTER: Block = OWED_TILES.then(COLORS * MANY);
const SUPPLY: Block = CENTER.then(COLORS * MANY);
const FACTORIES: Factories<COLORS> = Factories::after(SUPPLY);
const BAG: Block = FACTORIES.last().then(COLORS * BAG_STEPS);

// A seat.
const SCORE: Block = Block::first(POINTS);
const PASSED: Block = SCORE.then(1);
const HAS_TOKEN: Block = PASSED.then(1);
const HAND: Block = HAS_TOKEN.then(COLORS * MANY);
const KEEPS: Block = HAND.then(COLORS * KEPT);
const SLOT_COLORS: Block = KEEPS.then(SLOTS * COLORS);
const FILLED: Block = SLOT_COLORS.then(STARS * STAR_SLOTS);
const NUMBERED: Block = FILLED.then(6 * STARS);
const FEATURES: Block = NUMBERED.then(3 * COLORS);
const SEAT: usize = FEATURES.end();

// The rules.
const RULES: Block = Block { first: BAG.end() + MAX_PLAYERS * SEAT, len: changes(NUMBERS_OF_RULES) };
const NUMBERS_OF_RULES: usize = COLORS + 1 + STAR_SLOTS + 3 + 3;

/// What counts for points, and the bonus tiles.
const fn rule_numbers(rules: &SummerPavilionRules) -> [i16; NUMBERS_OF_RULES] {
    let ([o, r, b, y, g, p], [one, two, three, four, five, six]) = (rules.star_points, rules.number_points);
    let [pillar, statue, window] = rules.feature_tiles;
    let SummerPavilionRules {
        mixed_star_points: mixed, center_penalty, discard_penalty, kept_penalty, ..
    } = *rules;
    let (center, discarded, kept) = (center_penalty, discard_penalty, kept_penalty);
    let [pillar, statue, window] = [pillar as i16, statue as i16, window as i16];
    [
        o, r, b, y, g, p, mixed, one, two, three, four, five, six, pillar, statue, window, center, discarded,
        kept,
    ]
}

const USUAL: [i16; NUMBERS_OF_RULES] = rule_numbers(&SummerPavilionRules::USUAL);

// Outputs.
const FROM_FACTORY: Block = Block::first(CONTENTS * COLORS);
const FROM_CENTER: Block = FROM_FACTORY.then(MANY * COLORS);
const PLACE: Block = FROM_CENTER.then(SLOTS * COLORS * STAR_SLOTS);
const BONUS: Block = PLACE.then(COLORS);
const PASS: Block = BONUS.then(1);
const KEEP: Block = PASS.then(COLORS);
const DONE: Block = KEEP.then(1);

// Parts.
const TAKE: Block = Block::first(MANY * COLORS);
const REST: Block = TAKE.then(RESTS);
const IN_CENTER: Block = REST.then(1);
const TO_SLOT: Block = IN_CENTER.then(SLOTS * COLORS);
const WITH_WILDS: Block = TO_SLOT.then(COLORS * STAR_SLOTS);
const OTHERS: Block = WITH_WILDS.then(DONE.end() - BONUS.first);

impl Encode for SummerPavilion {
    const FEATURES: usize = RULES.end();
    const FORMER_FEATURES: &'static [usize] = &[RULES.first];
    const MAX_ACTIVE: usize = 7
        + ROUNDS
        + 1
        + 2 * COLORS
        + 9
        + 36
        + 1
        + COLORS
        + MAX_PLAYERS * (7 + 12 + 42 + 7 + 6 + 18)
        + most_changes(NUMBERS_OF_RULES);
    const OUTPUTS: usize = DONE.end();
    const PARTS: usize = OTHERS.end();
    const PLACES: usize = places(COLORS);

    fn feature_names() -> Vec<String> {
        let letter = |color: usize| Color::ALL[color].letter();
        let star = |star: usize| &STAR_LETTERS[star..=star];
        let phases = ["deal", "supply", "acquire", "place", "bonus", "keep"];
        let mut names = Names::new();
        names.counts(ROUND, ROUNDS, |_| "round".to_owned());
        names.block(PLAYERS, |index| format!("players={}", index + 2));
        names.block(GRAY, |_| "gray".to_owned());
        names.block(PHASE, |index| format!("phase={}", phases[index]));
        names.block(START, |index| format!("start=+{index}"));
        names.block(TOKEN, |_| "token-in-center".to_owned());
        names.block(ROUND_ENDS, |_| "all-passed".to_owned());
        names.block(WILDS, |index| format!("wild-in-{}-rounds={}", index / COLORS, letter(index % COLORS)));
        names.counts(OWED_TILES, OWED, |_| "owed".to_owned());
        names.counts(CENTER, MANY, |color| format!("center-{}", letter(color)));
        names.counts(SUPPLY, MANY, |color| format!("supply-{}", letter(color)));
        FACTORIES.name(&NUMBERS, LETTERS, &mut names);
        names.counts(BAG, BAG_STEPS, |color| format!("bag-{}/{BAG_STEP}", letter(color)));
        for seat in 0..MAX_PLAYERS {
            names.begin(&format!("seat+{seat}."));
            names.points(SCORE, "score");
            names.block(PASSED, |_| "passed".to_owned());
            names.block(HAS_TOKEN, |_| "token".to_owned());
            names.counts(HAND, MANY, |color| format!("hand-{}", letter(color)));
            names.counts(KEEPS, KEPT, |color| format!("kept-{}", letter(color)));
            names.block(SLOT_COLORS, |index| {
                let slot = index / COLORS;
                format!("{}{}={}", star(slot / STAR_SLOTS), slot % STAR_SLOTS + 1, letter(index % COLORS))
            });
            names.counts(FILLED, STAR_SLOTS, |index| format!("star-{}", star(index)));
            names.counts(NUMBERED, STARS, |cost| format!("cost-{}", cost + 1));
            names.block(FEATURES, |index| {
                format!("{}-{}", ["pillar", "statue", "window"][index % 3], letter(index / 3))
            });
        }
        names.begin_table();
        let stars = (0..COLORS).map(|color| format!("star_points-{}", letter(color)));
        let numbers = (1..=STAR_SLOTS).map(|cost| format!("number_points-{cost}"));
        let others = [
            "pillar_tiles",
            "statue_tiles",
            "window_tiles",
            "center_penalty",
            "discard_penalty",
            "kept_penalty",
        ];
        let named = stars.chain(["mixed_star_points".to_owned()]).chain(numbers);
        names.changes(RULES, &named.chain(others.map(str::to_owned)).collect::<Vec<_>>());
        names.finish()
    }

    #[inline]
    fn viewpoint(&self) -> Seat {
        self.next.unwrap_or(self.to_move)
    }

    fn encode(&self, active: &mut Vec<u16>) {
        let (viewpoint, players) = (self.viewpoint(), self.boards.players());
        let mut active = Active::new(active);
        active.count(ROUND, 0, ROUNDS, self.round.into());
        active.set(PLAYERS, players - 2);
        active.set_if(self.rules.side == BoardSide::Gray, GRAY, 0);
        match self.phase {
            Phase::Deal => active.set(PHASE, 0),
            Phase::Supply => active.set(PHASE, 1),
            Phase::Acquire => active.set(PHASE, 2),
            Phase::Place => active.set(PHASE, 3),
            Phase::Bonus => active.set(PHASE, 4),
            Phase::Keep => active.set(PHASE, 5),
            Phase::Over => {}
        }
        active.set(START, places_after(viewpoint, self.start, players));
        active.set_if(self.token.is_none(), TOKEN, 0);
        let all_passed = self.boards.as_slice().iter().all(|board| board.passed);
        active.set_if(all_passed, ROUND_ENDS, 0);
        for (ahead, round) in (self.round..=self.rules.rounds).take(ROUNDS).enumerate() {
            active.set(WILDS, ahead * COLORS + self.rules.wild(round).index());
        }
        active.count(OWED_TILES, 0, OWED, self.owed.into());
        for (color, count) in self.sources[0].iter() {
            active.count(CENTER, color * MANY, MANY, count.into());
        }
        for (color, count) in self.supply.iter() {
            active.count(SUPPLY, color * MANY, MANY, count.into());
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
        let letter = |color: usize| Color::ALL[color].letter();
        let mut names = Names::new();
        names.block(TAKE, |index| {
            let count = index / COLORS + 1;
            let more = if count == MANY { ">=" } else { "" };
            format!("take-{more}{count}{}", letter(index % COLORS))
        });
        names.rests(REST, &NUMBERS, LETTERS);
        names.block(IN_CENTER, |_| "from-center".to_owned());
        names.block(TO_SLOT, |index| {
            let (slot, star) = (index / COLORS % STAR_SLOTS + 1, index / COLORS / STAR_SLOTS);
            format!("place-{}-at-{}{slot}", letter(index % COLORS), &STAR_LETTERS[star..=star])
        });
        names.block(WITH_WILDS, |index| {
            format!("pay-{}-with-{}-wild", letter(index / STAR_SLOTS), index % STAR_SLOTS)
        });
        names.block(OTHERS, |index| match index + BONUS.first {
            output if output < PASS.first => format!("bonus-{}", letter(index)),
            output if output < KEEP.first => "pass".to_owned(),
            output if output < DONE.first => format!("keep-{}", letter(output - KEEP.first)),
            _ => "done".to_owned(),
        });
        names.finish()
    }

    fn place_names() -> Vec<String> {
        Factories::<COLORS>::place_names(LETTERS)
    }

    fn encode_places(&self, active: &mut Vec<u16>) {
        Factories::<COLORS>::encode_places(Self::FEATURES, &self.sources[1..], active);
    }

    #[inline]
    fn output(&self, action: Action) -> usize {
        match action {
            Action::Acquire { source, color } => {
                let (tiles, color) = (self.sources[source as usize], color.index());
                if source == 0 {
                    FROM_CENTER.at((usize::from(tiles.count(color)).min(MANY) - 1) * COLORS + color)
                } else {
                    FROM_FACTORY.at(NUMBERS.number(tiles) * COLORS + color)
                }
            }
            Action::Place { slot, color, wilds } => {
                PLACE.at((slot.index() * COLORS + color.index()) * STAR_SLOTS + wilds as usize)
            }
            Action::Bonus(color) => BONUS.at(color.index()),
            Action::Pass => PASS.at(0),
            Action::Keep(color) => KEEP.at(color.index()),
            Action::Done => DONE.at(0),
        }
    }

    #[inline]
    fn parts(output: usize) -> Parts {
        if output >= BONUS.first {
            return Parts::one(OTHERS.at(output - BONUS.first));
        }
        if output >= PLACE.first {
            let place = output - PLACE.first;
            let payment = place % (COLORS * STAR_SLOTS);
            return Parts::two(TO_SLOT.at(place / STAR_SLOTS), WITH_WILDS.at(payment));
        }
        let color = output % COLORS;
        let take = |count: usize| TAKE.at((count.max(1) - 1) * COLORS + color);
        if output >= FROM_CENTER.first {
            Parts::two(take((output - FROM_CENTER.first) / COLORS + 1), IN_CENTER.at(0))
        } else {
            let (count, rest) = BROKEN[output / COLORS][color];
            Parts::two(take(count.into()), REST.at(rest.into()))
        }
    }
}

impl SummerPavilion {
    fn encode_seat(&self, seat: Seat, active: &mut Active<'_>) {
        let board = &self.boards[seat];
        active.points(SCORE, board.score);
        active.set_if(board.passed, PASSED, 0);
        active.set_if(self.token == Some(seat), HAS_TOKEN, 0);
        for (color, count) in board.hand.iter() {
            active.count(HAND, color * MANY, MANY, count.into());
        }
        for (color, count) in board.kept.iter() {
            active.count(KEEPS, color * KEPT, KEPT, count.into());
        }
        let (mut stars, mut costs) = ([0usize; STARS], [0usize; 6]);
        for color in Color::ALL {
            for index in positions(board.slots_of(color)) {
                let slot = Slot::new(index / STAR_SLOTS, index % STAR_SLOTS);
                active.set(SLOT_COLORS, index * COLORS + color.index());
                stars[slot.star()] += 1;
                costs[self.rules.side.cost(slot) as usize - 1] += 1;
            }
        }
        for (star, &filled) in stars.iter().enumerate() {
            active.count(FILLED, star * STAR_SLOTS, STAR_SLOTS, filled);
        }
        for (cost, &filled) in costs.iter().enumerate() {
            active.count(NUMBERED, cost * STARS, STARS, filled);
        }
        for (index, feature) in Feature::ALL.iter().enumerate() {
            active.set_if(board.has(*feature), FEATURES, index);
        }
    }
}
