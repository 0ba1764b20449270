//! The directories and files that commands write where none is named: their names hold the time.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The directory of a run: the one that was named, or one of its own.
#[derive(Debug)]
pub(super) struct OutputDirectory {
    path: PathBuf,
    is_own: bool,
}

impl OutputDirectory {
    /// The named directory, or else a new one, `results/<kind>/<time>`, with a number after it if another run has taken
    /// that: it is made at once, so that no two runs get the same.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(super) fn named_or_new(named: Option<&Path>, kind: &str) -> io::Result<Self> {
        let Some(path) = named else {
            return Self::make(&["results", kind].iter().collect::<PathBuf>(), &time());
        };
        Ok(OutputDirectory { path: path.to_owned(), is_own: false })
    }

    fn make(parent: &Path, time: &str) -> io::Result<Self> {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", parent.display()));
        fs::create_dir_all(parent).map_err(named)?;
        let names =
            std::iter::once(time.to_owned()).chain((2..).map(|number: u64| format!("{time}-{number}")));
        for path in names.map(|name| parent.join(name)) {
            match fs::create_dir(&path) {
                Ok(()) => return Ok(OutputDirectory { path, is_own: true }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(named(error)),
            }
        }
        unreachable!("there is always another number")
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// A run that has written nothing, as an agent of it cannot be built, say, leaves nothing.
impl Drop for OutputDirectory {
    fn drop(&mut self) {
        if self.is_own {
            // Only an empty directory can be removed in this way.
            _ = fs::remove_dir(&self.path);
        }
    }
}

/// The present time as names of files have it.
pub(super) fn time() -> String {
    jiff::Zoned::now().strftime("%Y-%m-%dT%H-%M-%S").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_one_second_get_directories_of_their_own() {
        let parent = tempfile::tempdir().unwrap();
        let make = || OutputDirectory::make(parent.path(), "now").unwrap();
        let all: Vec<OutputDirectory> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(make)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let mut paths: Vec<&Path> = all.iter().map(OutputDirectory::path).collect();
        paths.sort();
        paths.dedup();
        assert_eq!(paths.len(), 8, "{paths:?}");
        fs::write(paths[0].join("games.jsonl"), "").unwrap();
        drop(all);
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1, "what is empty goes");
    }
}
