//! What a machine adds to a run: `machine.toml`, which lies beside the manifest and decides nothing.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::thread;

use serde::{Deserialize, Serialize};

use crate::manifest::quoted;

/// The commit that the program was built from; `None` where the build did not know it.
pub const COMMIT: Option<&str> = option_env!("AZULEJO_COMMIT");

/// The file's name in a run's directory. A resumed run and a comparison of runs leave it out.
pub(crate) const FILE: &str = "machine.toml";

/// The starts of a run, as `machine.toml` lists them: the first one and one for each time it went on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Machine {
    /// The starts in order.
    #[serde(default)]
    pub invocation: Vec<Invocation>,
}

/// One start of the program for a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Invocation {
    /// The command as it was given.
    pub command: String,
    /// The program's version.
    pub version: String,
    /// The commit that the program was built from; `None` where the build did not know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The cores that the program may use; `None` where the system does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<usize>,
    /// The processes that were ready to run, on average over the minute before; `None` where the system does
    /// not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<f64>,
}

impl Invocation {
    /// The start that is happening now, by a command with these arguments after the program's name.
    pub fn now(arguments: impl IntoIterator<Item = OsString>) -> Self {
        let words = arguments.into_iter().map(|word| quoted(&word.to_string_lossy()));
        let words: Vec<String> = std::iter::once("azulejo".to_owned()).chain(words).collect();
        Invocation::by(words.join(" "))
    }

    /// The start that is happening now, by something else than the program's command line.
    pub fn by(command: String) -> Self {
        Invocation {
            command,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: COMMIT.map(str::to_owned),
            cores: thread::available_parallelism().ok().map(Into::into),
            load: load(),
        }
    }

    /// Adds this start to the file in a run's directory. What stands there already is not read.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&self, directory: &Path) -> io::Result<()> {
        let machine = Machine { invocation: vec![self.clone()] };
        let text = toml::to_string(&machine).expect("a start has only plain values");
        let mut file = File::options().create(true).append(true).open(directory.join(FILE))?;
        let gap = if file.metadata()?.len() > 0 { "\n" } else { "" };
        file.write_all((gap.to_owned() + &text).as_bytes())
    }
}

/// The system's load over the last minute.
fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_start_is_listed_and_unknown_things_are_left_out() {
        let directory = tempfile::tempdir().unwrap();
        let words = ["selfplay", "--out", "a b", "greedy"].map(OsString::from);
        let first = Invocation { commit: None, load: None, ..Invocation::now(words) };
        let second = Invocation { cores: None, load: Some(0.5), ..Invocation::now([]) };
        first.append(directory.path()).unwrap();
        second.append(directory.path()).unwrap();
        let text = fs::read_to_string(directory.path().join(FILE)).unwrap();
        assert_eq!(toml::from_str::<Machine>(&text).unwrap(), Machine { invocation: vec![first, second] });
        assert!(text.contains("command = \"azulejo selfplay --out 'a b' greedy\"\n"), "{text}");
        assert_eq!((text.matches("commit").count(), text.matches("load").count()), (0, 1), "{text}");
    }
}
