//! How a game is played, beside its points: what seats take first, how they go on, what they have built in the end.
//!
//! ```
//! use azulejo::azul::{Azul, AzulRules};
//! use azulejo::{Generator, Game, History, Move, Turn, intern};
//! use azulejo_experiments::game_habits::{GameHabits, HabitTally};
//!
//! let (mut rng, mut buffer) = (Generator::new(1), Vec::new());
//! let mut history = History::<Azul>::new(intern(AzulRules::default()), 2);
//! while history.state().turn() != Turn::Over {
//!     history.push(Move::draw(history.state(), &mut rng, &mut buffer))?;
//! }
//! let tally = HabitTally::of(&history);
//! let tiles = Azul::HABITS.iter().position(|habit| habit.name == "tiles a draft").unwrap();
//! assert!(tally.value(tiles, 0).unwrap() > 1.0);
//! # Ok::<(), azulejo::MoveError>(())
//! ```

mod azul;
mod queens_garden;
mod summer_pavilion;
#[cfg(test)]
mod tests;

use azulejo::{Game, History, PerPlayer, Ply, Seat};

/// Something that can be told of how a seat played a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Habit {
    /// What it is: `tiles a draft`.
    pub name: &'static str,
    /// How it is counted.
    pub kind: HabitKind,
}

/// How a habit is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HabitKind {
    /// The share of occasions on which something was so, each noted as 0 or 1; nothing is told of a game without an occasion.
    Share,
    /// The mean over occasions; nothing is told of a game without one.
    Mean,
    /// The sum over a game.
    Total,
}

/// A game that can tell how it is played. As it is provided, nothing is told.
pub trait GameHabits: Game {
    /// The habits in the order in which a table lists them.
    const HABITS: &'static [Habit] = &[];

    /// Notes what a move tells of the seats' habits.
    fn note(ply: &Ply<'_, Self>, tally: &mut HabitTally) {
        _ = (ply, tally);
    }
}

/// What a game told of its seats' habits so far.
#[derive(Clone, Debug, PartialEq)]
pub struct HabitTally {
    habits: &'static [Habit],
    /// For each habit the sum and the number of what was noted at each seat.
    noted: Vec<PerPlayer<(f64, u32)>>,
}

impl HabitTally {
    /// The tally of a game that begins.
    pub(crate) fn new<G: GameHabits>(start: &G) -> Self {
        let nothing = PerPlayer::splat(start.players(), (0.0, 0));
        HabitTally { habits: G::HABITS, noted: vec![nothing; G::HABITS.len()] }
    }

    /// The tally of a game so far.
    pub fn of<G: GameHabits>(history: &History<G>) -> Self {
        let mut tally = HabitTally::new(history.start());
        history.replay().for_each(|ply| G::note(&ply, &mut tally));
        tally
    }

    /// Notes a number of a habit, by its place among them.
    pub(crate) fn add(&mut self, seat: Seat, habit: usize, number: impl Into<f64>) {
        let (sum, count) = &mut self.noted[habit][seat];
        (*sum, *count) = (*sum + number.into(), *count + 1);
    }

    /// The habits.
    pub fn habits(&self) -> &'static [Habit] {
        self.habits
    }

    /// What a game tells of a habit of a seat.
    pub fn value(&self, habit: usize, seat: usize) -> Option<f64> {
        let (sum, count) = self.noted[habit][Seat::new(seat)];
        match self.habits[habit].kind {
            HabitKind::Total => Some(sum),
            HabitKind::Share | HabitKind::Mean => (count > 0).then(|| sum / f64::from(count)),
        }
    }
}

/// Lists habits and names their places: `habits! { FIRST = "first draft: tiles", Mean; … }`.
macro_rules! habits {
    ($($place:ident = $name:literal, $kind:ident;)+) => {
        #[allow(clippy::upper_case_acronyms, non_camel_case_types, reason = "the names of the list's places")]
        enum Place { $($place,)+ }
        $(const $place: usize = Place::$place as usize;)+
        const LIST: &[$crate::game_habits::Habit] = &[
            $($crate::game_habits::Habit { name: $name, kind: $crate::game_habits::HabitKind::$kind },)+
        ];
    };
}

use habits;

/// 1 where something is so, else 0.
fn yes(it: bool) -> f64 {
    f64::from(u8::from(it))
}
