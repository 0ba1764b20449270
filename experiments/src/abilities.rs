//! What stands in for the abilities of this crate that a game does not have.

/// Implements the traits of this crate that a game does not have itself,
/// [`ScoreSources`](crate::score_sources::ScoreSources) and [`GameDisplay`](crate::display::GameDisplay); the abilities
/// that it has are listed: `azulejo_experiments::fill_in!(MyGame: display)`.
#[macro_export]
macro_rules! fill_in {
    ($game:ty: $($ability:ident)*) => {
        azulejo::unless_listed!(sources in [$($ability)*] {
            impl $crate::score_sources::ScoreSources for $game {}
        });
        azulejo::unless_listed!(display in [$($ability)*] {
            impl $crate::display::GameDisplay for $game {}
        });
    };
}

macro_rules! fill_in_all {
    ($($name:ident => $game:ty: $($ability:ident)*,)+) => {
        $(fill_in!($game: $($ability)*);)+
    };
}

azulejo::for_each_game!(fill_in_all);
