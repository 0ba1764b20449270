//! What stands in for the display of a game that has none.

/// Implements [`GameDisplay`](crate::display::GameDisplay) for a game that does not list it among its
/// abilities: `azulejo_cli::fill_in!(MyGame: heuristic value)`.
#[macro_export]
macro_rules! fill_in {
    ($game:ty: $($ability:ident)*) => {
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
