//! Files that come from outside, read whole: only regular ones, and none longer than a bound.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The content of a file of at most so many bytes.
///
/// # Errors
/// If it is not a regular file (a device could go on for ever, and a pipe wait for ever), longer, or cannot be read.
pub fn read_bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let about = fs::metadata(path)?;
    if !about.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let too_long = || io::Error::other(format!("longer than {most} bytes"));
    // Before any of it takes memory; what files of the system say of their length is not so.
    if about.len() > most {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    let read = File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if read as u64 > most { Err(too_long()) } else { Ok(bytes) }
}

/// The text of a file of at most so many bytes.
///
/// # Errors
/// As [`read_bytes`], and if it is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read_bytes(path, most)?).map_err(|_| io::Error::other("not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_regular_files_are_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read_text(&path, 5).unwrap(), "12345");
        assert_eq!(read_text(&path, 4).unwrap_err().to_string(), "longer than 4 bytes");
        fs::write(&path, [0xff]).unwrap();
        assert_eq!(read_bytes(&path, 4).unwrap(), [0xff]);
        assert_eq!(read_text(&path, 4).unwrap_err().to_string(), "not UTF-8");
        assert_eq!(read_text(directory.path(), 4).unwrap_err().to_string(), "not a regular file");
        assert_eq!(read_text(&path.join("x"), 4).unwrap_err().kind(), io::ErrorKind::NotADirectory);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn neither_devices_nor_pipes_are_waited_for() {
        let directory = tempfile::tempdir().unwrap();
        let pipe = directory.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [pipe.as_path(), Path::new("/dev/zero")] {
            assert_eq!(read_bytes(path, 1 << 30).unwrap_err().to_string(), "not a regular file");
        }
    }
}
