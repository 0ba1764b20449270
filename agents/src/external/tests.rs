//! Tests with engines that are small shell scripts.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Instant;

use azulejo::azul::{Azul, AzulRules};
use azulejo::{Generator, Rules, intern};

use super::*;
use crate::registry::AgentSpec;

/// A script that does as the protocol asks, but `special` first for each line.
fn script(special: &str) -> String {
    format!(
        "while read -r word rest; do case \"$word\" in {special} ugi) echo 'option name Seed type spin'; echo ugiok ;; \
         isready) echo readyok ;; quit) exit 0 ;; esac; done"
    )
}

/// An agent whose program is a shell script.
fn agent(script: &str, more: &str) -> Box<dyn Agent<Azul>> {
    let spec = format!("exec:cmd=sh -c {}{more}", shlex::try_quote(script).unwrap());
    let parsed: AgentSpec = spec.parse().unwrap();
    assert_eq!(parsed.to_string().parse::<AgentSpec>().unwrap(), parsed, "the spec prints and parses back");
    parsed.build().unwrap()
}

/// A new game after its first deal, which the agent observes.
fn dealt(agent: &mut dyn Agent<Azul>, seed: u64) -> Azul {
    let mut state = Azul::new(intern(AzulRules::default()), 2);
    let deal = state.sample_chance(&mut Generator::new(1));
    state.apply_chance(&deal);
    agent.new_game(seed);
    agent.observe(&Move::Outcome(deal));
    state
}

/// Why an agent does not choose at the start of a game, which must be found out in time.
fn fault(script: &str, more: &str) -> String {
    let mut agent = agent(script, more);
    let state = dealt(&mut *agent, 1);
    let begin = Instant::now();
    let error = agent.choose(&state, &Limits::default()).unwrap_err();
    assert!(begin.elapsed() < Duration::from_secs(8), "{error} after {:?}", begin.elapsed());
    error.to_string()
}

/// A short time for each kind of answer, and long ones for those that should come.
const START: &str = ",start=1500";
const TIME: &str = ",start=8000,time=100,margin=200";
const PATIENT: &str = ",start=8000,margin=8000";

#[test]
fn every_fault_has_a_clear_reason() {
    let special = |special: &str| script(special);
    let time = "no bestmove within 300 ms";
    for (script, more, expected) in [
        ("exit 3", PATIENT, "the engine ended: exit status: 3".to_owned()),
        ("echo oh dear >&2; exit 1", PATIENT, "the engine ended: exit status: 1; oh dear".to_owned()),
        ("exec sleep 60", START, "no ugiok within 1500 ms".to_owned()),
        ("exec >&-; sleep 60", PATIENT, "the engine ended: it closed its output".to_owned()),
        (&special("isready) ;;"), START, "no readyok within 1500 ms".to_owned()),
        (&special("go) sleep 60 ;;"), TIME, time.to_owned()),
        (&special("go) sh -c 'sleep 60 & wait' ;;"), TIME, time.to_owned()),
        (
            &special("go) echo my best move is 3 ;;"),
            TIME,
            format!("{time}, the last line was 'my best move is 3'"),
        ),
        (&special("go) while :; do echo info depth 1; done ;;"), TIME, time.to_owned()),
        (&special("go) echo bestmove ;;"), PATIENT, "illegal action : '' is not ".to_owned()),
        (&special("go) echo bestmove xyz ;;"), PATIENT, "illegal action xyz: 'xyz' is not ".to_owned()),
        (&special("go) echo bestmove CW5 ;;"), PATIENT, "illegal action CW5: ".to_owned()),
        (
            &special("go) echo lost it >&2; exit 7 ;;"),
            PATIENT,
            "the engine ended: exit status: 7; lost it".to_owned(),
        ),
        (&special("go) kill -9 $$ ;;"), PATIENT, "the engine ended: signal: 9".to_owned()),
        (
            &special("position) echo error what is that ;;"),
            PATIENT,
            "the engine refused: error what is that".to_owned(),
        ),
        (
            &special("setoption) echo error no options ;;"),
            PATIENT,
            "the engine refused: error no options".to_owned(),
        ),
        (&special("go) printf '\\377\\n' ;;"), PATIENT, "unreadable output: line is not UTF-8".to_owned()),
        (
            &special("go) head -c 3000000 /dev/zero | tr '\\0' x; sleep 60 ;;"),
            PATIENT,
            "unreadable output: line longer than 1048576 bytes".to_owned(),
        ),
    ] {
        let found = fault(script, more);
        assert!(found.starts_with(&expected), "{script}: found '{found}', expected '{expected}'");
    }
}

#[test]
fn a_program_that_cannot_be_started_is_refused_before_any_game() {
    let build = |spec: &str| spec.parse::<AgentSpec>().unwrap().build::<Azul>().err().unwrap().to_string();
    assert!(build("exec:cmd=/absent/engine -v").contains("expected a program that can be started"));
    assert!(build("exec").contains("parameter 'cmd': found '', expected a program"));
    assert!(build("exec:cmd=sh,options=Hash").contains("not 'Hash'"));
}

/// An engine that writes what it is told into a file, each line before it is acted on, and plays the
/// moves of another one.
fn logging(directory: &Path, moves: &str) -> String {
    let (log, list) = (directory.join("log"), directory.join("moves"));
    fs::write(&list, moves).unwrap();
    fs::write(&log, "started\n").unwrap();
    let special = "go) echo info depth 3; read -r move <&3; echo \"bestmove $move\" ;;";
    format!(
        "exec 3<{}; exec 2>>{}; while IFS= read -r line; do printf '%s\\n' \"$line\" >>{}; \
         printf '%s\\n' \"$line\"; done | {{ {}; }}",
        list.display(),
        log.display(),
        log.display(),
        script(special)
    )
}

