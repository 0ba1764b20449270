use azulejo::azul::{Azul, AzulRules};
use azulejo::queens_garden::QueensGarden;
use azulejo::summer_pavilion::SummerPavilion;
use azulejo::{Game, Ply, Rules, Seat, Turn, intern};
use azulejo_agents::Playable;

use super::{ScoreBreakdown, ScoreSources, deducted};
use crate::following_agent::play;

/// After every move of random and greedy games the sources add up to the scores; returns the breakdowns of
/// all games.
fn check<G: Playable + ScoreSources>(games: u64) -> Vec<ScoreBreakdown> {
    let mut breakdowns = Vec::new();
    for rules in G::Rules::variants().into_iter().map(intern) {
        for players in 2..=4 {
            for (agent, seed) in
                ["random", "greedy"].into_iter().flat_map(|a| (0..games).map(move |s| (a, s)))
            {
                let history = play::<G>(rules, (agent, players, seed));
                let mut breakdown = ScoreBreakdown::new(history.start());
                for ply in history.replay() {
                    breakdown.follow(&ply);
                    assert_eq!(breakdown.totals(), ply.after.scores(), "{} in\n{}", ply.played, ply.before);
                }
                assert_eq!(ScoreBreakdown::of(&history), breakdown);
                breakdowns.push(breakdown);
            }
        }
    }
    breakdowns
}

/// Every source of the list has given or taken points somewhere.
fn assert_used(breakdowns: &[ScoreBreakdown], unused: &[&str]) {
    let names = breakdowns[0].rows().map(|(name, _)| name).enumerate();
    for (place, name) in names.filter(|(_, name)| !unused.contains(name)) {
        let used =
            |breakdown: &ScoreBreakdown| breakdown.points[place].as_slice().iter().any(|&points| points != 0);
        assert!(breakdowns.iter().any(used), "no game has points for {name}");
    }
}

#[test]
fn the_sources_add_up_to_the_scores_of_azul() {
    assert_used(&check::<Azul>(20), &[]);
}

#[test]
fn the_sources_add_up_to_the_scores_of_summer_pavilion() {
    assert_used(&check::<SummerPavilion>(10), &["all fours", "all fives", "all sixes"]);
}

#[test]
fn the_sources_add_up_to_the_scores_of_queens_garden() {
    assert_used(&check::<QueensGarden>(10), &[]);
}

/// After every move of a greedy game under changed rules the sources add up to the scores; returns the
/// breakdown of its end.
fn check_changed<G: Playable + ScoreSources>(spec: &str) -> ScoreBreakdown {
    let history = play::<G>(azulejo::rules_of::<G>(spec).unwrap(), ("greedy", 3, 1));
    let mut breakdown = ScoreBreakdown::new(history.start());
    for ply in history.replay() {
        breakdown.follow(&ply);
        assert_eq!(breakdown.totals(), ply.after.scores(), "{} in\n{}", ply.played, ply.before);
    }
    breakdown
}

#[test]
fn points_at_the_start_and_the_marker_s_are_booked() {
    let given = |breakdown: &ScoreBreakdown| {
        breakdown.rows().find(|row| row.0 == "start").unwrap().1.as_slice().to_vec()
    };
    let azul = r#"azul:rules={"handicap":[4,0,9,0],"marker_points":-3,"marker_spaces":0}"#;
    assert_eq!(given(&check_changed::<Azul>(azul)), [4, 0, 9]);
    let pavilion = r#"summer-pavilion:rules={"handicap":[4,0,9,0],"kept_penalty":0}"#;
    assert_eq!(given(&check_changed::<SummerPavilion>(pavilion)), [9, 5, 14]);
    let garden = r#"queens-garden:rules={"handicap":[4,0,9,0],"joker_points":3}"#;
    assert_eq!(given(&check_changed::<QueensGarden>(garden)), [19, 15, 24]);
}

#[test]
fn the_floor_of_azul_takes_what_lies_on_it() {
    let rules = intern(AzulRules::default());
    let mut checked = 0;
    for seed in 0..20 {
        let history = play::<Azul>(rules, ("greedy", 3, seed));
        let mut breakdown = ScoreBreakdown::new(history.start());
        for ply in history.replay() {
            let old = breakdown.clone();
            breakdown.follow(&ply);
            let Ply { before, after, .. } = ply;
            let round_ends = after.round() != before.round() || after.turn() == Turn::Over;
            // The mover's last tiles may fall on the floor too; the others' floors are known.
            let others = Seat::all(3).filter(|&seat| round_ends && before.turn() != Turn::Player(seat));
            for seat in others {
                let gained = |place: usize| breakdown.points[place][seat] - old.points[place][seat];
                let score = before.board(seat).score() + gained(0);
                let floor = before.board(seat).floor().points(rules);
                assert_eq!(gained(4), deducted(score, floor, 0), "{before}");
                checked += 1;
            }
        }
    }
    assert!(checked >= 200, "{checked} floors");
}

#[test]
fn a_final_wall_of_azul_is_counted_row_by_row() {
    let rules = intern(AzulRules::default());
    for seed in 0..20 {
        let history = play::<Azul>(rules, ("greedy", 2, seed));
        let breakdown = ScoreBreakdown::of(&history);
        for (seat, board) in history.state().boards().iter() {
            let wall = |row, column| board.wall().color_at(row, column).is_some();
            let rows = (0..5).filter(|&row| (0..5).all(|column| wall(row, column))).count() as i16;
            let columns = (0..5).filter(|&column| (0..5).all(|row| wall(row, column))).count() as i16;
            let row = |name: &str| breakdown.rows().find(|row| row.0 == name).unwrap().1[seat];
            assert_eq!((row("rows"), row("columns")), (2 * rows, 7 * columns));
        }
    }
}
