//! Every command in the README and in `docs/` runs as it is written there, only with smaller numbers.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

/// What stands before a number that only says how long something takes, and the number for the test.
const EFFORTS: [(&str, u64); 9] = [
    ("--games ", 2),
    ("--steps ", 2),
    ("--check ", 1),
    ("--check-games ", 4),
    ("--slice ", 1),
    ("sims=", 4),
    ("nodes=", 20),
    ("time=", 1),
    ("cpu=", 1),
];

/// What is added where a command leaves its effort to the defaults; counting instructions has none to choose.
const UNSAID: [(&str, &str, u64); 9] = [
    ("azulejo play", "--hint mcts:sims=", 2),
    ("azulejo bench", "--slice ", 1),
    ("azulejo train", "--generations ", 0),
    ("azulejo tune", "--steps ", 1),
    ("azulejo tune", "--games ", 2),
    ("azulejo tune", "--check-games ", 4),
    ("azulejo balance", "--games ", 2),
    ("azulejo tournament", "--games ", 2),
    ("azulejo selfplay", "--games ", 2),
];

/// A command with little effort.
fn shortened(command: &str) -> String {
    let mut command = command.replace("cargo run --release -- ", "azulejo ");
    command = command.replace("cargo run --release --features torch -- ", "azulejo ");
    for (before, number) in EFFORTS {
        let mut parts = command.split(before);
        let first = parts.next().unwrap_or_default().to_owned();
        let mut known = Vec::new();
        command = parts.fold(first, |all, part| {
            let rest = part.trim_start_matches(|digit: char| digit.is_ascii_digit());
            let given = &part[..part.len() - rest.len()];
            if given.is_empty() {
                return all + before + part;
            }
            if !known.contains(&given) {
                known.push(given);
            }
            // Agents that differ only in their effort stay different.
            let place = known.iter().position(|it| *it == given).unwrap() as u64;
            let number = if before.ends_with('=') { number + place } else { number };
            all + before + &number.to_string() + rest
        });
    }
    for (start, option, number) in UNSAID {
        if command.starts_with(start) && !command.contains(option) && !command.contains("--instructions") {
            command = command.replacen(start, &format!("{start} {option}{number}"), 1);
        }
    }
    // It runs until somebody ends it.
    if command.starts_with("azulejo serve") {
        format!("timeout --preserve-status -s INT 2 {command}")
    } else {
        command
    }
}

/// The commands of a page's shell blocks: a line each, unless a backslash or an open quote goes on.
fn commands(page: &str) -> Vec<String> {
    let (mut commands, mut open, mut shell) = (Vec::new(), String::new(), false);
    for line in page.lines() {
        if line.starts_with("```") {
            shell = line == "```sh" && !shell;
            continue;
        }
        if !shell || line.trim().is_empty() {
            continue;
        }
        open += line.split("  # ").next().unwrap_or_default().trim_end();
        if open.ends_with('\\') {
            open.pop();
        } else if open.matches('\'').count() % 2 == 1 {
            open.push('\n');
        } else {
            commands.push(std::mem::take(&mut open));
        }
    }
    assert!(open.is_empty(), "an unfinished command: {open}");
    commands
}

/// Runs a page's commands one after the other in one folder, in which the project's files can be read.
fn run_page(page: &Path) -> usize {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("experiments")).unwrap();
    for shared in ["experiments/configs", "docs", "scripts"] {
        symlink(root.join(shared), folder.path().join(shared)).unwrap();
    }
    let programs = Path::new(env!("CARGO_BIN_EXE_azulejo")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let commands = commands(&fs::read_to_string(page).unwrap());
    for command in &commands {
        // This test is part of the first, and cannot run it; the second downloads half a gigabyte.
        if ["scripts/check", "scripts/setup-torch"].contains(&&**command) {
            assert!(root.join(command).exists());
            continue;
        }
        let short = shortened(command);
        let output = Command::new("sh")
            .args(["-c", &short])
            .current_dir(folder.path())
            .env("PATH", &path)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let valgrind_missing = short.contains("--instructions") && said.contains("valgrind");
        let torch_missing = command.contains("--features torch") && said.contains("is not in this build");
        let as_expected = output.status.success() || valgrind_missing || torch_missing;
        assert!(as_expected, "{}: `{short}`\n{said}", page.display());
    }
    assert_eq!(committed(root, &written(folder.path())), [""; 0], "{}: not in .gitignore", page.display());
    commands.len()
}

/// The files in a folder and those below it, by their paths from there.
fn written(folder: &Path) -> Vec<String> {
    let (mut files, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                open.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path().strip_prefix(folder).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    files
}

/// Those of the paths that git would take for new files of the project; none where there is no git to ask.
fn committed(root: &Path, paths: &[String]) -> Vec<String> {
    let mut git = Command::new("git");
    git.args(["check-ignore", "--no-index", "--stdin"]).current_dir(root);
    let Ok(mut asked) = git.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn() else {
        return Vec::new();
    };
    asked.stdin.take().unwrap().write_all(paths.join("\n").as_bytes()).unwrap();
    let answer = asked.wait_with_output().unwrap();
    if !matches!(answer.status.code(), Some(0 | 1)) {
        return Vec::new();
    }
    let ignored = String::from_utf8(answer.stdout).unwrap();
    paths.iter().filter(|path| !ignored.lines().any(|line| line == *path)).cloned().collect()
}

#[test]
fn every_command_in_the_documents_runs() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let pages = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = pages.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let run: usize = pages.chain([root.join("README.md")]).map(|page| run_page(&page)).sum();
    assert!(run > 15, "{run} commands");
}

#[test]
fn numbers_of_effort_are_shortened() {
    assert_eq!(
        shortened(
            "cargo run --release -- tournament --games 400 --seed 31 mcts:sims=800,c=2 minimax:time=100"
        ),
        "azulejo tournament --games 2 --seed 31 mcts:sims=4,c=2 minimax:time=1"
    );
    assert_eq!(commands("a\n```sh\nb 'c\nd'\ne \\\n  f\n```\ng\n```text\nh\n```\n"), ["b 'c\nd'", "e   f"]);
}
