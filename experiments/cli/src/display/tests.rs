use azulejo::azul::Azul;
use azulejo::{Game, GameSpec, Generator, Seat, Turn, with_game};

use super::{BOARD_WIDTH, GameDisplay, Palette, draw, plain};

trait DisplayCheck {
    fn check<G: GameDisplay>(&self, state: &G);
}

/// Calls a check with every state of a random game of a variant and each number of players.
fn check_states<G: GameDisplay>(rules: &'static G::Rules, check: &impl DisplayCheck) {
    for players in G::PLAYERS {
        let (mut state, mut rng, mut buffer) =
            (G::new(rules, players), Generator::new(players as u64), vec![]);
        check.check(&state);
        while state.turn() != Turn::Over {
            state.play_random(&mut rng, &mut buffer);
            check.check(&state);
        }
    }
}

fn check_all(check: impl DisplayCheck) {
    for game in GameSpec::all() {
        with_game!(game, |rules: &'static G::Rules| check_states::<G>(rules, &check));
    }
}

struct Fits;

impl DisplayCheck for Fits {
    fn check<G: GameDisplay>(&self, state: &G) {
        for seat in Seat::all(state.players()) {
            for line in state.board_lines(seat) {
                assert!(line.width() <= BOARD_WIDTH, "{}", plain(&line));
            }
        }
        // 24 lines less header, evaluation, log, three rows of choices and the input.
        let height = if state.players() == 2 { 17 } else { usize::MAX };
        let lines = draw(state, &vec!["mcts:sims=100000,margin=0".to_owned(); 4], Seat::new(0), 80);
        assert!(lines.len() <= height, "{} lines\n{state}", lines.len());
        assert!(lines.iter().all(|line| line.width() <= 80), "{state}");
    }
}

#[test]
fn two_boards_fit_80_columns_and_leave_room_for_choices() {
    check_all(Fits);
}

#[test]
fn without_colors_the_same_letters_stand() {
    let mut state = Azul::new(azulejo::intern(Default::default()), 2);
    state.play_token("DBBYR/KKWW/BYRK/RRRR/BWWW").unwrap();
    state.play_token("2K3").unwrap();
    let lines = draw(&state, &["a".to_owned(), "b".to_owned()], Seat::new(0), 80);
    let bare = Palette::NoColors.paint(lines.clone());
    assert!(lines.iter().flat_map(|line| &line.spans).any(|span| span.style.bg.is_some()));
    assert!(bare.iter().flat_map(|line| &line.spans).all(|span| span.style.bg.or(span.style.fg).is_none()));
    assert_eq!(bare.iter().map(plain).collect::<Vec<_>>(), lines.iter().map(plain).collect::<Vec<_>>());
    let expected = "\
1:BBYR  2:      3:BYRK  4:RRRR  5:BWWW
0:WW*   bag 80   lid 0
seat 0 a: 0 points                       seat 1 b: 0 points
1              .  |  b  y  r  k  w       1              .  |  b  y  r  k  w
2           .  .  |  w  b  y  r  k       2           .  .  |  w  b  y  r  k
3        .  K  K  |  k  w  b  y  r       3        .  .  .  |  k  w  b  y  r
4     .  .  .  .  |  r  k  w  b  y       4     .  .  .  .  |  r  k  w  b  y
5  .  .  .  .  .  |  y  r  k  w  b       5  .  .  .  .  .  |  y  r  k  w  b
0 -1 -1 -2 -2 -2 -3 -3                   0 -1 -1 -2 -2 -2 -3 -3";
    assert_eq!(bare.iter().map(plain).collect::<Vec<_>>().join("\n"), expected);
}