#[test]
fn an_engine_is_told_game_seed_and_moves_and_is_used_again() {
    let directory = tempfile::tempdir().unwrap();
    let mut agent = agent(
        &logging(directory.path(), "1Y1\n1Y1\n1Y1\n"),
        ",options=Hash=16 'Style=a, b',nodes=7,time=900,cpu=500",
    );
    dealt(&mut *agent, 5);
    // Not the deal that was observed: the moves do not lead to the state.
    let deal = "DBBYR/KKWW/BYRK/RRRR/BWWW";
    let mut state = Azul::new(intern(AzulRules::default()), 2);
    state.play_token(deal).unwrap();
    let json = serde_json::to_string(&state).unwrap();
    let action = agent.choose(&state, &Limits::default()).unwrap().action;
    assert_eq!(action.to_string(), "1Y1");
    agent.new_game(6);
    agent.observe(&Move::Outcome(deal.parse().unwrap()));
    agent.choose(&state, &Limits::default()).unwrap();
    state.apply(action);
    agent.observe(&Move::Action(action));
    let limits = Limits { nodes: Some(3), ..Limits::default() };
    _ = agent.choose(&state, &limits);
    drop(agent);
    let log = fs::read_to_string(directory.path().join("log")).unwrap();
    let game = "setoption name Game value azul\nsetoption name Players value 2\n";
    let expected = format!(
        "started\nugi\nsetoption name Hash value 16\nsetoption name Style value a, b\nisready\n\
         {game}setoption name Seed value 5\nuginewgame\nisready\nposition state {json}\nisready\ngo nodes 7 movetime 900 cputime 500\n\
         {game}setoption name Seed value 6\nuginewgame\nisready\nposition startpos moves {deal}\nisready\n\
         go nodes 7 movetime 900 cputime 500\nposition startpos moves {deal} 1Y1\nisready\ngo nodes 3\n"
    );
    assert!(log.starts_with(&expected), "found\n{log}\nexpected\n{expected}");
}

#[test]
fn an_engine_is_told_changed_rules() {
    let directory = tempfile::tempdir().unwrap();
    let mut agent = agent(&logging(directory.path(), "1Y1\n"), "");
    let rules = AzulRules::from_options(&["gray"]).unwrap();
    let changes = serde_json::json!({"column_bonus": 10});
    let rules = intern(rules.with_changes(changes.as_object().unwrap()).unwrap());
    let mut state = Azul::new(rules, 2);
    state.play_token("DBBYR/KKWW/BYRK/RRRR/BWWW").unwrap();
    agent.new_game(1);
    agent.choose(&state, &Limits::default()).unwrap();
    drop(agent);
    let log = fs::read_to_string(directory.path().join("log")).unwrap();
    let told = "setoption name Game value azul:gray\nsetoption name Rules value {\"column_bonus\":10}\nsetoption name Players";
    assert!(log.contains(told), "{log}");
}

#[test]
fn a_crashed_engine_is_started_again_for_the_next_choice() {
    let directory = tempfile::tempdir().unwrap();
    let mark = directory.path().join("crashed");
    let special =
        format!("go) if [ -e {0} ]; then echo bestmove 9X9; else touch {0}; exit 1; fi ;;", mark.display());
    let mut agent = agent(&script(&special), "");
    let state = dealt(&mut *agent, 1);
    let mut why = || agent.choose(&state, &Limits::default()).unwrap_err().to_string();
    assert!(why().starts_with("the engine ended"));
    assert!(why().starts_with("illegal action 9X9"));
}

#[test]
fn a_search_stops_when_the_caller_asks() {
    let mut agent = agent(&script("go) read -r word rest; echo bestmove $word ;;"), "");
    let state = dealt(&mut *agent, 1);
    let stop = AtomicBool::new(false);
    let error = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(50));
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        agent.choose(&state, &Limits { stop: Some(&stop), ..Limits::default() }).unwrap_err()
    });
    assert!(error.to_string().starts_with("illegal action stop: "), "{error}");
}

/// The numbers of the processes that a script has written down, once there are so many.
fn pids(file: &Path, count: usize) -> Vec<String> {
    let deadline = Instant::now() + Duration::from_secs(5);
    loop {
        let text = fs::read_to_string(file).unwrap_or_default();
        let pids: Vec<String> = text.lines().map(str::to_owned).collect();
        if pids.len() == count {
            return pids;
        }
        assert!(Instant::now() < deadline, "{pids:?}");
        thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn no_process_outlives_its_agent() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("pids");
    let note = format!("echo $$ >>{0}; sh -c 'echo $$ >>{0}; exec sleep 60' &", file.display());
    // One that ends when it is asked to, one that does not, each with a child of its own.
    for rest in [script(""), "trap '' TERM; while :; do sleep 60; done".to_owned()] {
        _ = fs::remove_file(&file);
        let agent = agent(&format!("{note} {rest}"), "");
        let pids = pids(&file, 2);
        drop(agent);
        thread::sleep(Duration::from_millis(100));
        for pid in pids {
            let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            // A killed grandchild may wait for the system's first process to note its end.
            assert!(status.is_empty() || status.contains(") Z "), "{status}");
        }
    }
}
