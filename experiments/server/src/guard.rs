//! Who may ask: pages of other sites may not, and beyond this machine only who has the token.
//!
//! A page from elsewhere can make a browser send requests here. Names are therefore not taken as hosts, as whoever owns one can
//! let it lead here (DNS rebinding), and requests that say that they come from another origin are refused.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use hyper::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN};
use hyper::{StatusCode, Uri};
use thiserror::Error;

use crate::answer::{Answer, CallError};

/// What the page may load, and where: from here alone, and nothing inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The name of the cookie with the token.
const COOKIE_NAME: &str = "azulejo-token";

/// A word that who asks from another machine has to know.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// The fewest letters of a token.
const LEAST: usize = 16;
/// The most letters of a token.
const MOST: usize = 200;

/// A token that is too easy to guess, or cannot stand in an address.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {LEAST} to {MOST} letters, digits, - and _, found {found}")]
pub struct TokenError {
    /// What is wrong; the token itself is not told.
    found: String,
}

impl FromStr for Token {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<Self, TokenError> {
        let known = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
        if !text.chars().all(known) {
            return Err(TokenError { found: "other signs".to_owned() });
        }
        match text.len() {
            LEAST..=MOST => Ok(Token(text.to_owned())),
            found => Err(TokenError { found: found.to_string() }),
        }
    }
}

/// It is a secret.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

impl Token {
    /// The token in an address that brings it along.
    pub(crate) fn query(&self) -> String {
        format!("?token={}", self.0)
    }

    /// Whether a text is the token; the time that it takes does not tell how much of it is right.
    fn is(&self, text: &str) -> bool {
        let differing = self.0.bytes().zip(text.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
        self.0.len() == text.len() && differing == 0
    }
}

/// What is asked of every request.
pub(crate) struct Guard {
    /// Where the server listens.
    pub address: SocketAddr,
    /// The token; none if it listens to this machine alone.
    pub token: Option<Token>,
}

impl Guard {
    /// Checks host, origin and token of a request.
    ///
    /// # Errors
    /// If it may not be answered.
    pub(crate) fn check(&self, headers: &HeaderMap) -> Result<(), CallError> {
        let host = one(headers, &HOST)?.ok_or_else(|| CallError::bad("the header host is missing"))?;
        if !self.is_own(host) {
            let problem = "the header host names another server: ask by the address that was printed";
            return Err(CallError::new(StatusCode::FORBIDDEN, problem));
        }
        let same = |origin: &str| origin.strip_prefix("http://") == Some(host);
        if one(headers, &ORIGIN)?.is_some_and(|origin| !same(origin)) {
            return Err(CallError::new(StatusCode::FORBIDDEN, "the request comes from another page"));
        }
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        if site.is_some_and(|site| site != b"same-origin" && site != b"none") {
            return Err(CallError::new(StatusCode::FORBIDDEN, "the request comes from another site"));
        }
        Ok(())
    }

    /// Checks that the token came along, if there is one.
    ///
    /// # Errors
    /// If it did not.
    pub(crate) fn check_token(&self, headers: &HeaderMap) -> Result<(), CallError> {
        let Some(token) = &self.token else { return Ok(()) };
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let bearer = text(AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        let cookies = text(COOKIE).into_iter().flat_map(|value| value.split(';'));
        let mut cookie = cookies.filter_map(|pair| pair.trim().strip_prefix(COOKIE_NAME)?.strip_prefix('='));
        if bearer.is_some_and(|bearer| token.is(bearer)) || cookie.any(|cookie| token.is(cookie)) {
            return Ok(());
        }
        let problem = "the token is missing or wrong: open the address that was printed";
        Err(CallError::new(StatusCode::UNAUTHORIZED, problem))
    }

    /// The cookie for a client whose address brought the token along; `None` if it did not.
    pub(crate) fn cookie(&self, uri: &Uri) -> Option<HeaderValue> {
        let token = self.token.as_ref()?;
        let given = uri.query()?.strip_prefix("token=").filter(|given| token.is(given))?;
        HeaderValue::from_str(&format!("{COOKIE_NAME}={given}; HttpOnly; SameSite=Strict; Path=/")).ok()
    }

    /// Whether a host is this server: its port, and an address or `localhost`, no other name. Where it listens to this machine
    /// alone only addresses of this machine are its own.
    fn is_own(&self, host: &str) -> bool {
        let (name, port) = host.rsplit_once(':').unwrap_or((host, "80"));
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let address = bare.parse::<IpAddr>().ok();
        let here = name == "localhost" || address.is_some_and(|address| address.is_loopback());
        let known = here || !self.address.ip().is_loopback() && address.is_some();
        known && port.parse() == Ok(self.address.port())
    }
}

/// A header that may stand there once.
fn one<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, CallError> {
    let mut all = headers.get_all(name).iter();
    let first = all.next();
    if all.next().is_some() {
        return Err(CallError::bad(format!("the header {name} stands there twice")));
    }
    let text = first
        .map(|value| value.to_str().map_err(|_| CallError::bad(format!("the header {name} is no text"))));
    text.transpose()
}

/// Whether a body is said to be JSON: what a form of another page cannot say.
///
/// # Errors
/// If it is not.
pub(crate) fn check_json(headers: &HeaderMap) -> Result<(), CallError> {
    let kind = one(headers, &CONTENT_TYPE)?.unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if kind.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let problem = "the header content-type: expected application/json";
    Err(CallError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, problem))
}

/// Says on every answer what a browser may do with it.
pub(crate) fn protect(answer: &mut Answer) {
    let headers = answer.headers_mut();
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cache-control", "no-store"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}
