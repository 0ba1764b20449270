//! External agents in runs: the program itself, and shell scripts that misbehave.
#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use azulejo::Record;
use azulejo::record::End;
use tempfile::tempdir;

use crate::{azulejo, fail, run, succeed, text};

/// The program's path.
const PROGRAM: &str = env!("CARGO_BIN_EXE_azulejo");

/// The records of a run with these arguments.
fn records(arguments: &[&str]) -> Vec<Record> {
    let directory = tempdir().unwrap();
    let out = directory.path().join("run");
    let output = run(&[arguments, &["--quiet", "--out", text(&out)]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let file = out.join("games.jsonl");
    succeed(&["replay", "--verify", text(&file)]);
    fs::read_to_string(file).unwrap().lines().map(|line| Record::from_line(line).unwrap()).collect()
}

#[test]
fn the_program_as_its_own_external_agent_plays_the_same_games() {
    for game in ["azul", "summer-pavilion", "queens-garden:variant"] {
        for (agent, players) in [("random", "2"), ("greedy", "3"), ("mcts:sims=50,rollout=none", "2")] {
            let games = if agent == "random" { "4" } else { "2" };
            let arguments =
                ["selfplay", "--game", game, "--players", players, "--games", games, "--threads", "2"];
            let external = format!("exec:cmd='{PROGRAM}' engine,options='Agent={agent}'");
            let of = |agent: &str| {
                let records = records(&[&arguments[..], &[agent]].concat());
                records
                    .into_iter()
                    .map(|record| (record.moves, record.scores, record.end))
                    .collect::<Vec<_>>()
            };
            assert!(of(agent) == of(&external), "{game}, {agent}");
        }
    }
}

/// A script that plays as the program does, except that every third game ends with `fault` at its second
/// choice.
fn faulty(directory: &Path, fault: &str) -> PathBuf {
    let path = directory.join("engine.sh");
    let script = format!(
        "#!/bin/sh\n# Commands pass through here to the program; answers go straight back.\n\
         games={0}/games; choices=0\n\
         while read -r line; do case \"$line\" in\n\
         uginewgame) echo game >>$games; choices=0 ;;\n\
         go*) choices=$((choices + 1)); if [ $choices = 2 ] && [ $(($(wc -l <$games) % 3)) = 0 ]; then {fault}; fi ;;\n\
         esac; echo \"$line\"; done | '{PROGRAM}' engine\n",
        directory.display()
    );
    fs::write(&path, script).unwrap();
    path
}

#[test]
fn a_tournament_goes_on_after_every_kind_of_fault() {
    for (fault, expected) in [
        ("echo broken >&2; kill -9 0", "the engine ended: signal: 9"),
        ("sleep 60", "no bestmove within 600 ms"),
        ("echo 'position startpos moves X'", "the engine refused: error illegal move X at 0"),
    ] {
        let directory = tempdir().unwrap();
        let script = faulty(directory.path(), fault);
        let agent = format!("exec:cmd=sh {},options=Agent=greedy,time=100,margin=500", script.display());
        let begin = Instant::now();
        let games = records(&["tournament", "--games", "6", "--threads", "1", &agent, "random"]);
        assert!(begin.elapsed() < Duration::from_secs(60));
        let (lost, played): (Vec<&Record>, Vec<&Record>) =
            games.iter().partition(|record| matches!(record.end, End::Forfeit(_)));
        assert_eq!((lost.len(), played.len()), (2, 4), "{fault}");
        for record in lost {
            let reason = record.reason.as_deref().unwrap_or_default();
            assert!(reason.starts_with(expected), "{fault}: found '{reason}', expected '{expected}'");
            let End::Forfeit(seat) = record.end else { unreachable!() };
            assert_eq!(record.agents[seat.index()], agent);
        }
        assert!(played.iter().all(|record| record.end == End::Finished && record.reason.is_none()));
    }
}

#[test]
fn a_program_is_called_as_it_calls_itself() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("run");
    let agents = [format!("exec:cmd='{PROGRAM}' engine,options=Agent=random"), "greedy".to_owned()];
    let own = concat!("azulejo-", env!("CARGO_PKG_VERSION"));
    let printed = succeed(&["tournament", "--games", "2", "--out", text(&out), &agents[0], &agents[1]]);
    assert!(printed.contains(own) && !printed.contains("exec:"), "{printed}");
    let lines = fs::read_to_string(out.join("games.jsonl")).unwrap();
    let record = Record::from_line(lines.lines().next().unwrap()).unwrap();
    assert_eq!(record.agents, agents, "the spec stays as it was given");
    assert_eq!(record.names, Some(vec![own.to_owned(), "greedy".to_owned()]));
    // Two programs that call themselves the same keep their specs.
    let both = [agents[0].clone(), format!("exec:cmd='{PROGRAM}' engine,options=Agent=greedy")];
    let games = records(&["tournament", "--games", "2", &both[0], &both[1]]);
    assert_eq!((&games[0].names, &games[0].agents[..]), (&None, &both[..]));
}

#[test]
fn faults_are_told_and_counted() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("run");
    let agent = "exec:cmd=sh -c 'exit 4'";
    let output = run(&["tournament", "--games", "4", "--out", text(&out), agent, "greedy"]);
    assert_eq!(output.status.code(), Some(3), "nothing is known of an agent that forfeits everything");
    let (table, log) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(log.contains("forfeits at ply 1: the engine ended: exit status: 4"), "{log}");
    assert!(log.lines().last().unwrap().ends_with("forfeited all of its 4 games"), "{log}");
    let report = fs::read_to_string(out.join("report.md")).unwrap();
    assert!(report.contains("exit 4' forfeited 4 of its 4 games."), "{report}");
    assert!(report.contains("Not everything repeats: exec:cmd="), "{report}");
    assert!(table.contains("4 forfeited") && table.contains("forfeited 4 of 4 games"), "{table}");
    let summary = fs::read_to_string(out.join("summary.json")).unwrap();
    assert!(summary.contains("\"forfeits\": 4"), "{summary}");
}

