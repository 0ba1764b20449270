//! What stands in for the score sources of a game that has none.

/// Implements [`ScoreSources`](crate::score_sources::ScoreSources) for a game that does not list it among its
/// abilities: `azulejo_experiments::fill_in!(MyGame: heuristic value)`.
#[macro_export]
macro_rules! fill_in {
    ($game:ty: $($ability:ident)*) => {
        azulejo::unless_listed!(sources in [$($ability)*] {
            impl $crate::score_sources::ScoreSources for $game {}
        });
    };
}

macro_rules! fill_in_all {
    ($($name:ident => $game:ty: $($ability:ident)*,)+) => {
        $(fill_in!($game: $($ability)*);)+
    };
}

azulejo::for_each_game!(fill_in_all);
