//! The abilities of games beyond their rules, and what stands in for those that a game does not have.
//!
//! Each crate has a macro `fill_in!` for the traits that are its own, so that a game begins with `impl Game`
//! and gains abilities one by one, each an impl of its own:
//!
//! | ability | trait | without it |
//! | --- | --- | --- |
//! | `keys` | [`Keyed`](crate::Keyed) | hashes of the state's text: right, but slow |
//! | `encoding` | [`Encode`](crate::Encode) | no features: networks refuse the game |
//! | `heuristic` | `Heuristic` (agents) | no ratings: agents that choose by them refuse the game |
//! | `value` | `StateValue` (agents) | the points so far |
//! | `endgame` | `Endgame` (agents) | solved by plain alpha-beta |
//! | `network` | `GameKnowledge` (agents) | no network comes with the agents |
//! | `sources` | `ScoreSources` (experiments) | all points are of one source |
//! | `habits` | `GameHabits` (experiments) | nothing is told of how it is played |
//! | `completion` | `CompletedTable` (experiments) | a table has to be told whole |
//! | `words` | `GameWords` (experiments) | moves in notation, no rules in short |
//! | `display` | `GameDisplay` (cli) | the state's text |

/// Expands to items unless an ability is listed: `unless_listed!(keys in [encoding value] { impl … })`.
#[macro_export]
macro_rules! unless_listed {
    (keys in [keys $($rest:ident)*] $items:tt) => {};
    (encoding in [encoding $($rest:ident)*] $items:tt) => {};
    (heuristic in [heuristic $($rest:ident)*] $items:tt) => {};
    (value in [value $($rest:ident)*] $items:tt) => {};
    (endgame in [endgame $($rest:ident)*] $items:tt) => {};
    (network in [network $($rest:ident)*] $items:tt) => {};
    (sources in [sources $($rest:ident)*] $items:tt) => {};
    (habits in [habits $($rest:ident)*] $items:tt) => {};
    (completion in [completion $($rest:ident)*] $items:tt) => {};
    (words in [words $($rest:ident)*] $items:tt) => {};
    (display in [display $($rest:ident)*] $items:tt) => {};
    ($ability:ident in [$other:ident $($rest:ident)*] $items:tt) => {
        $crate::unless_listed!($ability in [$($rest)*] $items);
    };
    ($ability:ident in [] { $($items:item)* }) => {
        $($items)*
    };
}

/// Implements the engine's traits that a game does not have itself, [`Keyed`](crate::Keyed) and
/// [`Encode`](crate::Encode); the abilities that it has are listed: `azulejo::fill_in!(MyGame: keys)`.
#[macro_export]
macro_rules! fill_in {
    ($game:ty: $($ability:ident)*) => {
        $crate::unless_listed!(keys in [$($ability)*] {
            impl $crate::Keyed for $game {}
        });
        $crate::unless_listed!(encoding in [$($ability)*] {
            impl $crate::Encode for $game {
                const FEATURES: usize = 0;
                const MAX_ACTIVE: usize = 0;
                const OUTPUTS: usize = <<$game as $crate::Game>::Action as $crate::Indexed>::COUNT;
                const PARTS: usize = Self::OUTPUTS;

                fn feature_names() -> Vec<String> {
                    Vec::new()
                }

                fn viewpoint(&self) -> $crate::Seat {
                    match $crate::Game::turn(self) {
                        $crate::Turn::Player(seat) => seat,
                        $crate::Turn::Chance | $crate::Turn::Over => $crate::Seat::new(0),
                    }
                }

                fn encode(&self, active: &mut Vec<u16>) {
                    active.clear();
                }

                fn output(&self, action: Self::Action) -> usize {
                    $crate::Indexed::index(action)
                }

                fn parts(output: usize) -> $crate::Parts {
                    $crate::Parts::one(output)
                }
            }
        });
    };
}

macro_rules! fill_in_all {
    ($($name:ident => $game:ty: $($ability:ident)*,)+) => {
        $(fill_in!($game: $($ability)*);)+
    };
}

for_each_game!(fill_in_all);
