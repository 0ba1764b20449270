//! The rules data of Azul's variants.

use super::FLOOR_SPACES;
use crate::error::{SpecError, excerpt};
use crate::game::Rules;

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AzulRules {
    /// Which side of the board is played.
    pub wall: WallSide,
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
            factories: [5, 7, 9],
            floor: [-1, -1, -2, -2, -2, -3, -3],
            row_bonus: 2,
            column_bonus: 7,
            color_bonus: 10,
            last_round: 50,
        }
    }
}

impl Rules for AzulRules {
    fn from_options(options: &[&str]) -> Result<Self, SpecError> {
        let mut rules = AzulRules::default();
        let mut chosen: Option<&str> = None;
        for &option in options {
            rules.wall = match option {
                "colored" => WallSide::Colored,
                "gray" => WallSide::Gray,
                _ => {
                    return Err(SpecError::Option {
                        game: "azul",
                        option: excerpt(option),
                        known: "colored, gray",
                    });
                }
            };
            if let Some(first) = chosen.filter(|&first| first != option) {
                return Err(SpecError::Conflict {
                    game: "azul",
                    first: first.to_owned(),
                    second: option.to_owned(),
                });
            }
            chosen = Some(option);
        }
        Ok(rules)
    }

    fn options(&self) -> String {
        match self.wall {
            WallSide::Colored => String::new(),
            WallSide::Gray => "gray".to_owned(),
        }
    }

    fn variants() -> Vec<Self> {
        [WallSide::Colored, WallSide::Gray].map(|wall| AzulRules { wall, ..AzulRules::default() }).into()
    }
}
