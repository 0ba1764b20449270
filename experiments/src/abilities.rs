//! What stands in for the score sources and the words of a game that has none.

/// Implements [`ScoreSources`](crate::score_sources::ScoreSources), [`GameHabits`](crate::game_habits::GameHabits), [`CompletedTable`](crate::completion::CompletedTable) and
/// [`GameWords`](crate::words::GameWords) for a game that does not list them among its abilities: `azulejo_experiments::fill_in!(MyGame: heuristic value)`.
#[macro_export]
macro_rules! fill_in {
    ($game:ty: $($ability:ident)*) => {
        azulejo::unless_listed!(sources in [$($ability)*] {
            impl $crate::score_sources::ScoreSources for $game {}
        });
        azulejo::unless_listed!(habits in [$($ability)*] {
            impl $crate::game_habits::GameHabits for $game {}
        });
        azulejo::unless_listed!(completion in [$($ability)*] {
            impl $crate::completion::CompletedTable for $game {}
        });
        azulejo::unless_listed!(words in [$($ability)*] {
            impl $crate::words::GameWords for $game {}
        });
    };
}

macro_rules! fill_in_all {
    ($($name:ident => $game:ty: $($ability:ident)*,)+) => {
        $(fill_in!($game: $($ability)*);)+
    };
}

azulejo::for_each_game!(fill_in_all);
