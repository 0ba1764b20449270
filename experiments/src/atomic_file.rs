//! Files that are never seen half written: what takes a file's place is written beside it and then moved there.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempPath};

/// What a file lasts through once it is in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Durability {
    /// The end of the program, however it comes; a power cut may leave what was there before, or nothing.
    Process,
    /// A power cut too: file and directory are on the disk.
    Disk,
}

/// How the names of files end that are not in their places yet; they begin with a dot.
const UNPLACED: &str = ".azulejo-part";

/// A file that is to take the place of another one, or a free one; without that it is removed when it is dropped.
#[derive(Debug)]
pub(crate) struct UnplacedFile {
    path: TempPath,
    target: PathBuf,
}

impl UnplacedFile {
    /// A new file in the directory of `target`, under a name that nothing else has, and a handle to write it by.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(crate) fn create(target: &Path) -> io::Result<(File, Self)> {
        let mut prefix = std::ffi::OsString::from(".");
        prefix.push(target.file_name().ok_or(io::ErrorKind::InvalidFilename)?);
        prefix.push(".");
        let mut builder = Builder::new();
        builder.prefix(&prefix).suffix(UNPLACED);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let (file, path) = builder.tempfile_in(directory_of(target))?.into_parts();
        Ok((file, UnplacedFile { path, target: target.to_owned() }))
    }

    /// Puts it in its place, whatever is there.
    ///
    /// # Errors
    /// If it cannot be moved.
    pub(crate) fn place(self) -> io::Result<()> {
        self.path.persist(&self.target).map_err(|error| error.error)
    }

    /// Puts it in its place if that is free.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if it is not, or what makes it impossible to move the file.
    pub(crate) fn place_new(self) -> io::Result<()> {
        self.path.persist_noclobber(&self.target).map_err(|error| error.error)
    }
}

/// Whether a file of this name was left by a program that ended before the file was in its place.
pub(crate) fn is_unplaced(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(UNPLACED)
}

/// Writes a file so that at every moment either the old or the new content is there.
///
/// # Errors
/// If it cannot be written; the old content stays then.
pub(crate) fn replace(path: &Path, content: impl AsRef<[u8]>, durability: Durability) -> io::Result<()> {
    let (mut file, unplaced) = UnplacedFile::create(path)?;
    file.write_all(content.as_ref())?;
    if durability == Durability::Disk {
        file.sync_all()?;
    }
    unplaced.place()?;
    if durability == Durability::Disk { sync_directory(directory_of(path)) } else { Ok(()) }
}

/// Gives a file another name in its directory; the name is on the disk afterwards.
///
/// # Errors
/// If it cannot be renamed.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    sync_directory(directory_of(to))
}

/// Sees to it that the names in a directory are on the disk.
///
/// # Errors
/// If the directory cannot be read, or the disk fails.
pub(crate) fn sync_directory(directory: &Path) -> io::Result<()> {
    // Elsewhere directories cannot be opened as files, and names are written with them.
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}

/// The directory that a file lies in.
pub(crate) fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn either_the_old_or_the_new_content_is_there() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("summary.json");
        for (content, durability) in [("old", Durability::Process), ("new", Durability::Disk)] {
            let before = fs::read_to_string(&path).ok();
            let (mut file, unplaced) = UnplacedFile::create(&path).unwrap();
            file.write_all(b"torn").unwrap();
            assert_eq!(fs::read_to_string(&path).ok(), before);
            let unfinished: Vec<String> =
                names(directory.path()).into_iter().filter(|name| is_unplaced(name)).collect();
            assert_eq!(unfinished.len(), 1);
            drop(unplaced);
            replace(&path, content, durability).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
            assert_eq!(names(directory.path()), ["summary.json"], "nothing else is left");
        }
    }

    #[test]
    fn a_file_that_must_be_new_takes_nobody_s_place() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("net.onnx");
        let new = |content: &[u8]| {
            let (mut file, unplaced) = UnplacedFile::create(&path).unwrap();
            file.write_all(content).unwrap();
            unplaced.place_new()
        };
        new(b"mine").unwrap();
        assert_eq!(new(b"other").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"mine");
        assert_eq!(names(directory.path()), ["net.onnx"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_may_be_read_by_those_who_may_read_any_other() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| directory.path().join(name));
        fs::write(&one, "").unwrap();
        replace(&other, "", Durability::Process).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&one), mode(&other));
    }
}
