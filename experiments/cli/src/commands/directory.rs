//! The directories and files that commands write where none is named: their names hold the time.

use std::path::PathBuf;

/// `results/<kind>/<time>`, with a number after it if there is such a directory already.
pub(super) fn default_directory(kind: &str) -> PathBuf {
    let (time, parent) = (time(), ["results", kind].iter().collect::<PathBuf>());
    let names = std::iter::once(time.clone()).chain((2..).map(|number: u64| format!("{time}-{number}")));
    let mut free = names.map(|name| parent.join(name)).filter(|path| !path.exists());
    free.next().expect("some number is free")
}

/// The present time as names of files have it.
pub(super) fn time() -> String {
    jiff::Zoned::now().strftime("%Y-%m-%dT%H-%M-%S").to_string()
}
