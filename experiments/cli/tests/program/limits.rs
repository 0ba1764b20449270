//! Input without measure: the program refuses it with little memory. Sizes are some times what the program
//! may take.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;

use tempfile::tempdir;

use crate::{run, succeed, text};

/// The memory that the program may take, in MiB: addresses, of which much is never used, as the C library reserves 64 for each
/// thread, and twice that for a moment. Less than what comes in.
const MEMORY: u64 = 640;
/// The length of what comes in, in bytes.
const HUGE: u64 = 1 << 30;

/// The program with arguments, in bounded memory.
fn bounded(arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    let memory = (MEMORY * 1024).to_string();
    let limit = "ulimit -v \"$1\" || exit 9; shift; exec \"$@\"";
    command.args(["-c", limit, "sh", &memory, env!("CARGO_BIN_EXE_azulejo")]).args(arguments);
    command
}

/// The one line with which the program fails.
fn refused(arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = bounded(arguments).output().unwrap();
    let errors = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(1), "{arguments:?}: {errors}");
    assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
    assert!(stdout.len() < 10_000, "{arguments:?}");
    errors
}

/// The lines that an engine answers to all that `tell` writes.
fn engine(tell: impl FnOnce(&mut dyn Write) + Send + 'static) -> Vec<String> {
    let mut child = bounded(&["engine"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let writer = thread::spawn(move || tell(&mut input));
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap).collect();
    writer.join().unwrap();
    assert!(child.wait().unwrap().success());
    lines
}

/// A file that begins with as many zero bytes, which take no room on the disk.
fn sparse(path: &Path, length: u64) -> File {
    let mut file = File::create(path).unwrap();
    file.set_len(length).unwrap();
    io::Seek::seek(&mut file, io::SeekFrom::End(0)).unwrap();
    file
}

#[test]
fn a_huge_line_to_the_engine_is_one_error() {
    let lines = engine(|input| {
        io::copy(&mut io::repeat(b'x').take(HUGE), input).unwrap();
        input.write_all(b"\nisready\n").unwrap();
    });
    assert_eq!(lines, ["error line longer than 1048576 bytes", "readyok"]);
}

#[test]
fn json_of_many_small_parts_is_one_error() {
    for part in ["[],", "{\"\":0},", "\"\","] {
        let lines = engine(move |input| {
            let parts = part.repeat((1_000_000) / part.len());
            writeln!(input, "position state {{\"game\":[{parts}0]}}\nisready").unwrap();
        });
        assert_eq!(lines, ["error game: missing, expected a game's spec", "readyok"]);
    }
}

#[test]
fn what_comes_in_during_a_search_waits_outside() {
    let lines = engine(|input| {
        input.write_all(b"position startpos moves DBBYR/KKWW/BYRK/RRRR/BWWW\ngo movetime 1000\n").unwrap();
        let line = "x".repeat(1_000_000) + "\n";
        (0..600).for_each(|_| input.write_all(line.as_bytes()).unwrap());
    });
    assert!(lines[1].starts_with("bestmove "), "{}", lines[1]);
    assert_eq!(lines.iter().filter(|line| line.starts_with("error unknown command")).count(), 600);
}

#[test]
fn a_huge_line_in_a_record_file_is_one_bad_record() {
    let directory = tempdir().unwrap();
    let run_files = directory.path().join("run");
    succeed(&["selfplay", "--games", "1", "--quiet", "--out", text(&run_files), "random"]);
    let record = fs::read(run_files.join("games.jsonl")).unwrap();
    let path = directory.path().join("games.jsonl");
    let mut file = sparse(&path, HUGE - 100);
    file.write_all(b"\n").unwrap();
    file.write_all(&record).unwrap();
    let error = refused(&["replay", "--verify", text(&path)]);
    assert!(error.contains("1 of 2 records are bad; line 1: line longer than 16777216 bytes"), "{error}");
    for command in [&["replay"][..], &["play", "--load"]] {
        let error = refused(&[command, &[text(&path)]].concat());
        assert!(error.contains("line 1: line longer than 16777216 bytes"), "{error}");
    }
    sparse(&run_files.join("games.jsonl"), HUGE);
    let resume = ["selfplay", "--games", "1", "--quiet", "--resume", "--out", text(&run_files), "random"];
    let error = refused(&resume);
    assert!(error.contains("games.jsonl: line longer than 16777216 bytes"), "{error}");
}

#[test]
fn a_small_compressed_file_with_a_huge_text_is_refused() {
    for (part, expected) in [
        (b'0', "2 of 2 records are bad; line 1: line longer than 16777216 bytes"),
        (b'\n', "10000 of the first 10000 records are bad; line 1: "),
    ] {
        let directory = tempdir().unwrap();
        let arguments =
            ["selfplay", "--games", "1", "--compress", "--quiet", "--out", text(directory.path()), "random"];
        let path = directory.path().join("games.jsonl.zst");
        succeed(&arguments);
        let mut encoder = zstd::Encoder::new(File::create(&path).unwrap(), 1).unwrap();
        io::copy(&mut io::repeat(part).take(HUGE), &mut encoder).unwrap();
        encoder.finish().unwrap();
        assert!(fs::metadata(&path).unwrap().len() < HUGE / 5000);
        let error = refused(&["replay", "--verify", text(&path)]);
        assert!(error.contains(expected), "{error}");
        let error = refused(&[&arguments[..], &["--resume"]].concat());
        assert!(error.contains("a compressed frame holds more than 134217728 bytes"), "{error}");
    }
}

#[test]
fn huge_files_of_settings_are_refused() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("huge.toml");
    sparse(&path, HUGE);
    let weights = format!("greedy:weights={}", text(&path));
    let rules = format!("queens-garden:rules={}", text(&path));
    let out = directory.path().join("run");
    let out = text(&out);
    assert!(refused(&["selfplay", "--out", out, &weights]).contains("longer than 1048576 bytes"));
    assert!(refused(&["tournament", "--config", text(&path)]).contains("longer than 1048576 bytes"));
    let output = run(&["selfplay", "--out", out, "--game", &rules, "random"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("longer than 1048576 bytes"), "{error}");
    for parts in ["[],", "{},", "0,"] {
        fs::write(&path, format!("rows = [{}]", parts.repeat(1_000_000 / parts.len()))).unwrap();
        let error = refused(&["selfplay", "--out", out, &weights]);
        assert!(error.contains("line 1: ") && error.len() < 1000, "{error}");
    }
}

#[test]
fn a_record_opens_nothing_that_it_names() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("run");
    succeed(&["selfplay", "--games", "1", "--quiet", "--out", text(&out), "random"]);
    let record = fs::read_to_string(out.join("games.jsonl")).unwrap();
    let path = directory.path().join("game.jsonl");
    for agent in ["neural:net=/dev/zero", "neural:critic=/dev/zero", "greedy:weights=/dev/zero"] {
        fs::write(&path, record.replacen("\"random\"]", &format!("\"{agent}\"]"), 1)).unwrap();
        let line = crate::fail(&["play", "--plain", "--load", text(&path)], 2);
        assert!(line.contains("names a file by "), "{line}");
    }
    // Where the user names it, it is still no device that is read.
    let other = directory.path().join("other");
    for agent in ["neural:net=/dev/zero", "neural:critic=/dev/zero", "greedy:weights=/dev/zero"] {
        let error = refused(&["selfplay", "--out", text(&other), agent]);
        assert!(error.contains("not a regular file"), "{error}");
    }
    assert!(refused(&["export", "--onnx", text(&other), "/dev/zero"]).contains("not a regular file"));
    fs::remove_file(out.join("summary.json")).unwrap();
    assert!(Command::new("mkfifo").arg(out.join("summary.json")).status().unwrap().success());
    assert!(refused(&["report", text(&out)]).contains("summary.json: not a regular file"));
}

