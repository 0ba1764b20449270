//! The rules data of Queen's Garden: everything that editions differ in or that no printed source settles.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::kind::{COLORS, PATTERNS};
use super::{GAME_ID, MAX_SLOTS, ROUNDS, STORAGE_TILES};
use crate::changes::{self, Changes, RuleEffect, RuleKey, RuleValues};
use crate::error::{SpecError, excerpt};
use crate::game::Rules;
use crate::player::MAX_PLAYERS;
use crate::spec::choose;

/// Which side of the scoring board is up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side for first games.
    #[default]
    Standard,
    /// The side with other points for patterns and one bonus more.
    Variant,
}

/// What lies on a gap, a hex between two neighboring expansion areas and the fountain board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ornament {
    /// A statue.
    Statue,
    /// A bench.
    Bench,
    /// Nothing: surrounding this gap pays nothing.
    None,
}

/// Jokers for surrounding an element of the garden with six hexagons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JokerAwards {
    /// For the fountain.
    pub fountain: u8,
    /// For a statue.
    pub statue: u8,
    /// For a bench.
    pub bench: u8,
    /// For the pavilion of a face-up expansion.
    pub pavilion: u8,
}

/// What the wheel shows in one round: points for each hexagon in a garden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wheel {
    /// Points for a hexagon of each color, in the order of colors.
    pub colors: [i16; COLORS],
    /// Points for a hexagon of each pattern, cheapest pattern first.
    pub patterns: [i16; PATTERNS],
}

/// The rules data of one variant of Queen's Garden.
///
/// All of it can be changed ([`with_changes`](Rules::with_changes)); the keys are the names of these fields,
/// and what is left out stays as on the chosen side. A list replaces the whole list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueensGardenRules {
    /// The side of the scoring board whose values apply where they are not changed.
    #[serde(skip)]
    pub side: Side,
    /// Expansions of a round's stack for 2, 3 and 4 players.
    pub stack: [u8; 3],
    /// Each player's points at the start.
    pub start_score: i16,
    /// Points that each seat begins with beside those; what is listed for seats that nobody sits at is
    /// ignored.
    pub handicap: [i16; MAX_PLAYERS],
    /// Each player's jokers at the start, at most 12.
    pub start_jokers: u8,
    /// No deduction brings a score below this.
    pub score_floor: i16,
    /// Points to pay for a face-down expansion; the player must have as many.
    pub expansion_price: i16,
    /// Points lost by the first player to pass in a round.
    pub first_pass_penalty: i16,
    /// Jokers for surrounding an element.
    pub joker_awards: JokerAwards,
    /// What lies on the six gaps: between areas 1 and 2, 2 and 3, …, 6 and 1.
    pub ornaments: [Ornament; 6],
    /// The wheel, round by round.
    pub wheel: [Wheel; ROUNDS],
    /// Points after each round for each face-up expansion in the garden.
    pub pavilion_points: i16,
    /// Points at the end for each joker left.
    pub joker_points: i16,
    /// The smallest group that scores at the end.
    pub smallest_group: u8,
    /// Points at the end for a scoring group beyond its hexagons' values, by its size: 1, 2, …, 6.
    pub group_bonus: [i16; PATTERNS],
}

/// Jokers, all of which have to find room in a storage.
const JOKERS: RangeInclusive<i16> = 0..=STORAGE_TILES as i16;

/// The wheel's colors and patterns with their points on the standard side.
const STANDARD_WHEEL: [Wheel; ROUNDS] = [
    Wheel { colors: [0, 1, 0, 1, 0, 0], patterns: [1, 0, 0, 0, 0, 0] },
    Wheel { colors: [0, 0, 0, 0, 0, 1], patterns: [0, 1, 2, 0, 0, 0] },
    Wheel { colors: [1, 0, 0, 0, 1, 0], patterns: [0, 0, 0, 2, 0, 0] },
    Wheel { colors: [0, 0, 1, 0, 0, 0], patterns: [0, 0, 0, 0, 3, 3] },
];

