//! Records that were cut off, edited or damaged.

use serde_json::{Value, json};

use super::*;
use crate::error::IllegalMove;
use crate::history::Move;
use crate::player::Seat;
use crate::seed::Generator;

/// The record of a random game of at most `limit` moves.
fn play<G: Game>(rules: &'static G::Rules, players: usize, limit: usize) -> Record {
    let (mut history, mut buffer) = (History::<G>::new(rules, players), Vec::new());
    let mut rng = Generator::new(5);
    while history.state().turn() != Turn::Over && history.plies() < limit {
        history.push(Move::draw(history.state(), &mut rng, &mut buffer)).unwrap();
    }
    let end = End::at(history.state());
    Record::new(&history, end, vec!["random".to_owned(); players], 42, 17)
}

/// A game of three of every variant, of at most `limit` moves.
fn played(limit: usize) -> Vec<Record> {
    let play_one = |spec| with_game!(spec, |rules: &'static G::Rules| play::<G>(rules, 3, limit));
    GameSpec::all().into_iter().map(play_one).collect()
}

/// A finished game of every variant.
fn finished() -> Vec<Record> {
    played(MOVE_LIMIT)
}

/// A game of every variant that was cut off after 40 moves.
fn cut_off() -> Vec<Record> {
    played(40)
}

/// Why the record is refused after this change.
fn refusal(record: &Record, change: impl FnOnce(&mut Record)) -> String {
    let mut changed = record.clone();
    change(&mut changed);
    changed.verify().expect_err("the record is faulty").to_string()
}

/// Why a line is refused that is the record's but for these keys; null removes a key.
fn line_refusal(record: &Record, changes: Value) -> String {
    let line = changed_line(record, changes);
    let read = Record::from_line(&line).and_then(|record| record.verify());
    read.expect_err("the line is faulty").to_string()
}

fn changed_line(record: &Record, changes: Value) -> String {
    let mut json: Value = serde_json::from_str(&record.to_line()).unwrap();
    for (key, value) in changes.as_object().unwrap() {
        json[key] = value.clone();
        if value.is_null() {
            json.as_object_mut().unwrap().remove(key);
        }
    }
    json.to_string()
}

#[test]
fn a_line_has_the_documented_keys_in_order() {
    let record = &finished()[0];
    let line = record.to_line();
    let places: Vec<usize> =
        ["format", "version", "game", "players", "agents", "seed", "index", "moves", "scores", "wins", "end"]
            .iter()
            .map(|key| line.find(&format!("\"{key}\":")).unwrap())
            .collect();
    assert!(places.is_sorted() && !line.contains("analysis") && !line.contains('\n'), "{line}");
    assert!(line.starts_with(r#"{"format":"azulejo-game","version":1,"game":"azul","players":3,"agents":["#));
    assert!(line.contains(r#""seed":42,"index":17,"#) && line.ends_with(r#","end":"finished"}"#));
}

#[test]
fn whole_games_and_games_cut_off_are_right() {
    for record in finished().into_iter().chain(cut_off()) {
        record.verify().unwrap();
        assert_eq!(Record::from_line(&record.to_line()).unwrap(), record);
        assert_eq!(Record::from_line(&format!("  {}\n", record.to_line())).unwrap(), record);
    }
}

#[test]
fn unknown_keys_are_ignored() {
    for record in finished() {
        let line = changed_line(&record, json!({"comment": "é", "nested": {"a": [1, 2]}}));
        assert_eq!(Record::from_line(&line).unwrap(), record);
    }
}

#[test]
fn other_formats_and_versions_are_named() {
    let record = &finished()[0];
    let message = line_refusal(record, json!({"version": 2}));
    assert_eq!(message, "found format 'azulejo-game' version 2, expected 'azulejo-game' version 1");
    // Even where the keys that this version needs are gone.
    assert_eq!(line_refusal(record, json!({"version": 2, "moves": null, "end": 7})), message);
    let message = line_refusal(record, json!({"format": "chess"}));
    assert_eq!(message, "found format 'chess' version 1, expected 'azulejo-game' version 1");
}

#[test]
fn lines_that_are_no_record_are_refused() {
    let line = finished()[0].to_line();
    let cut: String = line.chars().take(line.len() / 2).collect();
    for text in ["", " ", "{", "{}", "[]", "null", "3", "\"azulejo-game\"", "moves", &cut, &line[1..]] {
        let message = Record::from_line(text).unwrap_err().to_string();
        assert!(message.starts_with("not a game record: "), "{text}: {message}");
    }
    let twice = format!("{line} {line}");
    assert!(Record::from_line(&twice).is_err(), "two games on a line");
}

#[test]
fn every_key_is_needed_and_has_its_type() {
    let record = &finished()[0];
    for key in
        ["format", "version", "game", "players", "agents", "seed", "index", "moves", "scores", "wins", "end"]
    {
        let message = line_refusal(record, json!({ key: null }));
        assert!(message.contains(&format!("missing field `{key}`")), "{message}");
        let message = line_refusal(record, json!({key: {"a": 1}}));
        assert!(message.starts_with("not a game record: "), "{key}: {message}");
    }
    for (key, value) in [
        ("players", json!(-1)),
        ("players", json!(2.5)),
        ("seed", json!("42")),
        ("index", json!(-1)),
        ("moves", json!([1, 2])),
        ("scores", json!([40_000, 0, 0])),
        ("scores", json!([1.5, 0, 0])),
        ("wins", json!(["1", "0", "0"])),
        ("end", json!("x".repeat(10_000))),
        ("moves", json!("x\n".repeat(10_000))),
    ] {
        let message = line_refusal(record, json!({ key: value }));
        assert!(
            message.starts_with("not a game record: ") && message.chars().count() < 300,
            "{key}: {message}"
        );
    }
}

#[test]
fn the_game_and_the_players_have_to_exist() {
    for record in finished() {
        let message = refusal(&record, |record| record.game = "chess".to_owned());
        assert!(message.starts_with("unknown game 'chess'"), "{message}");
        for players in [0, 1, 5, usize::MAX] {
            let message = refusal(&record, |record| record.players = players);
            assert_eq!(message, format!("{players} players: the game seats 2, 3 or 4"));
        }
        assert_eq!(refusal(&record, |record| record.players = 2), "agents: found 3 entries, expected 2");
    }
}

#[test]
fn lists_have_one_entry_for_each_player_or_move() {
    for record in finished() {
        let short = |change: fn(&mut Record)| refusal(&record, change);
        assert_eq!(short(|r| _ = r.agents.pop()), "agents: found 2 entries, expected 3");
        assert_eq!(short(|r| r.scores.push(0)), "scores: found 4 entries, expected 3");
        assert_eq!(short(|r| r.wins.clear()), "wins: found 0 entries, expected 3");
        let analysis = short(|r| r.analysis = Some(vec![None; r.moves.len() + 1]));
        let moves = record.moves.len();
        assert_eq!(analysis, format!("analysis: found {} entries, expected {moves}", moves + 1));
    }
}

#[test]
fn moves_that_cannot_be_played_are_named_with_their_place() {
    for record in finished() {
        let message = refusal(&record, |record| record.moves[3] = "nonsense".to_owned());
        assert!(message.starts_with("illegal move nonsense at 3: 'nonsense' is not a"), "{message}");
        let message = refusal(&record, |record| record.moves[3] = "x".repeat(10_000));
        assert!(message.chars().count() < 300, "{message}");
        let message = refusal(&record, |record| _ = record.moves.remove(0));
        assert!(message.contains("at 0: "), "{message}");
        let first = record.moves[0].clone();
        let message = refusal(&record, |record| record.moves.insert(1, first));
        assert!(message.contains("at 1: "), "{message}");
        let message = refusal(&record, |record| record.moves.push(record.moves[1].clone()));
        assert!(message.ends_with(&format!("at {}: the game is over", record.moves.len())), "{message}");
    }
}

#[test]
fn a_legal_move_that_was_not_played_shows_later() {
    let record = &finished()[0];
    // The same tiles to the floor instead of a line: the rest of the game cannot come out the same.
    let ply = record.moves.iter().position(|token| token.len() == 3 && !token.ends_with('0')).unwrap();
    let floor = format!("{}0", &record.moves[ply][..2]);
    let message = refusal(record, |record| record.moves[ply] = floor);
    assert!(message.starts_with("illegal move") || message.contains("but the moves give"), "{message}");
}

#[test]
fn results_that_the_moves_do_not_give_are_refused() {
    for record in finished() {
        let scores = format!("{:?}", record.scores);
        let message = refusal(&record, |record| record.scores[1] += 1);
        assert!(message.starts_with("scores: recorded ["), "{message}");
        assert!(message.ends_with(&format!("], but the moves give {scores}")), "{message}");
        let message = refusal(&record, |record| record.wins[0] = 1.0 - record.wins[0] + 0.1);
        assert!(message.starts_with("wins: recorded ["), "{message}");
        assert!(refusal(&record, |record| record.wins[0] += 0.01).starts_with("wins: "));
        assert!(refusal(&record, |record| record.wins[0] = f64::NAN).starts_with("wins: "));
        // Other writers may round.
        let mut rounded = record.clone();
        rounded.wins[0] += 0.0004;
        rounded.verify().unwrap();
    }
}

#[test]
fn the_end_has_to_go_with_the_moves() {
    for record in finished() {
        let message = refusal(&record, |record| record.end = End::Truncated);
        assert_eq!(message, "end: recorded truncated, but the moves give a finished game");
        let message = refusal(&record, |record| record.end = End::Forfeit(Seat::new(0)));
        assert_eq!(message, "end: recorded forfeit:0, but the moves give a finished game");
        let message = refusal(&record, |record| _ = record.moves.pop());
        assert_eq!(message, "end: recorded finished, but the moves give a game that goes on");
    }
}

#[test]
fn a_truncated_game_is_won_by_the_points_so_far_without_tie_breaks() {
    for record in cut_off() {
        let scores = PerPlayer::from_fn(3, |seat| record.scores[seat.index()]);
        assert_eq!((record.end, record.wins.as_slice()), (End::Truncated, leaders(&scores).as_slice()));
        assert_eq!(record.moves.len(), 40);
    }
    // At the start all have the same points.
    let start = with_game!(GameSpec::all()[0], |rules: &'static G::Rules| play::<G>(rules, 4, 0));
    assert_eq!(start.wins, [0.25; 4]);
    start.verify().unwrap();
}

#[test]
fn a_forfeit_gives_that_seat_nothing_and_the_others_their_share() {
    for mut record in cut_off() {
        for loser in 0..3 {
            record.end = End::Forfeit(Seat::new(loser));
            let others: Vec<i16> =
                (0..3).filter(|&seat| seat != loser).map(|seat| record.scores[seat]).collect();
            let best = *others.iter().max().unwrap();
            let shared = others.iter().filter(|&&score| score == best).count() as f64;
            record.wins = (0..3)
                .map(|seat| if seat != loser && record.scores[seat] == best { 1.0 / shared } else { 0.0 })
                .collect();
            record.verify().unwrap();
            assert!(record.to_line().contains(&format!("\"end\":\"forfeit:{loser}\"")));
            assert!(refusal(&record, |record| record.wins[loser] += 0.5).starts_with("wins: "));
        }
        let message = refusal(&record, |record| record.end = End::Forfeit(Seat::new(3)));
        assert_eq!(message, "end: found forfeit:3 in a game of 3");
    }
}

#[test]
fn ends_read_as_they_are_written() {
    for text in ["finished", "truncated", "forfeit:0", "forfeit:3"] {
        assert_eq!(text.parse::<End>().unwrap().to_string(), text);
    }
    for text in ["", "Finished", "forfeit", "forfeit:", "forfeit:4", "forfeit:+1", "forfeit:01", "forfeit:-1"]
    {
        assert!(text.parse::<End>().unwrap_err().starts_with(&format!("'{text}' is no end")));
    }
}

#[test]
fn the_history_has_every_move_and_an_illegal_one_is_named() {
    fn check<G: Game>(rules: &'static G::Rules, mut record: Record) {
        let history = record.history::<G>(rules).unwrap();
        assert_eq!(history.state().turn(), Turn::Over);
        let (Record { end, agents, seed, index, .. }, moves) = (record.clone(), record.moves.len());
        assert_eq!(
            (history.plies(), Record::new(&history, end, agents, seed, index)),
            (moves, record.clone())
        );
        assert_eq!(record.verified_history::<G>(rules).unwrap(), history);
        record.scores[0] += 1;
        assert_eq!(record.history::<G>(rules).unwrap(), history, "the result is not looked at");
        assert!(record.verified_history::<G>(rules).is_err());
        record.moves[5] = "9W9".to_owned();
        let error = record.history::<G>(rules).unwrap_err();
        assert!(matches!(error, RecordError::Move(IllegalMove { ply: 5, .. })), "{error}");
        record.players = 7;
        assert!(matches!(record.history::<G>(rules), Err(RecordError::Spec(_))));
    }
    for (spec, record) in GameSpec::all().into_iter().zip(finished()) {
        with_game!(spec, |rules: &'static G::Rules| check::<G>(rules, record));
    }
}

#[test]
fn an_analysis_is_written_only_where_something_was_searched() {
    let mut history = History::<crate::azul::Azul>::new(crate::intern(crate::azul::AzulRules::default()), 2);
    history.push_tokens(["DBBYR/KKWW/BYRK/RRRR/BWWW", "1B2"]).unwrap();
    let record = Record::new(&history, End::Truncated, vec!["mcts".to_owned(); 2], 1, 0);
    assert_eq!(record.clone().with_analysis(vec![None, None]), record);
    let searched =
        Analysis { values: vec![0.5, 0.5], visits: vec![("1B2".to_owned(), 7)], ..Analysis::default() };
    let record = record.with_analysis(vec![None, Some(searched)]);
    let line = record.to_line();
    assert!(line.contains(r#""analysis":[null,{"values":[0.5,0.5],"visits":[["1B2",7]]}]"#), "{line}");
    let read = Record::from_line(&line).unwrap();
    read.verify().unwrap();
    assert_eq!(read, record);
}
