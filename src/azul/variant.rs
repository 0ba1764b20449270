//! The rules data of Azul's variants.

use serde::{Deserialize, Serialize};

use super::{FLOOR_SPACES, MAX_FACTORIES};
use crate::changes::{self, Changes, RuleKey};
use crate::error::{SpecError, excerpt};
use crate::game::Rules;
use crate::player::MAX_PLAYERS;
use crate::spec::choose;

/// Which side of the player board is up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WallSide {
    /// Each color has its fixed column in each row.
    #[default]
    Colored,
    /// Players choose the column; no color twice in a row or column.
    Gray,
}

/// The rules data of one variant of Azul.
///
/// All numbers can be changed ([`with_changes`](Rules::with_changes)); the keys are the names of these
/// fields. A list replaces the whole list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AzulRules {
    /// Which side of the board is played.
    #[serde(skip)]
    pub wall: WallSide,
    /// Factories for 2, 3 and 4 players, at most [`MAX_FACTORIES`](super::MAX_FACTORIES).
    pub factories: [u8; 3],
    /// Points of the floor line's spaces from the left (negative).
    pub floor: [i16; FLOOR_SPACES],
    /// Spaces of the floor line that the starting player marker takes, 0 or 1.
    pub marker_spaces: u8,
    /// Points that having the marker at the end of a round costs beside the space that it takes (not
    /// positive); like those of the floor line they bring no score below 0.
    pub marker_points: i16,
    /// Points at the end for each complete row.
    pub row_bonus: i16,
    /// Points at the end for each complete column.
    pub column_bonus: i16,
    /// Points at the end for each color with all five tiles on the wall.
    pub color_bonus: i16,
    /// The round after whose wall-tiling the game ends in any case.
    pub last_round: u8,
    /// Points that each seat begins with; what is listed for seats that nobody sits at is ignored.
    pub handicap: [i16; MAX_PLAYERS],
}

impl AzulRules {
    /// The rules of the colored side; the other one's numbers are the same.
    pub(super) const USUAL: Self = AzulRules {
        wall: WallSide::Colored,
        factories: [5, 7, 9],
        floor: [-1, -1, -2, -2, -2, -3, -3],
        marker_spaces: 1,
        marker_points: 0,
        row_bonus: 2,
        column_bonus: 7,
        color_bonus: 10,
        last_round: 50,
        handicap: [0; MAX_PLAYERS],
    };
}

impl Default for AzulRules {
    fn default() -> Self {
        AzulRules::USUAL
    }
}

impl Rules for AzulRules {
    const OPTIONS: &'static [(&'static str, &'static str)] = &[
        ("colored", "the wall's side on which each color has its place in each row; the default"),
        ("gray", "the wall's other side: the player chooses the column, no color twice in a row or column"),
    ];

    fn from_options(options: &[&str]) -> Result<Self, SpecError> {
        let mut side = None;
        for &option in options {
            if !matches!(option, "colored" | "gray") {
                let known = "colored, gray, rules=FILE";
                return Err(SpecError::Option { game: "azul", option: excerpt(option), known });
            }
            choose("azul", &mut side, option)?;
        }
        let wall = if side == Some("gray") { WallSide::Gray } else { WallSide::Colored };
        Ok(AzulRules { wall, ..AzulRules::default() })
    }

    fn options(&self) -> String {
        if self.wall == WallSide::Gray { "gray".to_owned() } else { String::new() }
    }

    fn variants() -> Vec<Self> {
        [WallSide::Colored, WallSide::Gray].map(|wall| AzulRules { wall, ..AzulRules::default() }).into()
    }

    const KEYS: &'static [RuleKey] = &[
        RuleKey::table("factories", 1..=MAX_FACTORIES as i16),
        RuleKey::count("floor", -100..=0),
        RuleKey::table("marker_spaces", 0..=1),
        RuleKey::count("marker_points", -100..=0),
        RuleKey::count("row_bonus", 0..=100),
        RuleKey::count("column_bonus", 0..=100),
        RuleKey::count("color_bonus", 0..=100),
        RuleKey::count("last_round", 1..=50),
        RuleKey::count("handicap", 0..=100),
    ];

    fn numbers(&self) -> Changes {
        changes::numbers(self)
    }

    fn changes(&self) -> Changes {
        changes::between(&AzulRules::default(), self)
    }

    fn with_changes(&self, changes: &Changes) -> Result<Self, String> {
        Ok(AzulRules { wall: self.wall, ..changes::replaced(self, changes)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(changes: &str) -> Result<AzulRules, String> {
        AzulRules::from_options(&["gray"]).unwrap().with_changes(&serde_json::from_str(changes).unwrap())
    }

    #[test]
    fn numbers_are_replaced_and_told_again() {
        let text = r#"{"column_bonus":10,"floor":[-1,-1,-1,-1,-1,-1,-1]}"#;
        let rules = changed(text).unwrap();
        assert_eq!((rules.wall, rules.column_bonus, rules.row_bonus), (WallSide::Gray, 10, 2));
        assert_eq!((rules.floor, rules.options()), ([-1; FLOOR_SPACES], "gray".to_owned()));
        assert_eq!(serde_json::to_string(&rules.changes()).unwrap(), text);
        assert!(AzulRules::variants().iter().all(|rules| rules.changes().is_empty()));
    }

    #[test]
    fn wrong_numbers_are_refused_with_the_key() {
        let error = |text: &str| changed(text).unwrap_err();
        assert_eq!(error(r#"{"column_bonus":101}"#), "column_bonus: found 101, expected 0 to 100");
        assert_eq!(error(r#"{"factories":[5,7,10]}"#), "factories[2]: found 10, expected 1 to 9");
        assert!(error(r#"{"columns":1}"#).contains("columns"));
        assert!(error(r#"{"floor":[1]}"#).starts_with("floor"));
    }
}
