//! The files that may be read: those under a folder, by paths that stay in it. Links are not followed.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};

use azulejo::excerpt;
use hyper::StatusCode;

use crate::answer::CallError;

/// The most bytes of a path.
const MOST_PATH: usize = 1000;

/// The folder whose files may be read.
#[derive(Clone, Debug)]
pub(crate) struct Root(PathBuf);

impl Root {
    /// This folder, which need not be there.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Root(folder)
    }

    /// The folder itself.
    pub(crate) fn folder(&self) -> &Path {
        &self.0
    }

    /// The file or folder at a path below the folder, which is there.
    ///
    /// # Errors
    /// If the path leads elsewhere, is a link or goes through one, or nothing is there.
    pub(crate) fn find(&self, path: &str) -> Result<PathBuf, CallError> {
        let shown = excerpt(path);
        let plain = |part: &Component<'_>| matches!(part, Component::Normal(_));
        let odd = path.len() > MOST_PATH || path.contains(['\0', '\\']) || path.is_empty();
        if odd || !Path::new(path).components().all(|part| plain(&part)) {
            let problem = format!("path: found '{shown}', expected one below the root");
            return Err(CallError::bad(problem));
        }
        let mut found = self.0.clone();
        for part in Path::new(path).components() {
            found.push(part);
            let about = fs::symlink_metadata(&found);
            if about.map_err(|error| unreadable(&shown, &error))?.is_symlink() {
                let problem = format!("path: '{shown}' goes through a link, which is not followed");
                return Err(CallError::new(StatusCode::FORBIDDEN, problem));
            }
        }
        Ok(found)
    }

    /// The path below the folder of something that was found there.
    pub(crate) fn path_of(&self, found: &Path) -> String {
        let below = found.strip_prefix(&self.0).unwrap_or(found);
        below.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
    }
}

/// The error for a path where nothing can be read.
pub(crate) fn unreadable(shown: &str, error: &io::Error) -> CallError {
    let status = match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => StatusCode::NOT_FOUND,
        _ => StatusCode::FORBIDDEN,
    };
    CallError::new(status, format!("path: '{shown}' cannot be read: {}", error.kind()))
}

/// What lies in a folder, links left out, in the order of names.
pub(crate) fn entries(folder: &Path) -> Vec<(PathBuf, Metadata)> {
    let all = fs::read_dir(folder).into_iter().flatten().flatten();
    let plain = all.filter_map(|entry| Some((entry.path(), fs::symlink_metadata(entry.path()).ok()?)));
    let mut plain: Vec<_> = plain.filter(|(_, about)| !about.is_symlink()).collect();
    plain.sort_by(|one, other| one.0.cmp(&other.0));
    plain
}

/// The regular file of a folder by its name; `None` if there is none.
pub(crate) fn file_in(folder: &Path, name: &str) -> Option<PathBuf> {
    let path = folder.join(name);
    fs::symlink_metadata(&path).is_ok_and(|about| about.is_file()).then_some(path)
}