#[test]
fn a_program_that_does_not_exist_leaves_nothing_behind() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("run");
    let line = fail(&["selfplay", "--out", text(&out), "exec:cmd=/absent/engine"], 1);
    assert!(line.contains("'/absent/engine'") && line.contains("No such file"), "{line}");
    assert!(!out.exists());
}

#[test]
fn commands_without_a_use_for_an_external_agent_say_so() {
    let directory = tempdir().unwrap();
    let (out, tuned) = (directory.path().join("run"), directory.path().join("tune"));
    let started = directory.path().join("started");
    let agent = format!(
        "exec:cmd=sh -c \"touch '{}'; exec '{PROGRAM}' engine\",options=Agent=random",
        text(&started)
    );
    succeed(&["selfplay", "--games", "1", "--quiet", "--out", text(&out), &agent]);
    let file = out.join("games.jsonl");
    let line = fail(&["replay", "--analyze", &agent, text(&file)], 1);
    assert!(line.contains("chooses moves without values, so it cannot judge"), "{line}");
    fs::remove_file(&started).unwrap();
    let line = fail(&["tune", "--out", text(&tuned), &agent], 1);
    assert!(line.contains("has no weights to tune") && !tuned.exists(), "{line}");
    // A file that comes from elsewhere must not start programs.
    let line = fail(&["play", "--plain", "--load", text(&file)], 2);
    assert!(line.contains("is another program: name the agents"), "{line}");
    assert!(!started.exists(), "nothing was started");
    succeed(&["play", "--plain", "--load", text(&file), "greedy"]);
}

/// Whether a process with this word among its arguments runs.
#[cfg(target_os = "linux")]
fn runs(word: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let lines = processes.filter_map(|process| fs::read_to_string(process.path().join("cmdline")).ok());
    lines.into_iter().any(|line| line.split('\0').any(|argument| argument == word))
}

