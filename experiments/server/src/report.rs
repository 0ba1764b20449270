//! Reports of runs, which come from files and are shown where they can do nothing: in a sandbox, without scripts.

use std::path::Path;

use azulejo_agents::bounded_file::read_bytes;
use hyper::StatusCode;
use hyper::header::{CONTENT_SECURITY_POLICY, HeaderValue};

use crate::answer::{Answer, CallError, whole};
use crate::files::Root;

/// The file's name in a run's folder.
pub(crate) const NAME: &str = "report.html";
/// The most bytes of a report.
const MOST: u64 = 64 << 20;
/// What a report may do: look as it does.
const POLICY: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The report at a path below the root, as it stands in an address.
///
/// # Errors
/// If there is none.
pub(crate) fn report(root: &Root, path: &str) -> Result<Answer, CallError> {
    let missing = || CallError::new(StatusCode::NOT_FOUND, "there is no such report");
    let path = decoded(path).ok_or_else(missing)?;
    let file = root.find(&path)?;
    if Path::new(&path).file_name().is_none_or(|name| name != NAME) {
        return Err(missing());
    }
    let mut answer = whole("text/html; charset=utf-8", read_bytes(&file, MOST).map_err(|_| missing())?);
    answer.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    Ok(answer)
}

/// The address of a report by its path.
pub(crate) fn address(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./~".contains(&byte);
    let written = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.bytes().map(written).fold("/report/".to_owned(), |all, part| all + &part)
}

/// A path of an address as text; `None` if it is none.
fn decoded(path: &str) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::new(), path.as_bytes());
    while let Some((&first, after)) = rest.split_first() {
        let (byte, left) = match first {
            b'%' => (u8::from_str_radix(std::str::from_utf8(after.get(..2)?).ok()?, 16).ok()?, &after[2..]),
            _ => (first, after),
        };
        bytes.push(byte);
        rest = left;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_back_to_paths() {
        for path in ["a/b-1/report.html", "mcts:sims=5, näher/report.html", "100%/report.html"] {
            let address = address(path);
            assert!(address.is_ascii() && !address.contains(' '));
            assert_eq!(decoded(address.strip_prefix("/report/").unwrap()).as_deref(), Some(path));
        }
        assert_eq!((decoded("%"), decoded("%zz"), decoded("%ff")), (None, None, None));
    }
}
