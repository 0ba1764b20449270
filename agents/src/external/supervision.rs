//! A supervisor between this program and each engine: it ends the engine with everything that the engine has started, also
//! where this program is killed and can end nothing itself.
//!
//! The supervisor is another process of this program. It gets the engine's command, leaves its own input and output to the
//! engine, and watches its input, whose other end only this program holds: when that is closed, by whatever end, or when it is
//! told to terminate, it ends what it is the ancestor of.

use std::env;
use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// The words before the command of an engine.
static SUPERVISOR: OnceLock<Vec<String>> = OnceLock::new();

/// Lets all engines from now on be started by this command: a program with arguments, after which the engine's own command
/// stands. Without it they are started directly. Only the first call counts.
pub fn supervise_by(command: Vec<String>) {
    _ = SUPERVISOR.set(command);
}

/// Whether engines have a supervisor.
pub(super) fn is_supervised() -> bool {
    SUPERVISOR.get().is_some()
}

/// What is started for an engine with this command.
///
/// # Errors
/// If there is a supervisor, and no program for it to start.
///
/// # Panics
/// If the command is empty.
pub(super) fn supervised(command: &[String]) -> io::Result<Command> {
    let (program, arguments) = command.split_first().expect("a command names a program");
    let Some((supervisor, words)) = SUPERVISOR.get().and_then(|words| words.split_first()) else {
        let mut plain = Command::new(program);
        plain.args(arguments);
        return Ok(plain);
    };
    find(program)?;
    let mut supervised = Command::new(supervisor);
    supervised.args(words).args(command);
    Ok(supervised)
}

/// Looks for a program as the system does: nobody is told at once if the supervisor cannot start it.
fn find(program: &str) -> io::Result<()> {
    if program.contains('/') {
        return if is_executable(Path::new(program))? { Ok(()) } else { Err(forbidden()) };
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let mut error = io::Error::from(io::ErrorKind::NotFound);
    for directory in env::split_paths(&path) {
        match is_executable(&directory.join(program)) {
            Ok(true) => return Ok(()),
            Ok(false) => error = forbidden(),
            Err(_) => {}
        }
    }
    Err(error)
}

fn forbidden() -> io::Error {
    io::Error::from(io::ErrorKind::PermissionDenied)
}

#[cfg(unix)]
fn is_executable(path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;

    let about = path.metadata()?;
    Ok(about.is_file() && about.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> io::Result<bool> {
    path.metadata().map(|about| about.is_file())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_as_the_system_finds_them() {
        assert!(find("sh").is_ok() && find("/bin/sh").is_ok());
        let kind = |program: &str| find(program).unwrap_err().kind();
        assert_eq!(kind("no-such-program-at-all"), io::ErrorKind::NotFound);
        assert_eq!(kind("/no/such/program"), io::ErrorKind::NotFound);
        assert_eq!(
            (kind("/"), kind("/etc/passwd")),
            (io::ErrorKind::PermissionDenied, io::ErrorKind::PermissionDenied)
        );
        let plain = supervised(&["sh".to_owned(), "-c".to_owned()]).unwrap();
        assert_eq!((plain.get_program(), plain.get_args().count()), ("sh".as_ref(), 1));
    }
}
