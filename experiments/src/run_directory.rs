//! A run's directory, which only those write into who hold it: [`RunDirectory`].

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use same_file::Handle;
use thiserror::Error;

use crate::atomic_file::{Durability, directory_of, is_unplaced, replace, sync_directory};

/// The file that is locked. The lock belongs to the process and ends with it, however that ends: what a kill
/// leaves is a file without a lock.
const LOCK: &str = ".azulejo-lock";

/// A directory that cannot be held.
#[derive(Debug, Error)]
pub enum RunDirectoryError {
    /// Somebody else holds it.
    #[error(
        "{} is in use: another process writes into it; wait until that has ended, or name another directory by --out",
        .0.display()
    )]
    InUse(PathBuf),
    /// The directory, or the lock in it, cannot be made.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The directory, or the file of the lock.
        path: PathBuf,
        /// What failed.
        cause: io::Error,
    },
}

/// Who else may hold a directory at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    /// Nobody.
    Exclusive,
    /// Others that hold it so, too.
    Shared,
}

/// The directory of a run, held by this process until it is dropped: nobody else reads or writes a run there.
///
/// The lock is advisory, as [`File::try_lock`] makes it (`flock` on Linux), on a file of its own in the directory, so
/// that it holds between the machines that share a network file system.
#[derive(Debug)]
pub struct RunDirectory {
    path: PathBuf,
    hold: Hold,
    /// The file is closed, and with that the lock given up, after it has been removed.
    _lock: File,
}

impl RunDirectory {
    /// Holds a directory, which is made if it does not exist, for a whole run: nobody else may hold it.
    ///
    /// # Errors
    /// If somebody holds it, or it cannot be made or locked.
    pub fn exclusive(path: &Path) -> Result<Self, RunDirectoryError> {
        RunDirectory::hold(path, Hold::Exclusive)
    }

    /// Holds a directory, which is made if it does not exist, for a part of a run: others may hold it for other parts.
    ///
    /// # Errors
    /// If somebody holds it for a whole run, or it cannot be made or locked.
    pub fn shared(path: &Path) -> Result<Self, RunDirectoryError> {
        RunDirectory::hold(path, Hold::Shared)
    }

    fn hold(path: &Path, hold: Hold) -> Result<Self, RunDirectoryError> {
        if !path.is_dir() {
            let made = fs::create_dir_all(path).and_then(|()| sync_directory(directory_of(path)));
            made.map_err(io_error(path))?;
        }
        let file = path.join(LOCK);
        loop {
            let opened = File::options().read(true).write(true).create(true).truncate(false).open(&file);
            let lock = opened.map_err(io_error(&file))?;
            let locked = match hold {
                Hold::Exclusive => lock.try_lock(),
                Hold::Shared => lock.try_lock_shared(),
            };
            match locked {
                Err(TryLockError::WouldBlock) => return Err(RunDirectoryError::InUse(path.to_owned())),
                Err(TryLockError::Error(cause)) => return Err(io_error(&file)(cause)),
                // Whoever held it before may have removed the file after it was opened here.
                Ok(()) if !is_at(&lock, &file).map_err(io_error(&file))? => {}
                Ok(()) => return Ok(RunDirectory { path: path.to_owned(), hold, _lock: lock }),
            }
        }
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether no run has begun here: there is nothing but what a program leaves that was killed before the file of
    /// settings with this name was in its place, and entries with the names of `parts`.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub fn is_unused(&self, settings: &str, parts: &[&str]) -> io::Result<bool> {
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            let name = entry.file_name();
            let leftover =
                name.to_str().is_some_and(|name| name == LOCK || is_unplaced(name) || parts.contains(&name));
            // Former versions wrote settings in their place.
            let empty = || name == settings && entry.metadata().is_ok_and(|file| file.len() == 0);
            if !leftover && !empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Writes a file of settings, which says that a run has begun: whole and on the disk, or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_settings(&self, name: &str, text: &str) -> io::Result<()> {
        replace(&self.path.join(name), text, Durability::Disk)
    }

    /// Removes files that a program has left which was killed before they were in their places, here and in the folders of `parts`.
    ///
    /// # Errors
    /// If a directory cannot be read or a file cannot be removed.
    pub fn remove_leftovers(&self, parts: &[&str]) -> io::Result<()> {
        remove_unplaced(&self.path)?;
        let parts = parts.iter().map(|part| self.path.join(part));
        parts.filter(|part| part.is_dir()).try_for_each(|part| remove_unplaced(&part))
    }
}

fn remove_unplaced(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(is_unplaced) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

impl Drop for RunDirectory {
    fn drop(&mut self) {
        if self.hold == Hold::Exclusive {
            // While the lock lasts: nobody else has it. A file that stays does no harm.
            _ = fs::remove_file(self.path.join(LOCK));
        }
    }
}

/// Whether an open file is the one with this path.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    match Handle::from_path(path) {
        Ok(there) => Ok(Handle::from_file(file.try_clone()?)? == there),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> RunDirectoryError {
    let path = path.to_owned();
    move |cause| RunDirectoryError::Io { path, cause }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn a_whole_run_shares_its_directory_with_nobody_and_parts_with_each_other() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a/b");
        let in_use = |held: Result<RunDirectory, RunDirectoryError>| {
            let message = held.unwrap_err().to_string();
            assert!(message.contains("a/b is in use: another process writes into it"), "{message}");
        };
        let whole = RunDirectory::exclusive(&path).unwrap();
        in_use(RunDirectory::exclusive(&path));
        in_use(RunDirectory::shared(&path));
        drop(whole);
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0, "nothing is left");
        let parts = [RunDirectory::shared(&path).unwrap(), RunDirectory::shared(&path).unwrap()];
        in_use(RunDirectory::exclusive(&path));
        drop(parts);
        drop(RunDirectory::exclusive(&path).unwrap());
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0, "nothing is left");
    }

    /// The file of the lock comes and goes all the time, and still there is one who holds it at most.
    #[test]
    fn nobody_holds_a_lock_that_was_removed() {
        let place = tempfile::tempdir().unwrap();
        let (holders, held) = (AtomicU64::new(0), AtomicU64::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..2000 {
                        let Ok(directory) = RunDirectory::exclusive(place.path()) else { continue };
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                        held.fetch_add(1, Ordering::SeqCst);
                        holders.fetch_sub(1, Ordering::SeqCst);
                        drop(directory);
                    }
                });
            }
        });
        assert!(held.load(Ordering::SeqCst) > 0, "somebody gets it when it is free");
    }

    #[test]
    fn what_a_killed_start_leaves_is_no_run() {
        let place = tempfile::tempdir().unwrap();
        let directory = RunDirectory::exclusive(place.path()).unwrap();
        let is_unused = || directory.is_unused("train.toml", &[]).unwrap();
        assert!(is_unused());
        fs::write(place.path().join(".train.toml.x1y2.azulejo-part"), "seed = ").unwrap();
        fs::write(place.path().join("train.toml"), "").unwrap();
        assert!(is_unused());
        fs::write(place.path().join(".hidden"), "").unwrap();
        assert!(!is_unused());
        fs::remove_file(place.path().join(".hidden")).unwrap();
        fs::write(place.path().join("train.toml"), "seed = 1\n").unwrap();
        assert!(!is_unused());
        directory.remove_leftovers(&[]).unwrap();
        drop(directory);
        let left: Vec<_> = fs::read_dir(place.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
        assert_eq!(left, ["train.toml"]);
    }
}