/// The exit status and the error output of the program where its output goes to a file.
fn into(path: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let file = || fs::OpenOptions::new().write(true).open(path).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_azulejo"))
        .args(arguments)
        .stdout(file())
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn an_output_that_takes_nothing_is_one_error() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("run");
    let full = ["games", "agents", "--help", "bench --filter random --game azul --players 2 --slice 1"];
    for arguments in full.map(|line| line.split(' ').collect::<Vec<_>>()) {
        let (status, error) = into("/dev/full", &arguments);
        assert_eq!((status, error.lines().count()), (Some(1), 1), "{arguments:?}: {error}");
        assert!(error.contains("cannot write the output: No space left"), "{error}");
    }
    let tournament = ["tournament", "--games", "2", "--out", text(&out), "random", "greedy"];
    assert_eq!(into("/dev/full", &tournament).0, Some(1));
    assert!(out.join("report.html").exists(), "what was played is there");
    assert_eq!(into("/dev/full", &["report", text(&out)]).0, Some(1));
    // Nobody is left to be told: neither a failure nor a panic.
    let quiet = |arguments: &[&str], status| {
        let errors = File::options().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_azulejo"));
        let found = command.args(arguments).stdout(Stdio::null()).stderr(errors).status().unwrap();
        assert_eq!(found.code(), Some(status), "{arguments:?}");
    };
    quiet(&["games", "--no-such-option"], 2);
    quiet(&["replay", "/no/such/file"], 1);
    let forfeits = directory.path().join("forfeits");
    quiet(&["selfplay", "--games", "2", "--out", text(&forfeits), "exec:cmd=false"], 3);
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_azulejo"))
        .args(["games", "--features", "queens-garden"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn threads_that_the_system_does_not_start_are_one_error() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("run");
    let error = refused(&["selfplay", "--games", "2", "--threads", "1024", "--out", text(&out), "random"]);
    assert!(error.contains("the system does not start 1024 threads: "), "{error}");
    assert!(!out.exists(), "nothing is left behind");
}

#[test]
fn a_program_that_prints_without_measure_forfeits() {
    for script in
        ["yes option name $(head -c 100000 /dev/zero | tr '\\0' x)", "cat /dev/zero", "yes", "yes >&2"]
    {
        let directory = tempdir().unwrap();
        let out = directory.path().join("run");
        let agent = format!("exec:cmd=sh -c \"{script}\",start=1000");
        let output = bounded(&["selfplay", "--games", "1", "--threads", "1", "--out", text(&out), &agent])
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{script}: {error}");
        assert!(error.contains("forfeits at ply 1: ") && error.len() < 1500, "{script}: {error}");
    }
}
