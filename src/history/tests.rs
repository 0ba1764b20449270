use super::*;
use crate::testing::for_each_variant;

/// Calls the check for every registered game, with all of its variants and numbers of players.
fn for_each_game(check: impl Copy + Fn(&mut dyn Checked)) {
    macro_rules! check_games {
        ($($name:ident => $game:ty: $($ability:ident)*,)+) => {
            $(for_each_variant::<$game>(|rules, players| check(&mut RandomGame::<$game>::play(rules, players)));)+
        };
    }
    for_each_game!(check_games);
}

/// A random game, played beside its history by nothing but the engine.
struct RandomGame<G: Game> {
    history: History<G>,
    /// The start, then the state after each move.
    states: Vec<G>,
}

impl<G: Game> RandomGame<G> {
    fn play(rules: &'static G::Rules, players: usize) -> Self {
        let (mut rng, mut buffer) = (Generator::new(7), Vec::new());
        let mut state = G::new(rules, players);
        let (mut history, mut states) = (History::new(rules, players), vec![state]);
        while state.turn() != Turn::Over {
            let played = Move::draw(&state, &mut rng, &mut buffer);
            history.push(played).unwrap();
            match played {
                Move::Action(action) => state.apply(action),
                Move::Outcome(outcome) => state.apply_chance(&outcome),
            }
            states.push(state);
        }
        RandomGame { history, states }
    }
}

/// What holds for the history of any game.
trait Checked {
    fn replays(&mut self);
    fn undoes(&mut self);
    fn reads(&mut self);
    fn refuses(&mut self);
}

impl<G: Game> Checked for RandomGame<G> {
    fn replays(&mut self) {
        let RandomGame { history, states } = self;
        assert!(history.states().eq(states.iter().copied()));
        assert_eq!((history.start(), history.state()), (&states[0], &states[history.plies()]));
        let mut seen = 0;
        for (ply, Ply { before, played, after }) in history.replay().enumerate() {
            assert_eq!((before, played, after), (states[ply], &history.moves()[ply], states[ply + 1]));
            assert_eq!(matches!(played, Move::Outcome(_)), before.turn() == Turn::Chance);
            seen += 1;
        }
        assert_eq!(seen, history.plies());
        let half = seen / 2;
        assert_eq!(history.state_at(half), states[half]);
        let mut rest = History::from_state(states[half]);
        history.moves()[half..].iter().for_each(|played| rest.push(*played).unwrap());
        assert_eq!(rest.state(), history.state());
        assert!(!history.continues(&rest) && history.continues(history));
    }

    fn undoes(&mut self) {
        let RandomGame { history, states } = self;
        let whole = history.clone();
        for ply in (whole.plies().saturating_sub(20)..whole.plies()).rev() {
            assert_eq!(history.undo(), Some(whole.moves()[ply]));
            assert_eq!((history.plies(), history.state()), (ply, &states[ply]));
            assert!(whole.continues(history) && !history.continues(&whole));
        }
        whole.moves()[history.plies()..].iter().for_each(|played| history.push(*played).unwrap());
        assert_eq!(*history, whole);
        history.truncate(3);
        history.truncate(30);
        assert_eq!((history.plies(), history.state()), (3, &states[3]));
        history.truncate(0);
        assert_eq!((history.undo(), &*history), (None, &History::from_state(states[0])));
    }

    fn reads(&mut self) {
        let RandomGame { history, states } = self;
        let mut read = History::from_state(states[0]);
        let tokens = history.moves().iter().map(ToString::to_string);
        read.push_tokens(tokens).unwrap();
        assert_eq!(read, *history);
        let error = read.push_tokens(["more"]).unwrap_err();
        assert_eq!(error.to_string(), format!("illegal move more at {}: the game is over", read.plies()));
    }

    fn refuses(&mut self) {
        let RandomGame { history, .. } = self;
        let last = *history.moves().last().unwrap();
        assert_eq!(history.push(last), Err(MoveError::Over));
        // An outcome where a player is to move, an action at a chance node.
        for ply in [history.plies() / 3, history.plies() / 2, 0] {
            history.truncate(ply);
            let before = history.clone();
            let chance = history.state().turn() == Turn::Chance;
            let whole = RandomGame::<G>::play(history.start().rules(), history.start().players()).history;
            let other = |played: &&Move<G>| matches!(played, Move::Action(_)) == chance;
            let wrong = whole.moves().iter().find(other).unwrap();
            assert!(history.push(*wrong).is_err(), "{wrong}");
            assert!(history.push_token("nonsense").is_err());
            assert_eq!(*history, before);
        }
    }
}

#[test]
fn a_replay_passes_the_states_of_the_game() {
    for_each_game(|game| game.replays());
}

#[test]
fn what_is_taken_back_can_be_played_again() {
    for_each_game(|game| game.undoes());
}

#[test]
fn tokens_are_read_as_they_are_written() {
    for_each_game(|game| game.reads());
}

#[test]
fn a_refused_move_changes_nothing() {
    for_each_game(|game| game.refuses());
}
