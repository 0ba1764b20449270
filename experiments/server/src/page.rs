//! The page's files, which the program holds; a debug build reads them where they lie, so that the page can be worked on.

use std::borrow::Cow;

use hyper::StatusCode;

use crate::answer::{Answer, CallError, whole};

/// Name and content of every file.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The file at a path, `/` and what follows.
///
/// # Errors
/// If there is none.
pub(crate) fn file(path: &str) -> Result<Answer, CallError> {
    let name = path.strip_prefix('/').filter(|name| !name.is_empty()).unwrap_or("index.html");
    let missing = || CallError::new(StatusCode::NOT_FOUND, "there is no such page");
    let content = content(name).ok_or_else(missing)?;
    let kind = kind(name).ok_or_else(missing)?;
    Ok(match content {
        Cow::Borrowed(bytes) => whole(kind, bytes),
        Cow::Owned(bytes) => whole(kind, bytes),
    })
}

/// What a file holds. On disk only plain names are looked for, none that leads elsewhere.
fn content(name: &str) -> Option<Cow<'static, [u8]>> {
    if cfg!(debug_assertions) {
        let plain = |part: &str| {
            let known = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            !part.is_empty() && !part.starts_with('.') && part.bytes().all(known)
        };
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/page/").to_owned() + name;
        return name.split('/').all(plain).then(|| std::fs::read(path).ok()).flatten().map(Cow::Owned);
    }
    FILES.iter().find(|file| file.0 == name).map(|file| Cow::Borrowed(file.1))
}

/// The content type that the name tells; `None` for what a page has no use for.
fn kind(name: &str) -> Option<&'static str> {
    Some(match name.rsplit('.').next()? {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => return None,
    })
}