impl QueensGardenRules {
    /// The rules of a side.
    pub fn new(side: Side) -> Self {
        use Ornament::{Bench, Statue};
        let standard = QueensGardenRules {
            side,
            stack: [5, 7, 8],
            start_score: 15,
            handicap: [0; MAX_PLAYERS],
            start_jokers: 3,
            score_floor: 0,
            expansion_price: 6,
            first_pass_penalty: 1,
            joker_awards: JokerAwards { fountain: 1, statue: 2, bench: 2, pavilion: 3 },
            ornaments: [Bench, Statue, Bench, Statue, Bench, Statue],
            wheel: STANDARD_WHEEL,
            pavilion_points: 1,
            joker_points: 1,
            smallest_group: 3,
            group_bonus: [0, 0, 0, 0, 0, 6],
        };
        match side {
            Side::Standard => standard,
            Side::Variant => QueensGardenRules {
                wheel: STANDARD_WHEEL.map(patterns_by_value),
                group_bonus: [0, 0, 0, 0, 3, 6],
                ..standard
            },
        }
    }
    /// The expansions of a round's stack for a number of players.
    #[inline]
    pub fn stack_of(&self, players: usize) -> u8 {
        self.stack[players - 2]
    }
}

impl Default for QueensGardenRules {
    fn default() -> Self {
        QueensGardenRules::new(Side::Standard)
    }
}

/// Variant side: each pattern on the wheel scores its value.
fn patterns_by_value(mut wheel: Wheel) -> Wheel {
    for (points, value) in wheel.patterns.iter_mut().zip(1..) {
        *points = if *points == 0 { 0 } else { value };
    }
    wheel
}

impl Rules for QueensGardenRules {
    const OPTIONS: &'static [(&'static str, &'static str)] = &[
        ("standard", "the scoring board's side for first games; the default"),
        ("variant", "its other side: patterns on the wheel score their value, and groups of five a bonus"),
    ];

    fn from_options(options: &[&str]) -> Result<Self, SpecError> {
        let mut side = None;
        for &option in options {
            if !matches!(option, "standard" | "variant") {
                let known = "standard, variant, rules=FILE";
                return Err(SpecError::Option { game: GAME_ID, option: excerpt(option), known });
            }
            choose(GAME_ID, &mut side, option)?;
        }
        Ok(QueensGardenRules::new(if side == Some("variant") { Side::Variant } else { Side::Standard }))
    }

    fn options(&self) -> String {
        if self.side == Side::Variant { "variant".to_owned() } else { String::new() }
    }

    fn variants() -> Vec<Self> {
        [Side::Standard, Side::Variant].map(QueensGardenRules::new).into()
    }

    const KEYS: &'static [RuleKey] = &[
        RuleKey::table("stack", 1..=MAX_SLOTS as i16),
        RuleKey::count("start_score", -1000..=1000),
        RuleKey::count("handicap", 0..=100),
        RuleKey::table("start_jokers", JOKERS),
        RuleKey::count("score_floor", -1000..=1000),
        RuleKey::count("expansion_price", 0..=100),
        RuleKey::count("first_pass_penalty", 0..=100),
        RuleKey::count("joker_awards.fountain", JOKERS),
        RuleKey::count("joker_awards.statue", JOKERS),
        RuleKey::count("joker_awards.bench", JOKERS),
        RuleKey::count("joker_awards.pavilion", JOKERS),
        RuleKey {
            name: "ornaments",
            values: RuleValues::Words(&["statue", "bench", "none"]),
            effect: RuleEffect::Count,
        },
        RuleKey::count("wheel.colors", 0..=50),
        RuleKey::count("wheel.patterns", 0..=50),
        RuleKey::count("pavilion_points", 0..=100),
        RuleKey::count("joker_points", 0..=100),
        RuleKey::count("smallest_group", 1..=PATTERNS as i16),
        RuleKey::count("group_bonus", 0..=100),
    ];

    fn numbers(&self) -> Changes {
        changes::numbers(self)
    }

    fn changes(&self) -> Changes {
        changes::between(&QueensGardenRules::new(self.side), self)
    }

    fn with_changes(&self, changes: &Changes) -> Result<Self, String> {
        let rules = QueensGardenRules { side: self.side, ..changes::replaced(self, changes)? };
        let (found, most) = (rules.score_floor, rules.start_score);
        if found > most {
            return Err(format!("score_floor: found {found}, expected at most {most}, the start_score"));
        }
        Ok(rules)
    }
}
