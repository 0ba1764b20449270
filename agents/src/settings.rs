//! Files of settings, such as rules and weights: TOML of bounded length, with errors that say where the fault
//! is.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use serde::de::DeserializeOwned;

use azulejo::shortened;

/// The longest file of settings that is read, in bytes.
pub const MAX_SETTINGS: u64 = 1 << 20;

/// The text of a file of settings.
///
/// # Errors
/// If it is not a regular file (a device could go on for ever), longer than [`MAX_SETTINGS`], not UTF-8, or
/// cannot be read.
pub fn read_settings(path: &Path) -> io::Result<String> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut text = String::new();
    let read = File::open(path)?.take(MAX_SETTINGS + 1).read_to_string(&mut text)?;
    if read as u64 > MAX_SETTINGS {
        return Err(io::Error::other(format!("longer than {MAX_SETTINGS} bytes")));
    }
    Ok(text)
}

/// Settings from the text of a file.
///
/// # Errors
/// What is wrong, in one line, with the line of the text and the key if there is one.
pub fn parse_settings<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let located = |key: Option<String>, error: &toml::de::Error| {
        let begin = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = text.as_bytes()[..begin].iter().filter(|&&byte| byte == b'\n').count() + 1;
        let key = key.map_or(String::new(), |key| format!("{key}: "));
        shortened(&format!("line {line}: {key}{}", error.message()))
    };
    let document = toml::Deserializer::parse(text).map_err(|error| located(None, &error))?;
    serde_path_to_error::deserialize(document).map_err(|error| {
        let key = error.path().to_string();
        located((key != ".").then_some(key), error.inner())
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn faults_are_named_with_their_place() {
        let parse = |text: &str| parse_settings::<BTreeMap<String, Vec<u8>>>(text).unwrap_err();
        assert!(parse("a = [1]\nb = = 2").starts_with("line 2: "), "{}", parse("a = [1]\nb = = 2"));
        assert!(parse("a = [1]\n\nb = [7, 300]").starts_with("line 3: b[1]: invalid value"));
        assert!(parse(&format!("a = {}", "[".repeat(100_000))).len() < 300, "deep nesting is refused");
    }

    #[test]
    fn only_short_regular_files_are_read() {
        let path = std::env::temp_dir().join(format!("azulejo-settings-{}", std::process::id()));
        fs::write(&path, " ".repeat(MAX_SETTINGS as usize)).unwrap();
        assert!(read_settings(&path).is_ok());
        fs::write(&path, " ".repeat(MAX_SETTINGS as usize + 1)).unwrap();
        assert_eq!(read_settings(&path).unwrap_err().to_string(), "longer than 1048576 bytes");
        fs::write(&path, [0xff]).unwrap();
        assert!(read_settings(&path).is_err());
        fs::remove_file(&path).unwrap();
        assert_eq!(read_settings(&std::env::temp_dir()).unwrap_err().to_string(), "not a regular file");
    }
}
