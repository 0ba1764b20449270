//! The rules data of Azul's variants.

use serde::{Deserialize, Serialize};

use super::{FLOOR_SPACES, MAX_FACTORIES};
use crate::error::{SpecError, excerpt};
use crate::game::Rules;
use crate::rules_file::{self, check, check_all};

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
/// All numbers can be replaced from a TOML file (option `rules=FILE`) whose keys are the names of these fields. A list
/// that the file gives replaces the whole list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AzulRules {
    /// Which side of the board is played.
    #[serde(skip)]
    pub wall: WallSide,
    /// The file that replaced some of the numbers, as it was named in the game spec.
    #[serde(skip)]
    pub file: Option<String>,
    /// Factories for 2, 3 and 4 players, at most [`MAX_FACTORIES`](super::MAX_FACTORIES).
    pub factories: [u8; 3],
    /// Points of the floor line's spaces from the left (negative).
    pub floor: [i16; FLOOR_SPACES],
    /// Points at the end for each complete row.
    pub row_bonus: i16,
    /// Points at the end for each complete column.
    pub column_bonus: i16,
    /// Points at the end for each color with all five tiles on the wall.
    pub color_bonus: i16,
    /// The round after whose wall-tiling the game ends in any case.
    pub last_round: u8,
}

impl Default for AzulRules {
    fn default() -> Self {
        AzulRules {
            wall: WallSide::Colored,
            file: None,
            factories: [5, 7, 9],
            floor: [-1, -1, -2, -2, -2, -3, -3],
            row_bonus: 2,
            column_bonus: 7,
            color_bonus: 10,
            last_round: 50,
        }
    }
}

impl AzulRules {
    /// These rules with everything that the TOML text gives in its place.
    ///
    /// # Errors
    /// What is wrong, with the key that it stands at.
    pub fn with_toml(&self, text: &str) -> Result<Self, String> {
        let rules =
            AzulRules { wall: self.wall, file: self.file.clone(), ..rules_file::replaced(self, text)? };
        check_all("factories", &rules.factories, 1..=MAX_FACTORIES as i16)?;
        check_all("floor", &rules.floor, -100..=0)?;
        check("row_bonus", rules.row_bonus, 0..=100)?;
        check("column_bonus", rules.column_bonus, 0..=100)?;
        check("color_bonus", rules.color_bonus, 0..=100)?;
        check("last_round", rules.last_round, 1..=50)?;
        Ok(rules)
    }
}

impl Rules for AzulRules {
    fn from_options(options: &[&str]) -> Result<Self, SpecError> {
        let (mut side, mut file) = (None, None);
        for &option in options {
            let chosen = match option {
                "colored" | "gray" => &mut side,
                _ if option.starts_with(rules_file::OPTION) => &mut file,
                _ => {
                    let known = "colored, gray, rules=FILE";
                    return Err(SpecError::Option { game: "azul", option: excerpt(option), known });
                }
            };
            if let Some(first) = chosen.replace(option).filter(|&first| first != option) {
                let (first, second) = (excerpt(first), excerpt(option));
                return Err(SpecError::Conflict { game: "azul", first, second });
            }
        }
        let wall = if side == Some("gray") { WallSide::Gray } else { WallSide::Colored };
        let rules = AzulRules { wall, ..AzulRules::default() };
        let Some(path) = file.and_then(|option| option.strip_prefix(rules_file::OPTION)) else {
            return Ok(rules);
        };
        let rules = rules_file::read("azul", path, |text| rules.with_toml(text))?;
        Ok(AzulRules { file: Some(path.to_owned()), ..rules })
    }

    fn options(&self) -> String {
        let side = (self.wall == WallSide::Gray).then(|| "gray".to_owned());
        let file = self.file.as_ref().map(|path| format!("{}{path}", rules_file::OPTION));
        side.into_iter().chain(file).collect::<Vec<String>>().join(",")
    }

    fn variants() -> Vec<Self> {
        [WallSide::Colored, WallSide::Gray].map(|wall| AzulRules { wall, ..AzulRules::default() }).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_replaces_what_it_names_and_prints_back_as_read() {
        let path = std::env::temp_dir().join(format!("azulejo-azul-rules-{}.toml", std::process::id()));
        std::fs::write(&path, "column_bonus = 10\nfloor = [-1, -1, -1, -1, -1, -1, -1]\n").unwrap();
        let option = format!("rules={}", path.display());
        let rules = AzulRules::from_options(&["gray", &option]);
        std::fs::remove_file(&path).unwrap();
        let rules = rules.unwrap();
        assert_eq!((rules.wall, rules.column_bonus, rules.row_bonus), (WallSide::Gray, 10, 2));
        assert_eq!((rules.floor, rules.options()), ([-1; FLOOR_SPACES], format!("gray,{option}")));
    }

    #[test]
    fn a_wrong_file_is_refused_with_the_key() {
        let error = |text: &str| AzulRules::default().with_toml(text).unwrap_err();
        assert_eq!(error("column_bonus = 101"), "column_bonus: found 101, expected 0 to 100");
        assert_eq!(error("factories = [5, 7, 10]"), "factories[2]: found 10, expected 1 to 9");
        assert!(error("columns = 1").contains("columns"));
        assert!(error("floor = [1]").starts_with("floor"));
        assert!(error("floor = ").starts_with("line 1: "));
    }
}
