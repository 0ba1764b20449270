use azulejo::azul::{Action, Azul};
use azulejo::queens_garden::QueensGarden;
use azulejo::summer_pavilion::SummerPavilion;
use azulejo::{Game, GameSpec, Generator, History, Rules, Turn, intern, with_game};

use crate::words::{GameWords, MistakeKind};

/// The kind by which a move differs from a better one after some moves of a game for two.
fn kind<G: GameWords>(moves: &[&str], played: &str, better: &str) -> String {
    let mut history = History::<G>::new(intern(G::Rules::from_options(&[]).unwrap()), 2);
    history.push_tokens(moves).unwrap();
    let read = |token: &str| match token.parse::<G::Action>() {
        Ok(action) if history.state().is_legal(action) => action,
        _ => panic!("{token} is not legal in\n{}", history.state()),
    };
    history.state().mistake_kind(read(played), read(better)).to_string()
}

const DEAL: &str = "DBBYR/KKWW/BYRK/RRRR/BWWW";

#[test]
fn azul_names_the_floor_before_the_marker_and_lines_before_colors() {
    let first = |played, better| kind::<Azul>(&[DEAL], played, better);
    assert_eq!(first("4R0", "4R4"), "tiles to the floor -> no tiles to the floor");
    assert_eq!(first("4R4", "4R3"), "no tiles to the floor -> tiles to the floor");
    assert_eq!(first("4R1", "4R2"), "more tiles to the floor -> fewer tiles to the floor");
    assert_eq!(first("1B3", "1B2"), "a line left open -> a line completed");
    assert_eq!(first("1B5", "1B4"), "a longer line -> a shorter line");
    assert_eq!(first("1B2", "2K2"), "one color -> another color for the same line");
    assert_eq!(first("3R2", "1R2"), "one source -> another source");
    assert_eq!(first("3R5", "4R5"), "fewer tiles of the color -> more tiles of the color");
    let center = |played, better| kind::<Azul>(&[DEAL, "1B2"], played, better);
    assert_eq!(center("0R5", "4R5"), "starting marker taken -> starting marker left");
    assert_eq!(center("4R5", "0Y1"), "starting marker left -> starting marker taken");
}

/// Plays at random until an action of each of two descriptions is legal, and returns the kind of the mistake between them.
fn found<G: GameWords>(
    seed: u64,
    played: impl Fn(&G, &str) -> bool,
    better: impl Fn(&G, &str) -> bool,
) -> MistakeKind {
    let (mut rng, mut legal) = (Generator::new(seed), Vec::new());
    for _ in 0..500 {
        let mut state = G::new(intern(G::Rules::from_options(&[]).unwrap()), 2);
        while state.turn() != Turn::Over {
            if matches!(state.turn(), Turn::Player(_)) {
                legal.clear();
                state.legal_actions(&mut legal);
                let find = |wanted: &dyn Fn(&G, &str) -> bool| {
                    legal.iter().copied().find(|action| wanted(&state, &action.to_string()))
                };
                if let (Some(played), Some(better)) = (find(&played), find(&better)) {
                    return state.mistake_kind(played, better);
                }
            }
            state.play_random(&mut rng, &mut Vec::new());
        }
    }
    panic!("no state has both actions")
}

#[test]
fn azul_names_the_end_of_the_game_first() {
    /// Whether a draft fills the line of a row that lacks one tile.
    fn ends(state: &Azul, token: &str) -> bool {
        let Turn::Player(seat) = state.turn() else { return false };
        let Ok(Action::Draft { source, color, line: line @ 1.. }) = token.parse() else { return false };
        let row = usize::from(line) - 1;
        let board = state.board(seat);
        let room = line - board.lines()[row].count;
        board.wall().row(row).count_ones() == 4 && state.source(source.into()).count(color.index()) >= room
    }
    let found = found::<Azul>(1, ends, |_, token| token.ends_with('0'));
    assert_eq!(found.to_string(), "a row completed: the game ends -> no row completed");
}

