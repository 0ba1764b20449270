//! The registry of games: a line a game, from which the type that names any of them is made, and
//! [`with_game!`], which calls generic code for the one that it names.

/// Declares games: a type for the spec of any of them, a macro that calls generic code for the game that a
/// spec names, and one that hands the list of games to another macro.
///
/// A line is the game's name in the type, the path of its state's type from the crate's root, and its
/// abilities beyond [`Game`](crate::Game); see [`fill_in!`](crate::fill_in). The type has to be found at the
/// crate's root, too. It begins with `$ crate,`, the tokens by which the declared macros find that crate.
/// `azulejo`'s own [`GameSpec`](crate::GameSpec), [`with_game!`](crate::with_game) and
/// [`for_each_game!`](crate::for_each_game) are declared by it.
#[macro_export]
macro_rules! game_registry {
    (
        $dollar:tt $here:tt,
        $(#[$about:meta])*
        pub enum $spec:ident;
        $(#[$about_with:meta])*
        macro $with_game:ident;
        $(#[$about_each:meta])*
        macro $for_each_game:ident;
        $($name:ident => $($path:ident)::+: $($ability:ident)*,)+
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum $spec {
            $(
                #[doc = concat!("A variant of ", $("::", stringify!($path),)+ ".")]
                $name(&'static <$here::$($path)::+ as $crate::Game>::Rules),
            )+
        }

        $(#[$about_with])*
        #[macro_export]
        macro_rules! $with_game {
            ($dollar spec:expr, |$dollar rules:ident: &'static $dollar game:ident::Rules| $dollar body:expr) => {
                match $dollar spec {
                    $(
                        $dollar $here::$spec::$name($dollar rules) => {
                            // What is called need not name the game's type.
                            #[allow(dead_code)]
                            type $dollar game = $dollar $here::$($path)::+;
                            $dollar body
                        }
                    )+
                }
            };
        }

        $(#[$about_each])*
        #[macro_export]
        macro_rules! $for_each_game {
            ($dollar callback:ident) => {
                $dollar callback! {
                    $($name => $dollar $here::$($path)::+: $($ability)*,)+
                }
            };
        }

        impl $spec {
            /// The ids of all games.
            pub const IDS: &'static [&'static str] = &[$(<$here::$($path)::+ as $crate::Game>::ID),+];

            /// The numbers of players that some game seats, from the fewest to the most.
            pub const PLAYERS: std::ops::RangeInclusive<usize> =
                $crate::widest(&[$(<$here::$($path)::+ as $crate::Game>::PLAYERS),+]);

            /// The named variants of all games, the default variant of each game first.
            pub fn all() -> Vec<Self> {
                let mut all = Vec::new();
                $(all.extend($crate::variants::<$here::$($path)::+>().map($spec::$name));)+
                all
            }

            /// The same variant with these numbers of its rules changed.
            ///
            /// # Errors
            /// A key or a value that the rules do not have, or too many different rules.
            pub fn with_changes(self, changes: &$crate::Changes) -> Result<Self, $crate::SpecError> {
                match self {
                    $($spec::$name(rules) => {
                        $crate::changed_rules::<$here::$($path)::+>(rules, changes).map($spec::$name)
                    })+
                }
            }

            /// The variant without changed numbers.
            pub fn variant(self) -> Self {
                let variant = match self {
                    $($spec::$name(rules) => $crate::variant_of::<$here::$($path)::+>(rules),)+
                };
                variant.parse().expect("variants print as they parse")
            }

            /// A number of players from outside, if the game seats so many.
            ///
            /// # Errors
            /// If it does not.
            pub fn check_players(self, players: usize) -> Result<usize, $crate::SpecError> {
                match self {
                    $($spec::$name(_) => $crate::check_players::<$here::$($path)::+>(players),)+
                }
            }
        }

        impl std::str::FromStr for $spec {
            type Err = $crate::SpecError;

            fn from_str(text: &str) -> Result<Self, $crate::SpecError> {
                $(if $crate::names::<$here::$($path)::+>(text) {
                    return $crate::rules_of::<$here::$($path)::+>(text).map($spec::$name);
                })+
                Err($crate::SpecError::unknown(text, Self::IDS))
            }
        }

        impl std::fmt::Display for $spec {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&match self {
                    $($spec::$name(rules) => $crate::spec_of::<$here::$($path)::+>(rules),)+
                })
            }
        }
    };
}

game_registry! {
    $ crate,
    /// A game and the variant's rules. `FromStr` and `Display` are the spec: `azul:gray`, and with changed
    /// numbers `azul:gray,rules={"column_bonus":10}`.
    ///
    /// Reading a spec opens no file. What specs from outside make the program hold for good is bounded
    /// ([`MOST_RULES`](crate::MOST_RULES)).
    pub enum GameSpec;
    /// Calls generic code for the game that a [`GameSpec`](crate::GameSpec) names:
    /// `with_game!(spec, |rules: &'static G::Rules| play::<G>(rules))`. In the body `G` (or whatever name is
    /// written there) is the type of the game's state and `rules` are the variant's.
    ///
    /// ```
    /// use azulejo::{Game, GameSpec, with_game};
    ///
    /// fn longest_list<G: Game>(_rules: &'static G::Rules) -> usize {
    ///     G::MAX_LEGAL
    /// }
    ///
    /// let game: GameSpec = "azul:gray".parse()?;
    /// let longest = with_game!(game, |rules: &'static G::Rules| longest_list::<G>(rules));
    /// assert!(longest >= 120);
    /// # Ok::<(), azulejo::SpecError>(())
    /// ```
    macro with_game;
    /// Calls a macro with all games, for each its name in [`GameSpec`](crate::GameSpec), its state's type and
    /// its abilities: `Azul => $crate::azul::Azul: keys encoding heuristic value endgame network sources habits completion words display,`.
    macro for_each_game;
    Azul => azul::Azul: keys encoding heuristic value endgame network sources habits completion words display,
    SummerPavilion => summer_pavilion::SummerPavilion: keys encoding heuristic value endgame network sources habits completion words display,
    QueensGarden => queens_garden::QueensGarden: keys encoding heuristic value endgame network sources habits completion words display,
}
