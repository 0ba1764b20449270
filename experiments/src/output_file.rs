//! Files that commands write where a person says: [`OutputFile`].

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use same_file::is_same_file;
use thiserror::Error;

use crate::atomic_file::UnplacedFile;

/// What becomes of a file that is in the place of an output already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and the output is refused.
    Kept,
    /// The output takes its place, as a person has asked for by `--force`.
    Replaced,
}

/// An output that would destroy something, or that cannot be written.
#[derive(Debug, Error)]
pub enum OutputError {
    /// Something is there.
    #[error("{}: the file exists; name a new one, or replace it by --force", .0.display())]
    Exists(PathBuf),
    /// It is what the command reads.
    #[error("{} is an input of this command, and is not overwritten", .0.display())]
    IsInput(PathBuf),
    /// What is there is a directory, a device or the like.
    #[error("{}: not a regular file", .0.display())]
    NotAFile(PathBuf),
    /// Writing failed.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What failed.
        cause: io::Error,
    },
}

/// A file that a command is about to write: a new one, or one that may be replaced, but none of its inputs.
#[derive(Clone, Debug)]
pub struct OutputFile {
    path: PathBuf,
    existing: Existing,
}

impl OutputFile {
    /// The output with this path. Commands ask for it before they begin to work.
    ///
    /// # Errors
    /// If it is one of the inputs, by whatever path or link, or exists and is to be kept.
    pub fn new<P: AsRef<Path>>(
        path: &Path,
        existing: Existing,
        inputs: impl IntoIterator<Item = P>,
    ) -> Result<Self, OutputError> {
        check_no_input(path, inputs)?;
        match (fs::symlink_metadata(path), existing) {
            (Ok(_), Existing::Kept) => Err(OutputError::Exists(path.to_owned())),
            // A link is replaced, not what it leads to.
            (Ok(found), Existing::Replaced) if !found.is_file() && !found.is_symlink() => {
                Err(OutputError::NotAFile(path.to_owned()))
            }
            _ => Ok(OutputFile { path: path.to_owned(), existing }),
        }
    }

    /// The file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the file; it is never seen half written.
    ///
    /// # Errors
    /// If it cannot be written, or was made by somebody else since and is to be kept.
    pub fn write(&self, content: impl AsRef<[u8]>) -> Result<(), OutputError> {
        let write = || {
            let (mut file, unplaced) = UnplacedFile::create(&self.path)?;
            file.write_all(content.as_ref())?;
            file.sync_all()?;
            match self.existing {
                Existing::Kept => unplaced.place_new(),
                Existing::Replaced => unplaced.place(),
            }
        };
        write().map_err(|cause| match cause.kind() {
            io::ErrorKind::AlreadyExists => OutputError::Exists(self.path.clone()),
            _ => OutputError::Io { path: self.path.clone(), cause },
        })
    }
}

/// Checks that a file is none of a command's inputs, by whatever path or link they are named.
///
/// # Errors
/// If it is one of them.
pub fn check_no_input<P: AsRef<Path>>(
    path: &Path,
    inputs: impl IntoIterator<Item = P>,
) -> Result<(), OutputError> {
    // What does not exist is no input.
    let is_it = |input: P| is_same_file(path, input).unwrap_or(false);
    if inputs.into_iter().any(is_it) { Err(OutputError::IsInput(path.to_owned())) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: [&str; 0] = [];

    #[test]
    fn what_exists_stays_unless_it_is_to_be_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows.safetensors");
        let output = |existing| OutputFile::new(&path, existing, NOTHING);
        let (first, late) = (output(Existing::Kept).unwrap(), output(Existing::Kept).unwrap());
        first.write("one").unwrap();
        let message = late.write("two").unwrap_err().to_string();
        assert!(message.ends_with("the file exists; name a new one, or replace it by --force"), "{message}");
        assert!(matches!(output(Existing::Kept), Err(OutputError::Exists(_))));
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        output(Existing::Replaced).unwrap().write("three").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "three");
        let at = |path: &Path| OutputFile::new(path, Existing::Replaced, NOTHING);
        assert!(matches!(at(directory.path()), Err(OutputError::NotAFile(_))));
    }

    #[test]
    fn an_input_is_never_an_output() {
        let directory = tempfile::tempdir().unwrap();
        let input = directory.path().join("net");
        fs::write(&input, "weights").unwrap();
        let mut names = vec![input.clone(), directory.path().join(".").join("net")];
        names.push(directory.path().join("..").join(directory.path().file_name().unwrap()).join("net"));
        let hard = directory.path().join("hard");
        fs::hard_link(&input, &hard).unwrap();
        names.push(hard);
        #[cfg(unix)]
        {
            let soft = directory.path().join("soft");
            std::os::unix::fs::symlink(&input, &soft).unwrap();
            names.push(soft);
        }
        for name in names {
            for existing in [Existing::Kept, Existing::Replaced] {
                let refused = OutputFile::new(&name, existing, [&input]);
                assert!(matches!(refused, Err(OutputError::IsInput(_))), "{}: {refused:?}", name.display());
            }
        }
        assert!(check_no_input(&directory.path().join("new"), [&input]).is_ok());
    }
}