#[test]
fn summer_pavilion_names_wild_tiles_bonuses_and_passes() {
    let takes = |token: &str| token.len() == 2 && token.as_bytes()[0].is_ascii_digit();
    let wild = |state: &SummerPavilion, token: &str| {
        let source = usize::from(token.as_bytes()[0].wrapping_sub(b'0'));
        state.source(source).count(state.wild().index()) > 0
    };
    let kind = found::<SummerPavilion>(
        2,
        |state, token| takes(token) && !token.starts_with('0') && !wild(state, token),
        |state, token| takes(token) && !token.starts_with('0') && wild(state, token),
    );
    assert_eq!(kind.to_string(), "no wild tile taken -> a wild tile taken");
    let places = |token: &str| token.len() == 4 && token.as_bytes()[1].is_ascii_digit();
    let kind = found::<SummerPavilion>(2, |_, token| token == "pass", |_, token| places(token));
    assert_eq!(kind.to_string(), "passed -> a tile placed");
    let owed = |state: &SummerPavilion, token: &str| {
        let mut next = *state;
        places(token) && next.play_token(token).is_ok() && next.owed() > 0
    };
    let kind = found::<SummerPavilion>(
        2,
        |state, token| places(token) && !owed(state, token),
        |state, token| owed(state, token),
    );
    assert_eq!(kind.to_string(), "bonus missed -> bonus taken");
    let kind = found::<SummerPavilion>(2, |_, token| token == "done", |_, token| token.starts_with("keep"));
    assert_eq!(kind.to_string(), "tiles discarded -> tiles kept");
}

#[test]
fn queens_garden_tells_taking_from_placing_and_what_is_paid() {
    let begins = |start: &'static str| move |_: &QueensGarden, token: &str| token.starts_with(start);
    let told = |played, better| found::<QueensGarden>(3, begins(played), begins(better)).to_string();
    assert_eq!(told("acq:", "tile:"), "tiles taken -> a tile placed");
    assert_eq!(told("pass", "acq:"), "passed -> tiles taken");
    assert_eq!(told("buy:", "pass"), "an expansion bought -> passed");
    assert_eq!(told("joker", "pay:"), "paid with jokers -> paid with tiles");
    assert_eq!(told("drop:", "done"), "more discarded -> the rest kept");
    let tile = |value: char| {
        move |_: &QueensGarden, token: &str| token.starts_with("tile:") && token.ends_with(value)
    };
    let kind = found::<QueensGarden>(3, tile('3'), tile('1'));
    assert_eq!(kind.to_string(), "a dearer piece placed -> a cheaper piece placed");
}

/// Any two actions of a game differ in some respect, and the other way round it is the same respect.
fn check_pairs<G: GameWords>(rules: &'static G::Rules) {
    let (mut rng, mut legal) = (Generator::new(5), Vec::new());
    let mut state = G::new(rules, 2);
    while state.turn() != Turn::Over {
        if matches!(state.turn(), Turn::Player(_)) {
            legal.clear();
            state.legal_actions(&mut legal);
            let first = legal[0];
            for &other in &legal[1..] {
                let (there, back) = (state.mistake_kind(first, other), state.mistake_kind(other, first));
                assert_ne!(there, MistakeKind::ANY, "{first} and {other} in\n{state}");
                let one_another = there.played.starts_with("one ") || there.played == "paid with one color";
                let turned = MistakeKind { played: back.better, better: back.played };
                assert!(if one_another { there == back } else { there == turned }, "{there}, {back}");
            }
        }
        state.play_random(&mut rng, &mut Vec::new());
    }
}

#[test]
fn any_two_actions_differ_in_a_respect_that_is_the_same_both_ways() {
    for game in GameSpec::all() {
        with_game!(game, |rules: &'static G::Rules| check_pairs::<G>(rules));
    }
}
