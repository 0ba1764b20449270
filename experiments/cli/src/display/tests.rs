use azulejo::azul::Azul;
use azulejo::{Game, GameSpec, Generator, Seat, Turn, with_game};

use super::{BOARD_WIDTH, GameDisplay, Palette, Topic, draw, plain};

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

struct SpeaksOfEverything;

impl DisplayCheck for SpeaksOfEverything {
    fn check<G: GameDisplay>(&self, state: &G) {
        let mut legal = Vec::new();
        state.legal_actions(&mut legal);
        let mut words: Vec<String> = legal.iter().map(|action| state.action_in_words(*action)).collect();
        assert!(words.iter().all(|words| !words.is_empty() && words.len() <= 60), "{words:?}");
        let count = words.len();
        words.sort();
        words.dedup();
        assert_eq!(words.len(), count, "two actions have the same words in\n{state}");
        if state.turn() == Turn::Chance {
            let outcome = state.sample_chance(&mut Generator::new(1));
            assert!(!state.outcome_in_words(&outcome).is_empty());
        }
    }
}

#[test]
fn different_actions_have_different_words() {
    check_all(SpeaksOfEverything);
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

/// Everything that is told of a game fits into a window of 24 lines with a frame, and names the numbers in play.
fn guides<G: GameDisplay>(rules: &'static G::Rules) -> String {
    let state = G::new(rules, 2);
    let of = |topic| {
        let lines = state.guide(topic);
        assert!((4..=20).contains(&lines.len()), "{topic}: {} lines", lines.len());
        assert!(lines.iter().all(|line| line.chars().count() <= 78), "{topic}: {lines:#?}");
        lines.join("\n")
    };
    Topic::ALL.map(of).join("\n\n")
}

#[test]
fn every_game_explains_itself_by_the_rules_in_play() {
    let told = |game: &str| {
        let game: GameSpec = game.parse().unwrap();
        with_game!(game, |rules: &'static G::Rules| guides::<G>(rules))
    };
    for game in GameSpec::all() {
        told(&game.to_string());
    }
    assert!(told("azul").contains("7 for each complete column"));
    assert!(told(r#"azul:rules={"column_bonus":10}"#).contains("10 for each complete column"));
    assert!(told("azul:gray").contains("you choose the column") && !told("azul").contains("you choose"));
    assert!(told("summer-pavilion:wilds=RPGOYB").contains("R, P, G, O, Y, B"));
    assert!(told("queens-garden:variant").contains("of 5 3 more, of 6 6 more"));
    assert!(told(r#"queens-garden:rules={"expansion_price":4}"#).contains("expansion for 4 points"));
}
