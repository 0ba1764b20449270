//! Tests of the program as a user runs it: arguments, files, interruptions, the engine protocol.

// Clippy knows the functions below only as helpers, not as tests.
#![allow(clippy::unwrap_used)]

mod analyze;
mod arguments;
mod balance;
#[cfg(unix)]
mod cluster;
mod directories;
mod documents;
mod external;
mod kills;
mod limits;
mod protocol;
mod runs;
#[cfg(unix)]
mod serve;
mod solve;
#[cfg(unix)]
mod terminal;
mod width;

use std::path::Path;
use std::process::{Command, Output};

/// The program with arguments, not started yet.
fn azulejo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_azulejo"));
    command.args(arguments);
    command
}

/// Runs the program and waits for its end.
fn run(arguments: &[&str]) -> Output {
    azulejo(arguments).output().unwrap()
}

/// Runs the program, which must succeed, and returns what it printed.
fn succeed(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs the program, which must fail with this exit status and one line on the error output; returns that
/// line.
fn fail(arguments: &[&str], status: i32) -> String {
    let output = run(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {errors}");
    assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
    assert!(errors.starts_with("error: "), "{arguments:?}: {errors}");
    errors
}

/// A path as an argument.
fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
