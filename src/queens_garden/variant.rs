//! The rules data of Queen's Garden: everything that editions differ in or that no printed source settles.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::kind::{COLORS, PATTERNS};
use super::{GAME_ID, ROUNDS, STORAGE_TILES};
use crate::error::{SpecError, excerpt};
use crate::game::Rules;
use crate::settings::{parse_settings, read_settings};

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
/// All of it can be replaced from a TOML file (option `rules=FILE`) whose keys are the names of these fields; what
/// the file leaves out stays as on the chosen side. A list that the file gives replaces the whole list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueensGardenRules {
    /// The side of the scoring board whose values apply where no file replaces them.
    #[serde(skip)]
    pub side: Side,
    /// The file that replaced some of them, as it was named in the game spec.
    #[serde(skip)]
    pub file: Option<String>,
    /// Each player's points at the start.
    pub start_score: i16,
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
            file: None,
            start_score: 15,
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

    /// These rules with everything that the TOML text gives in its place.
    ///
    /// # Errors
    /// What is wrong, with the key that it stands at.
    pub fn with_toml(&self, text: &str) -> Result<Self, String> {
        let given: toml::Table = parse_settings(text)?;
        let mut merged = toml::Table::try_from(self).expect("rules are plain numbers, words and lists");
        overlay(&mut merged, given);
        let mut rules: QueensGardenRules = serde_path_to_error::deserialize(toml::Value::Table(merged))
            .map_err(|error| {
                let message = error.inner().to_string();
                format!("{}: {}", error.path(), message.lines().next().unwrap_or_default())
            })?;
        (rules.side, rules.file) = (self.side, self.file.clone());
        rules.check()?;
        Ok(rules)
    }

    /// Whether all numbers are in the ranges in which scores cannot overflow.
    fn check(&self) -> Result<(), String> {
        let range = |key: &str, value: i16, low: i16, high: i16| {
            if (low..=high).contains(&value) {
                Ok(())
            } else {
                Err(format!("{key}: found {value}, expected {low} to {high}"))
            }
        };
        range("start_score", self.start_score, -1000, 1000)?;
        range("start_jokers", self.start_jokers.into(), 0, STORAGE_TILES.into())?;
        range("score_floor", self.score_floor, -1000, self.start_score)?;
        range("expansion_price", self.expansion_price, 0, 100)?;
        range("first_pass_penalty", self.first_pass_penalty, 0, 100)?;
        let awards = self.joker_awards;
        range("joker_awards.fountain", awards.fountain.into(), 0, STORAGE_TILES.into())?;
        range("joker_awards.statue", awards.statue.into(), 0, STORAGE_TILES.into())?;
        range("joker_awards.bench", awards.bench.into(), 0, STORAGE_TILES.into())?;
        range("joker_awards.pavilion", awards.pavilion.into(), 0, STORAGE_TILES.into())?;
        for (round, wheel) in self.wheel.iter().enumerate() {
            for (line, (&color, &pattern)) in wheel.colors.iter().zip(&wheel.patterns).enumerate() {
                range(&format!("wheel[{round}].colors[{line}]"), color, 0, 50)?;
                range(&format!("wheel[{round}].patterns[{line}]"), pattern, 0, 50)?;
            }
        }
        range("pavilion_points", self.pavilion_points, 0, 100)?;
        range("joker_points", self.joker_points, 0, 100)?;
        range("smallest_group", self.smallest_group.into(), 1, PATTERNS as i16)?;
        for (line, &bonus) in self.group_bonus.iter().enumerate() {
            range(&format!("group_bonus[{line}]"), bonus, 0, 100)?;
        }
        Ok(())
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

/// Puts the given values in the place of the old ones, table by table.
fn overlay(table: &mut toml::Table, given: toml::Table) {
    for (key, value) in given {
        match (table.get_mut(&key), value) {
            (Some(toml::Value::Table(inner)), toml::Value::Table(value)) => overlay(inner, value),
            (_, value) => _ = table.insert(key, value),
        }
    }
}

impl Rules for QueensGardenRules {
    fn from_options(options: &[&str]) -> Result<Self, SpecError> {
        let (mut side, mut file) = (None, None);
        for &option in options {
            let chosen = match option {
                "standard" | "variant" => &mut side,
                _ if option.starts_with("rules=") => &mut file,
                _ => {
                    let known = "standard, variant, rules=FILE";
                    return Err(SpecError::Option { game: GAME_ID, option: excerpt(option), known });
                }
            };
            if let Some(first) = chosen.replace(option).filter(|&first| first != option) {
                let (first, second) = (excerpt(first), excerpt(option));
                return Err(SpecError::Conflict { game: GAME_ID, first, second });
            }
        }
        let side = if side == Some("variant") { Side::Variant } else { Side::Standard };
        let rules = QueensGardenRules::new(side);
        let Some(path) = file.and_then(|option| option.strip_prefix("rules=")) else {
            return Ok(rules);
        };
        let unusable =
            |problem| SpecError::Value { game: GAME_ID, option: excerpt(&format!("rules={path}")), problem };
        let text = read_settings(Path::new(path)).map_err(|error| unusable(error.to_string()))?;
        let rules = rules.with_toml(&text).map_err(unusable)?;
        Ok(QueensGardenRules { file: Some(path.to_owned()), ..rules })
    }

    fn options(&self) -> String {
        let side = (self.side == Side::Variant).then(|| "variant".to_owned());
        let file = self.file.as_ref().map(|path| format!("rules={path}"));
        side.into_iter().chain(file).collect::<Vec<String>>().join(",")
    }

    fn variants() -> Vec<Self> {
        [Side::Standard, Side::Variant].map(QueensGardenRules::new).into()
    }
}
