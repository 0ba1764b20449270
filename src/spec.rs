//! Game specs: the text that names a game and its variant, and the registry of games.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Mutex;

use crate::error::{SpecError, excerpt};
use crate::game::{Game, Rules};

/// Something that can be done with any game: generic code called from a [`GameSpec`] that is known at run time.
pub trait GameVisitor {
    /// What the visit gives.
    type Output;

    /// Called with the game that the spec names.
    fn visit<G: Game>(self, rules: &'static G::Rules) -> Self::Output;
}

/// The registry: calls a macro with all games that exist, for each its name in [`GameSpec`] and its state's type.
///
/// Crates that ask more of a game than [`Game`] use it to build a visitor of their own.
#[macro_export]
macro_rules! for_each_game {
    ($callback:ident) => {
        $callback! {
            Azul => $crate::azul::Azul,
            SummerPavilion => $crate::summer_pavilion::SummerPavilion,
            QueensGarden => $crate::queens_garden::QueensGarden,
        }
    };
}

/// Builds [`GameSpec`] from the registry.
macro_rules! game_specs {
    ($($name:ident => $game:ty,)+) => {
        /// A game and the variant's rules. `FromStr` and `Display` are the spec: `azul:gray`.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum GameSpec {
            $(
                #[doc = concat!("A variant of [`", stringify!($game), "`].")]
                $name(&'static <$game as Game>::Rules),
            )+
        }

        impl GameSpec {
            /// The ids of all games.
            pub const IDS: &'static [&'static str] = &[$(<$game as Game>::ID),+];

            /// The named variants of all games, the default variant of each game first.
            pub fn all() -> Vec<GameSpec> {
                let mut all = Vec::new();
                $(all.extend(<$game as Game>::Rules::variants().into_iter().map(|rules| GameSpec::$name(intern(rules))));)+
                all
            }

            /// Calls the visitor with the game's type and rules.
            pub fn visit<V: GameVisitor>(self, visitor: V) -> V::Output {
                match self {
                    $(GameSpec::$name(rules) => visitor.visit::<$game>(rules),)+
                }
            }

            fn from_parts(id: &str, options: &[&str]) -> Result<Self, SpecError> {
                $(if id == <$game as Game>::ID {
                    return Rules::from_options(options).map(|rules| GameSpec::$name(intern(rules)));
                })+
                Err(SpecError::Game { name: excerpt(id), known: Self::IDS.join(", ") })
            }
        }
    };
}

for_each_game!(game_specs);

impl FromStr for GameSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (id, options) = text.split_once(':').map_or((text, None), |(id, options)| (id, Some(options)));
        let options: Vec<&str> = options.map(|all| all.split(',').collect()).unwrap_or_default();
        GameSpec::from_parts(id, &options)
    }
}

impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.visit(PrintSpec))
    }
}

struct PrintSpec;

impl GameVisitor for PrintSpec {
    type Output = String;

    fn visit<G: Game>(self, rules: &'static G::Rules) -> String {
        spec_of::<G>(rules)
    }
}

/// The spec of a game with these rules: its id, and the options if there are any.
pub fn spec_of<G: Game>(rules: &G::Rules) -> String {
    let options = rules.options();
    if options.is_empty() { G::ID.to_owned() } else { format!("{}:{options}", G::ID) }
}

/// Checks a number of players from outside.
///
/// # Errors
/// If it is not 2, 3 or 4.
pub fn check_players(players: usize) -> Result<usize, SpecError> {
    if (2..=crate::player::MAX_PLAYERS).contains(&players) {
        Ok(players)
    } else {
        Err(SpecError::Players { players })
    }
}

/// The one place in memory that holds these rules for the life of the program.
///
/// States refer to their rules by reference; equal rules share one place, so memory grows with the number of
/// different rules ever used, not with the number of specs read.
pub fn intern<R: Rules>(rules: R) -> &'static R {
    static KNOWN: Mutex<Option<HashMap<TypeId, Vec<&'static (dyn Any + Send + Sync)>>>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let same_type = known.get_or_insert_default().entry(TypeId::of::<R>()).or_default();
    let found = same_type.iter().filter_map(|any| any.downcast_ref::<R>()).find(|&other| *other == rules);
    found.unwrap_or_else(|| {
        let leaked: &'static R = Box::leak(Box::new(rules));
        same_type.push(leaked);
        leaked
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_prints_and_parses_back() {
        for spec in GameSpec::all() {
            assert_eq!(spec.to_string().parse::<GameSpec>().unwrap(), spec);
        }
    }

    #[test]
    fn unknown_games_and_options_are_named() {
        let error = "azule".parse::<GameSpec>().unwrap_err().to_string();
        assert!(error.starts_with("unknown game 'azule'; known games: azul"), "{error}");
        let error = "azul:purple".parse::<GameSpec>().unwrap_err().to_string();
        assert_eq!(error, "unknown option 'purple' of azul; known options: colored, gray, rules=FILE");
        assert!("azul:".parse::<GameSpec>().is_err());
        assert!("azul:gray,colored".parse::<GameSpec>().is_err());
        assert_eq!(check_players(5).unwrap_err().to_string(), "5 players: the game seats 2, 3 or 4");
    }

    #[test]
    fn equal_rules_are_one() {
        let gray = || intern(crate::azul::AzulRules::from_options(&["gray"]).unwrap());
        let (first, second) = (gray(), gray());
        assert!(std::ptr::eq(first, second));
    }
}
