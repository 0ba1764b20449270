use azulejo::azul::{Azul, AzulRules};
use azulejo::queens_garden::QueensGarden;
use azulejo::summer_pavilion::SummerPavilion;
use azulejo::{Game, Generator, Rules, Seat, Turn, intern};
use azulejo_agents::{Limits, Move, Playable};

use super::{Ledger, PointSources, deducted};
use crate::thinker::{Line, Thinker};

/// Plays a game with an agent at all seats and gives each move with the states around it to `each`.
fn play<G: Playable>(
    rules: &'static G::Rules,
    (agent, players, seed): (&str, usize, u64),
    mut each: impl FnMut(&G, &Move<G>, &G),
) -> (G, G) {
    let start = G::new(rules, players);
    let mut thinker = Thinker::new(&agent.parse().unwrap(), seed).unwrap();
    let (mut rng, mut state) = (Generator::new(seed), start);
    let mut line = Line { start, moves: Vec::new() };
    while state.turn() != Turn::Over {
        let before = state;
        let played = match state.turn() {
            Turn::Chance => Move::Chance(state.sample_chance(&mut rng)),
            _ => Move::Action(thinker.think(&line, &state, &Limits::default()).unwrap().action),
        };
        played.play(&mut state);
        each(&before, &played, &state);
        line.moves.push(played);
    }
    (start, state)
}

/// After every move of random and greedy games the sources add up to the scores; gives the ledgers of all games.
fn check<G: Playable + PointSources>(games: u64) -> Vec<Ledger> {
    let mut ledgers = Vec::new();
    for rules in G::Rules::variants().into_iter().map(intern) {
        for players in 2..=4 {
            for (agent, seed) in
                ["random", "greedy"].into_iter().flat_map(|a| (0..games).map(move |s| (a, s)))
            {
                let mut ledger = Ledger::new(&G::new(rules, players));
                play::<G>(rules, (agent, players, seed), |before, played, after| {
                    ledger.follow(before, played, after);
                    assert_eq!(ledger.totals(), after.scores(), "{played} in\n{before}");
                });
                ledgers.push(ledger);
            }
        }
    }
    ledgers
}

/// Every source of the list has given or taken points somewhere.
fn assert_used(ledgers: &[Ledger], unused: &[&str]) {
    let names = ledgers[0].rows().map(|(name, _)| name).enumerate();
    for (place, name) in names.filter(|(_, name)| !unused.contains(name)) {
        let used = |ledger: &Ledger| ledger.points[place].as_slice().iter().any(|&points| points != 0);
        assert!(ledgers.iter().any(used), "no game has points for {name}");
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

#[test]
fn the_floor_of_azul_takes_what_lies_on_it() {
    let rules = intern(AzulRules::default());
    let mut checked = 0;
    for seed in 0..20 {
        let mut ledger = Ledger::new(&Azul::new(rules, 3));
        play::<Azul>(rules, ("greedy", 3, seed), |before, played, after| {
            let old = ledger.clone();
            ledger.follow(before, played, after);
            let round_ends = after.round() != before.round() || after.turn() == Turn::Over;
            // The mover's last tiles may fall on the floor too; the others' floors are known.
            let others = Seat::all(3).filter(|&seat| round_ends && before.turn() != Turn::Player(seat));
            for seat in others {
                let gained = |place: usize| ledger.points[place][seat] - old.points[place][seat];
                let score = before.board(seat).score() + gained(0);
                let floor = before.board(seat).floor().points(rules);
                assert_eq!(gained(4), deducted(score, floor, 0), "{before}");
                checked += 1;
            }
        });
    }
    assert!(checked >= 200, "{checked} floors");
}

#[test]
fn a_final_wall_of_azul_is_booked_row_by_row() {
    let rules = intern(AzulRules::default());
    for seed in 0..20 {
        let mut ledger = Ledger::new(&Azul::new(rules, 2));
        let (_, end) = play::<Azul>(rules, ("greedy", 2, seed), |before, played, after| {
            ledger.follow(before, played, after);
        });
        for (seat, board) in end.boards().iter() {
            let wall = |row, column| board.wall().color_at(row, column).is_some();
            let rows = (0..5).filter(|&row| (0..5).all(|column| wall(row, column))).count() as i16;
            let columns = (0..5).filter(|&column| (0..5).all(|row| wall(row, column))).count() as i16;
            let row = |name: &str| ledger.rows().find(|row| row.0 == name).unwrap().1[seat];
            assert_eq!((row("rows"), row("columns")), (2 * rows, 7 * columns));
        }
    }
}