/// Waits until it holds, for at most a minute: on a machine that has much else to do, a second is soon over.
#[cfg(target_os = "linux")]
fn wait_until(mut holds: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !holds() {
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_the_engines_too() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("run");
    let word = format!("engine-of-{}", std::process::id());
    let agent = format!("exec:cmd=sh -c 'sleep 600; true' {word},start=600000");
    let mut child = azulejo(&["selfplay", "--quiet", "--threads", "1", "--out", text(&out), &agent])
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    assert!(wait_until(|| runs(&word)));
    // The first asks to end after the running game, the second at once.
    for _ in 0..2 {
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        std::thread::sleep(Duration::from_millis(300));
    }
    assert!(wait_until(|| child.try_wait().unwrap().is_some()), "the program ends");
    assert!(wait_until(|| !runs(&word)), "no engine is left");
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_to_the_engine_ends_the_agent_s_program_too() {
    let word = format!("agent-of-{}", std::process::id());
    let mut child = azulejo(&["engine"]).stdin(std::process::Stdio::piped()).spawn().unwrap();
    let setup = format!(
        "setoption name Agent value exec:cmd=sh -c 'sleep 600; true' {word},start=600000\n\
         position startpos moves DBBYR/KKWW/BYRK/RRRR/BWWW\ngo\n"
    );
    let mut input = child.stdin.take().unwrap();
    input.write_all(setup.as_bytes()).unwrap();
    assert!(wait_until(|| runs(&word)));
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    assert!(wait_until(|| child.try_wait().unwrap().is_some()), "the program ends");
    assert!(wait_until(|| !runs(&word)), "no engine is left");
}

/// Whether there is a Python to run the example with.
fn has_python() -> bool {
    Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The example bot that asks this program, as a command line.
fn bot() -> String {
    format!("python3 '{}/../../scripts/examples/bot.py' '{PROGRAM}'", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_example_bot_plays_and_passes_the_check() {
    if !has_python() {
        eprintln!("python3 is not here: the example bot is not tried");
        return;
    }
    for game in ["azul", "summer-pavilion", "queens-garden"] {
        let agent = format!("exec:cmd={},options=Seed=3,nodes=5", bot());
        let games = records(&["tournament", "--game", game, "--games", "2", "random", &agent]);
        assert!(games.iter().all(|record| record.end == End::Finished), "{:?}", games[0].reason);
    }
    let table = succeed(&["engine", "--check", &bot()]);
    assert!(!table.contains("FAIL") && !table.contains("not offered"), "{table}");
}

#[test]
fn the_program_passes_its_own_check() {
    let table = succeed(&["engine", "--check", &format!("'{PROGRAM}' engine")]);
    assert!(!table.contains("not offered"), "{table}");
    let passed = table.lines().filter(|line| line.ends_with("  pass")).count();
    assert_eq!(passed, 23 + 3 * azulejo::GameSpec::all().len(), "{table}");
}

#[test]
fn the_check_names_what_an_engine_does_wrong() {
    let check = |special: &str| {
        let script = format!(
            "while read -r word rest; do case \"$word\" in {special} ugi) echo id name mock; \
             echo option name Game type string; echo option name Players type spin; echo ugiok ;; \
             isready) echo readyok ;; quit) exit ;; setoption) case $rest in *no-such*) echo error ;; esac ;; \
             uginewgame) ;; position) ;; go) echo bestmove 1Y1 ;; *) echo error ;; esac; done"
        );
        let command = format!("sh -c {}", shlex_quoted(&script));
        let output = run(&["engine", "--wide", "--check", &command]);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), errors.lines().count()), (Some(1), 1), "{errors}");
        String::from_utf8(output.stdout).unwrap()
    };
    let line = |table: &str, name: &str| {
        table
            .lines()
            .find(|line| line.trim_start().starts_with(name))
            .unwrap_or_else(|| panic!("{name}: {table}"))
            .to_owned()
    };
    let table = check("");
    assert!(line(&table, "query legal").contains("not offered"), "{table}");
    assert!(line(&table, "go nodes").contains("pass"), "{table}");
    assert!(line(&table, "illegal move").contains("FAIL"), "{table}");
    assert!(line(&table, "azul, 2 players").contains("which is not legal"), "{table}");
    let mute = check("ugi) ;; isready) ;;");
    assert_eq!(mute.lines().count(), 1, "without a handshake nothing else is asked: {mute}");
    assert!(line(&mute, "handshake").contains("no ugiok within 10000 ms"), "{mute}");
    assert!(line(&check("sing) exit 5 ;;"), "unknown command").contains("exit status: 5"));
    assert!(line(&check("uginewgame) echo hello ;;"), "uginewgame").contains("'hello' to 'uginewgame'"));
    assert!(fail(&["engine", "--check", "/absent/engine"], 1).contains("cannot start '/absent/engine'"));
    assert!(fail(&["engine", "--check", "'open"], 2).contains("words as in a shell"));
}

/// An engine that plays Azul for two and refuses everything else when it is to think.
#[test]
fn what_is_refused_at_the_position_or_at_go_is_not_offered() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("engine.sh");
    for (refused, at) in [("position", "position"), ("go", "go")] {
        let script = format!(
            "while read -r word rest; do case \"$word $rest\" in \
             *'name Game value '*) game=${{rest##* }} ;; *'name Players value '*) players=${{rest##* }} ;; esac\n\
             case \"$word $game $players\" in '{refused} azul 2') ;; \
             '{refused} azul '*) echo 'error not for so many' >&9; [ {refused} = go ] && continue ;; esac\n\
             echo \"$word $rest\"; done | '{PROGRAM}' engine\n"
        );
        fs::write(&path, script).unwrap();
        let command = format!("sh -c 'exec 9>&1; . {}'", text(&path));
        let table =
            String::from_utf8(run(&["engine", "--check", &command, "--game", "azul"]).stdout).unwrap();
        let line = |name: &str| {
            table.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{table}"))
        };
        assert!(line("azul, 2 players").ends_with("pass"), "{at}: {table}");
        assert!(line("azul, 3 players").contains("not offered: error not for so many"), "{at}: {table}");
        assert!(
            line("azul:gray, 2 players").ends_with("pass") && !table.contains("summer-pavilion"),
            "{table}"
        );
    }
}

#[test]
fn time_and_errors_of_a_program_are_told() {
    let directory = tempdir().unwrap();
    let (out, log) = (directory.path().join("run"), directory.path().join("errors"));
    let script = format!("echo hello >&2; exec '{PROGRAM}' engine");
    let agent = format!(
        "exec:cmd=sh -c {},options=Agent=random,time=1,margin=60000,position=state,stderr={}",
        shlex_quoted(&script),
        text(&log)
    );
    succeed(&["tournament", "--games", "2", "--threads", "2", "--out", text(&out), &agent, "greedy"]);
    let errors = fs::read_to_string(&log).unwrap();
    assert!(errors.lines().count() >= 2 && errors.lines().all(|line| line.ends_with("] hello")), "{errors}");
    let summary = fs::read_to_string(out.join("summary.json")).unwrap();
    for key in ["\"mean_ms\": ", "\"longest_ms\": ", "\"overruns\": "] {
        assert_eq!(summary.matches(key).count(), 1, "only of the agent that time limits: {summary}");
    }
    let report = fs::read_to_string(out.join("report.md")).unwrap();
    assert!(report.contains("| over time |"), "{report}");
    // The records tell it, so that a run that goes on tells the same.
    fs::remove_file(out.join("summary.json")).unwrap();
    succeed(&["tournament", "--games", "2", "--resume", "--out", text(&out), &agent, "greedy"]);
    assert_eq!(fs::read_to_string(out.join("summary.json")).unwrap(), summary);
    let pipe = directory.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let line = fail(&["selfplay", &format!("exec:cmd=sh,stderr={}", text(&pipe))], 1);
    assert!(line.contains("expected a file that can be written: not a regular file"), "{line}");
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_that_an_engine_started_outlives_the_program() {
    let word = format!("daemon-of-{}", std::process::id());
    let script = format!("setsid sh -c 'sleep 600; true' {word} & exec '{PROGRAM}' engine");
    let directory = tempdir().unwrap();
    let path = directory.path().join("engine.sh");
    fs::write(&path, script).unwrap();
    let agent = format!("exec:cmd=sh {}", text(&path));
    // The program ends by itself.
    let out = directory.path().join("run");
    succeed(&["selfplay", "--games", "1", "--threads", "1", "--quiet", "--out", text(&out), &agent]);
    assert!(wait_until(|| !runs(&word)), "what has left the session is ended, too");
    // The program is killed.
    let hanging = format!("exec:cmd=sh -c 'sh {}; sleep 600' {word},start=600000", text(&path));
    let out = directory.path().join("other");
    let mut child =
        azulejo(&["selfplay", "--threads", "1", "--quiet", "--out", text(&out), &hanging]).spawn().unwrap();
    assert!(wait_until(|| runs(&word)));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(wait_until(|| !runs(&word)), "the supervisor ends the engine");
}

/// A process whose first thread has ended looks like one that has ended, and is still the parent of what it has started.
#[cfg(target_os = "linux")]
#[test]
fn what_a_program_has_started_is_ended_though_its_first_thread_has_ended() {
    if !has_python() {
        eprintln!("python3 is not here: no program ends its first thread alone");
        return;
    }
    let word = format!("child-of-{}", std::process::id());
    let script = format!(
        "import ctypes, platform, subprocess, threading, time\n\
         subprocess.Popen(['sh', '-c', 'sleep 600; true', '{word}'], start_new_session=True)\n\
         threading.Thread(target=time.sleep, args=(600,)).start()\n\
         exit_thread = {{'x86_64': 60, 'aarch64': 93}}[platform.machine()]\n\
         ctypes.CDLL(None).syscall(exit_thread, 0)\n"
    );
    let mut supervisor = Command::new(PROGRAM)
        .args(["supervise", "--", "python3", "-c", &script])
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    assert!(wait_until(|| runs(&word)));
    drop(supervisor.stdin.take());
    supervisor.wait().unwrap();
    assert!(wait_until(|| !runs(&word)), "its thread that still sleeps is ended, and the child with it");
}

/// A text as one word of a command line.
fn shlex_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
