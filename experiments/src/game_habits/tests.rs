use azulejo::azul::Azul;
use azulejo::queens_garden::QueensGarden;
use azulejo::summer_pavilion::SummerPavilion;
use azulejo::{Game, History, Rules, Seat, Turn, intern};
use azulejo_agents::Playable;

use super::{GameHabits, HabitKind, HabitTally};
use crate::following_agent::play;
use crate::score_sources::{ScoreBreakdown, ScoreSources};

fn place<G: GameHabits>(name: &str) -> usize {
    G::HABITS.iter().position(|habit| habit.name == name).unwrap_or_else(|| panic!("no habit {name}"))
}

fn value<G: GameHabits>(history: &History<G>, name: &str, seat: usize) -> f64 {
    HabitTally::of(history).value(place::<G>(name), seat).unwrap()
}

/// In games of all variants every habit is told of, and shares are shares.
fn check<G: Playable + ScoreSources>() {
    let mut told = vec![false; G::HABITS.len()];
    for rules in G::Rules::variants().into_iter().map(intern) {
        for (players, agent) in [(2, "greedy"), (4, "random"), (3, "greedy")] {
            let tally = HabitTally::of(&play::<G>(rules, (agent, players, 3)));
            for (habit, about) in G::HABITS.iter().enumerate() {
                for found in (0..players).filter_map(|seat| tally.value(habit, seat)) {
                    let most = if about.kind == HabitKind::Share { 1.0 } else { 500.0 };
                    assert!((0.0..=most).contains(&found), "{}: {found}", about.name);
                    told[habit] |= found != 0.0;
                }
            }
        }
    }
    let never: Vec<&str> = G::HABITS.iter().zip(told).filter(|it| !it.1).map(|it| it.0.name).collect();
    assert!(never.is_empty(), "never noted: {never:?}");
}

#[test]
fn every_habit_is_noted_in_some_game() {
    check::<Azul>();
    check::<SummerPavilion>();
    check::<QueensGarden>();
}

#[test]
fn azul_counts_what_its_points_say() {
    for seed in 0..10 {
        let history = play::<Azul>(intern(Default::default()), ("greedy", 2, seed));
        let sources = ScoreBreakdown::of(&history);
        let points = |name: &str, seat| {
            f64::from(sources.rows().find(|row| row.0 == name).unwrap().1[Seat::new(seat)])
        };
        let mut markers = 0.0;
        for seat in 0..2 {
            assert_eq!(points("columns", seat), 7.0 * value(&history, "complete columns", seat));
            assert_eq!(points("rows", seat), 2.0 * value(&history, "complete rows", seat));
            assert!(points("tiles", seat) >= value(&history, "tiles on the wall", seat));
            markers += value(&history, "markers taken", seat);
        }
        assert_eq!(markers, f64::from(history.state().round()), "somebody takes it in every round");
    }
}

#[test]
fn an_opening_of_azul_is_read_from_its_moves() {
    let history = play::<Azul>(intern(Default::default()), ("greedy", 2, 1));
    let first = history.replay().find(|ply| ply.before.turn() == Turn::Player(Seat::new(0))).unwrap();
    let played = first.played.to_string();
    let line = value(&history, "first draft: length of the line", 0);
    assert_eq!(played[2..].parse::<f64>().unwrap(), line, "{played}");
    assert_eq!(value(&history, "first draft: from the center", 0), 0.0);
}

#[test]
fn stars_and_features_of_summer_pavilion_are_those_of_the_board() {
    for seed in 0..5 {
        let rules = intern(<SummerPavilion as Game>::Rules::variants().remove(0));
        let history = play::<SummerPavilion>(rules, ("greedy", 2, seed));
        for (seat, board) in history.state().boards().iter() {
            let seat = seat.index();
            let placed = value(&history, "tiles placed", seat);
            assert_eq!(placed, f64::from(board.filled().count_ones()));
            // A feature brings as many bonus tiles as its kind says, unless the supply is empty.
            let owed = value(&history, "pillars", seat)
                + 2.0 * value(&history, "statues", seat)
                + 3.0 * value(&history, "windows", seat);
            assert!(value(&history, "bonus tiles taken", seat) <= owed);
        }
    }
}

#[test]
fn jokers_that_nobody_wins_are_paid_or_left() {
    let none = r#"queens-garden:rules={"joker_awards":{"fountain":0,"statue":0,"bench":0,"pavilion":0}}"#;
    let rules = azulejo::rules_of::<QueensGarden>(none).unwrap();
    let mut paid = 0.0;
    for (agent, seed) in [("greedy", 1), ("random", 2), ("greedy", 3), ("random", 4)] {
        let history = play::<QueensGarden>(rules, (agent, 3, seed));
        for seat in 0..3 {
            let left = value(&history, "jokers at the end", seat);
            assert_eq!(value(&history, "jokers paid", seat), 3.0 - left, "{agent} {seed} {seat}");
            paid += 3.0 - left;
        }
        let first: f64 = (0..3).map(|seat| value(&history, "rounds passed first", seat)).sum();
        assert!((first - 1.0).abs() < 1e-9, "one seat passes first in each round: {first}");
    }
    assert!(paid > 0.0);
}
