//! Requests that mean harm: each is refused with the right status and one sentence, and the server goes on.

// Clippy knows the functions below only as helpers, not as tests.
#![allow(clippy::unwrap_used)]

mod client;

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};

use azulejo_server::{ServeError, ServeSettings, Server};
use client::{Client, read_reply};
use serde_json::{Value, json};

const OPENING: &str = r#"{"game":"azul","players":2,"moves":["DBBYR/KKWW/BYRK/RRRR/BWWW"]}"#;

/// A folder with links out of it.
fn trap() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    symlink("/etc", root.path().join("link")).unwrap();
    fs::create_dir(root.path().join("played")).unwrap();
    symlink("/etc/passwd", root.path().join("played/stolen.jsonl")).unwrap();
    fs::create_dir(root.path().join("run")).unwrap();
    symlink("/etc/passwd", root.path().join("run/games.jsonl")).unwrap();
    symlink("/etc/passwd", root.path().join("run/report.html")).unwrap();
    fs::write(root.path().join("run/summary.json"), "{}").unwrap();
    root
}

/// That the server still answers, and quickly.
fn assert_alive(client: &Client) {
    let began = Instant::now();
    assert_eq!(client.answer("catalog", &json!({}))["limits"]["multipv"], 20);
    assert!(began.elapsed() < Duration::from_secs(5));
}

/// What is not as it should be of an answer: this status and one sentence that holds these words, and nothing of a file.
fn fault((status, text): &(u16, String), expected: u16, words: &str) -> Option<&'static str> {
    let error =
        serde_json::from_str::<Value>(text).ok().and_then(|it| Some(it["error"].as_str()?.to_owned()));
    match error {
        _ if *status != expected => Some("the status"),
        None => Some("no error"),
        Some(error) if !error.contains(words) => Some("the words"),
        Some(error) if error.len() > 500 || error.lines().count() != 1 => Some("more than a sentence"),
        Some(error) if error.contains("root:") => Some("a file's content"),
        Some(_) => None,
    }
}

/// Refused with this status and one sentence that holds these words.
fn assert_refused(what: &str, reply: (u16, String), expected: u16, words: &str) {
    assert_eq!(fault(&reply, expected, words), None, "{what}: expected {expected} {words}, found {reply:?}");
}

#[test]
fn requests_from_elsewhere_are_refused() {
    let root = trap();
    let client = &Client::new(root.path());
    const JSON: &str = "content-type: application/json";
    let hosts = [
        (&["host: evil.example"][..], 403, "host names another server"),
        (&["host: evil.example:PORT"], 403, "host names another server"),
        (&["host: 127.0.0.1.evil.example:PORT"], 403, "host names another server"),
        (&["host: 127.0.0.1"], 403, "host names another server"),
        (&["host: 127.0.0.1:1"], 403, "host names another server"),
        (&["host: 192.168.1.1:PORT"], 403, "host names another server"),
        (&["host: localhost.:PORT"], 403, "host names another server"),
        (&["host: "], 403, "host names another server"),
        (&[], 400, "host is missing"),
        (&["host: HOST", "host: evil.example"], 400, "host stands there twice"),
        (&["host: HOST", "origin: http://evil.example"], 403, "another page"),
        (&["host: HOST", "origin: null"], 403, "another page"),
        (&["host: HOST", "origin: https://HOST"], 403, "another page"),
        (&["host: HOST", "origin: http://127.0.0.1:1"], 403, "another page"),
        (&["host: HOST", "origin: http://localhost:PORT"], 403, "another page"),
        (
            &["host: HOST", "origin: http://HOST", "origin: http://evil.example"],
            400,
            "origin stands there twice",
        ),
        (&["host: HOST", "sec-fetch-site: cross-site"], 403, "another site"),
        (&["host: HOST", "sec-fetch-site: same-site"], 403, "another site"),
    ];
    for (headers, status, words) in hosts {
        let page = client.request("GET /", headers, b"");
        assert_refused(&format!("{headers:?}"), page, status, words);
        let call = client.request("POST /api/catalog", &[headers, &[JSON]].concat(), b"{}");
        assert_refused(&format!("{headers:?}"), call, status, words);
    }
    for kind in [
        "",
        "content-type: text/plain",
        "content-type: application/x-www-form-urlencoded",
        "content-type: multipart/form-data; boundary=x",
        "content-type: application/jsonp",
        "content-type: text/plain; application/json",
    ] {
        let headers: Vec<&str> =
            ["host: HOST", kind].into_iter().filter(|header| !header.is_empty()).collect();
        assert_refused(
            kind,
            client.request("POST /api/catalog", &headers, b"{}"),
            415,
            "expected application/json",
        );
    }
    for first in [
        "GET /api/catalog",
        "PUT /api/position",
        "DELETE /api/save",
        "OPTIONS /api/catalog",
        "HEAD /api/catalog",
        "POST /",
        "DELETE /index.html",
        "TRACE /",
    ] {
        let (status, _) = client.request(first, &["host: HOST", JSON], b"");
        assert_eq!(status, 405, "{first}");
    }
    assert_alive(client);
}

#[test]
fn no_file_but_the_page_s_is_served() {
    let root = trap();
    let client = &Client::new(root.path());
    for path in [
        "/../Cargo.toml",
        "/vendor/../../Cargo.toml",
        "/..%2f..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/\\..\\Cargo.toml",
        "/.git/config",
        "/index.html/",
        "/index.html%00.js",
        "/vendor/hashes.sha256",
        "/report/../../etc/passwd",
        "/report/%2e%2e/%2e%2e/etc/report.html",
        "/report//etc/passwd",
        "/report/run/summary.json",
        "/report/%",
        "/report/",
    ] {
        let (status, text) = client.request(&format!("GET {path}"), &["host: HOST"], b"");
        assert!([400, 404].contains(&status), "{path}: {status} {text}");
        assert!(!text.contains("root:") && !text.contains("[package]"), "{path}");
    }
    for path in ["/report/run/report.html", "/report/link/report.html"] {
        let reply = client.request(&format!("GET {path}"), &["host: HOST"], b"");
        assert_refused(path, reply, 403, "link");
    }
    assert_alive(client);
}

#[test]
fn calls_that_make_no_sense_are_refused_in_a_sentence() {
    let root = trap();
    let client = &Client::new(root.path());
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let with = |key: &str, value: &str| format!(r#"{{"course":{OPENING},"agent":"random","{key}":{value}}}"#);
    let agent = |spec: &str| format!(r#"{{"course":{OPENING},"agent":"{spec}","time_ms":50}}"#);
    let position = |key: &str, value: &str| format!(r#"{{"game":"azul","players":2,"{key}":{value}}}"#);
    let moves = |tokens: &[&str]| position("moves", &json!(tokens).to_string());
    let game = |spec: &str| format!(r#"{{"game":{},"players":2}}"#, json!(spec));
    let path = |path: &str| format!(r#"{{"path":{}}}"#, json!(path));
    let save = |id: &str, names: &str| {
        format!(r#"{{"id":{},"record":{{"course":{OPENING},"names":{names}}}}}"#, json!(id))
    };
    let old = r#"{"format":"azulejo-game","version":1,"game":"azul:rules=/etc/passwd","players":2,"agents":["a","b"],"seed":1,"index":0,"moves":[],"scores":[0,0],"wins":[0.5,0.5],"end":"truncated"}"#;
    let long = "3".repeat(100_000);
    let cases: Vec<(&str, String, u16, &str)> = vec![
        ("nothing", "{}".into(), 404, "no such call"),
        ("position/../run", "{}".into(), 404, "no such call"),
        ("position", String::new(), 400, "EOF"),
        ("position", "{\"game\":".into(), 400, "EOF"),
        ("position", "null".into(), 400, "null"),
        ("position", deep.clone(), 400, "invalid type: sequence"),
        ("position", position("start", &deep), 400, "recursion limit"),
        ("complete", format!(r#"{{"state":{deep}}}"#), 400, "recursion limit"),
        ("position", " ".repeat((1 << 20) + 1), 413, "longer than 1048576 bytes"),
        ("position", position("cmd", "\"ls\""), 400, "unknown field `cmd`"),
        (
            "choose",
            r#"{"course":{"game":"azul","players":2,"x":1},"agent":"random"}"#.into(),
            400,
            "unknown field `x`",
        ),
        ("catalog", r#"{"all":true}"#.into(), 400, "unknown field `all`"),
        ("position", r#"{"game":"azul","players":-1}"#.into(), 400, "players"),
        ("position", r#"{"game":"azul","players":0}"#.into(), 400, "0"),
        ("position", r#"{"game":"azul","players":99999999999999999999}"#.into(), 400, "invalid"),
        ("position", r#"{"game":"azul","players":2,"players":3}"#.into(), 400, "duplicate field"),
        ("position", game("azul:rules=/etc/passwd"), 400, "file"),
        ("position", game("chess"), 400, "chess"),
        ("position", game(&long), 400, "…"),
        ("position", moves(&["zzz"]), 400, "illegal move zzz at 0"),
        ("position", moves(&["DBBYR/KKWW/BYRK/RRRR/BWWW", "1W1"]), 400, "illegal move 1W1 at 1"),
        ("position", moves(&[&long]), 400, "at 0"),
        ("position", moves(&vec!["1B1"; 4000]), 400, "moves: found 4000, expected at most 3000"),
        ("position", position("start", "{\"game\":\"azul:gray\"}"), 400, ""),
        ("position", position("deal", "-1"), 400, "invalid"),
        ("choose", agent("exec:cmd=id"), 400, "agent: found 'exec', expected one of random"),
        ("choose", agent("Exec:cmd=id,stderr=x"), 400, "agent: found 'Exec'"),
        ("choose", agent("exec"), 400, "agent: found 'exec'"),
        ("choose", agent("neural:net=/etc/passwd"), 400, "'net' cannot be set"),
        ("choose", agent("neural:critic=/etc/passwd"), 400, "'critic' cannot be set"),
        ("analyse", agent("mcts:weights=/etc/passwd"), 400, "'weights' cannot be set"),
        ("analyse", agent("mcts:values=/etc/passwd"), 400, "'values' cannot be set"),
        ("review", agent("greedy:weights=/dev/zero"), 400, "'weights' cannot be set"),
        ("choose", agent("mcts:threads=1000"), 400, "'threads': found 1000"),
        ("choose", agent("neural:memory=65536"), 400, "'memory': found 65536"),
        ("choose", agent("mcts:frobnicate=1"), 400, "frobnicate"),
        ("choose", agent(&long), 400, "…"),
        (
            "choose",
            with("time_ms", "1000000000000"),
            400,
            "time_ms: found 1000000000000, expected 1 to 120000",
        ),
        ("choose", with("time_ms", "0"), 400, "time_ms: found 0"),
        ("choose", with("time_ms", "-5"), 400, "invalid"),
        ("analyse", with("multipv", "1000000000"), 400, "multipv: found 1000000000, expected 1 to 20"),
        ("review", with("sims", "1000000000"), 400, "sims: found 1000000000"),
        ("choose", r#"{"course":{"game":"azul","players":2},"agent":"random"}"#.into(), 400, "chance node"),
        ("run", path("../"), 400, "expected one below the root"),
        ("run", path("/etc"), 400, "expected one below the root"),
        ("run", path(""), 400, "expected one below the root"),
        ("run", path("run/../../etc"), 400, "expected one below the root"),
        ("run", path("run\u{0}"), 400, "expected one below the root"),
        ("run", path("..\\etc"), 400, "expected one below the root"),
        ("run", path(&"a/".repeat(5000)), 400, "expected one below the root"),
        ("run", path("link"), 403, "link"),
        ("run", path("link/passwd"), 403, "link"),
        ("games", path("link"), 403, "link"),
        ("games", path("run"), 404, "no games"),
        ("games", path("run/games.jsonl"), 403, "link"),
        ("games", path("played/stolen.jsonl"), 403, "link"),
        ("game", r#"{"path":"played","index":18446744073709551615}"#.into(), 404, "no game"),
        ("save", save("../x", r#"["a","b"]"#), 400, "id: found '../x'"),
        ("save", save("a/b", r#"["a","b"]"#), 400, "id: found"),
        ("save", save("", r#"["a","b"]"#), 400, "id: found"),
        ("save", save(&"a".repeat(41), r#"["a","b"]"#), 400, "id: found"),
        ("save", save("ok", r#"["a"]"#), 400, "names: found 1, expected 2"),
        ("save", save("ok", r#"["a\u001b[2J","b"]"#), 400, "cannot be shown"),
        ("save", save("stolen", r#"["a","b"]"#), 403, "no file"),
        ("read", json!({ "text": "x" }).to_string(), 400, ""),
        ("read", json!({ "text": old }).to_string(), 400, "names a file, which is not read here"),
    ];
    assert!(cases.len() >= 40);
    let faults = cases.iter().filter_map(|(name, body, status, words)| {
        let reply = client.call(name, body);
        let fault = fault(&reply, *status, words)?;
        let shown = &body[..body.len().min(120)];
        Some(format!("{name} {shown}: {fault}: expected {status} {words}, found {reply:?}"))
    });
    assert_eq!(faults.collect::<Vec<_>>(), [""; 0]);
    let (status, _) = client.request(
        "POST /api/position",
        &["host: HOST", "content-type: application/json"],
        b"{\"game\":\"\xff\"}",
    );
    assert_eq!(status, 400);
    assert_eq!(fs::read_dir(root.path().join("played")).unwrap().count(), 1, "nothing was saved");
    assert_alive(client);
}

#[test]
fn what_is_no_http_and_what_never_ends_is_hung_up_on() {
    let root = trap();
    let client = &Client::new(root.path());
    for (bytes, statuses) in [
        (&b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..], &[0, 400][..]),
        (b"HELO\r\n\r\n", &[0, 400]),
        (b"GET / HTTP/9.9\r\n\r\n", &[0, 400]),
        (b"GET / HTTP/1.1\r\nhost\r\n\r\n", &[0, 400]),
        (b"POST /api/catalog HTTP/1.1\r\ncontent-length: -1\r\n\r\n", &[0, 400]),
        (
            b"POST /api/catalog HTTP/1.1\r\ntransfer-encoding: chunked\r\ncontent-length: 3\r\n\r\nxyz",
            &[0, 400],
        ),
    ] {
        let (status, text) = client.raw(bytes);
        assert!(statuses.contains(&status), "{bytes:?}: {status} {text}");
    }
    let many = vec!["x-a: 1"; 500];
    assert_eq!(client.request("GET /", &many, b"").0, 431);
    let long = format!("x-a: {}", "a".repeat(200_000));
    assert!([0, 431].contains(&client.request("GET /", &[&long], b"").0));
    let head = client.head("POST /api/catalog", &["host: HOST", "content-type: application/json"], 100);
    let began = Instant::now();
    thread::scope(|scope| {
        // Many that say nothing, half a head, or half a body.
        let idle: Vec<_> = (0..40).map(|_| client.connect()).collect();
        let half_head = scope.spawn(|| client.raw(&head.as_bytes()[..30]));
        let half_body = scope.spawn(|| client.raw(&[head.as_bytes(), b"{"].concat()));
        let drips = scope.spawn(|| {
            let mut stream = client.connect();
            _ = stream.write_all(head.as_bytes());
            for _ in 0..60 {
                if stream.write_all(b" ").is_err() {
                    break;
                }
                thread::sleep(Duration::from_millis(250));
            }
            read_reply(&mut stream)
        });
        assert_alive(client);
        assert!([0, 408].contains(&half_head.join().unwrap().0));
        assert_refused("half a body", half_body.join().unwrap(), 408, "did not come in time");
        assert!([0, 408].contains(&drips.join().unwrap().0));
        drop(idle);
    });
    assert!(began.elapsed() < Duration::from_secs(30));
    assert_alive(client);
}

/// A search that would take a minute.
fn long_search(client: &Client, name: &str) -> std::net::TcpStream {
    let body = format!(r#"{{"course":{OPENING},"agent":"mcts","time_ms":60000}}"#);
    let head = client.head(
        &format!("POST /api/{name}"),
        &["host: HOST", "content-type: application/json"],
        body.len(),
    );
    let mut stream = client.connect();
    stream.write_all((head + &body).as_bytes()).unwrap();
    stream
}

#[test]
fn there_are_so_many_searches_and_they_end_when_their_clients_leave() {
    let root = trap();
    let client = &Client::new(root.path());
    let most = available_parallelism().unwrap().get() + 2;
    // They have begun when a second is over.
    let begin = |name: &str| -> Vec<_> {
        let searches = (0..most).map(|_| long_search(client, name)).collect();
        thread::sleep(Duration::from_secs(1));
        searches
    };
    for name in ["choose", "analyse"] {
        let searches = begin(name);
        let quick = format!(r#"{{"course":{OPENING},"agent":"random"}}"#);
        let full = |client: &Client| client.call("choose", &quick).0 == 429;
        let began = Instant::now();
        while !full(client) {
            assert!(began.elapsed() < Duration::from_secs(10), "{name}: {most} searches leave places");
        }
        let words = format!("{most} searches run already");
        assert_refused(name, client.call("review", &quick), 429, &words);
        assert_alive(client);
        drop(searches);
        thread::sleep(Duration::from_secs(1));
        // The places are those of threads that search: when all are free, all searches have ended.
        let again = begin(name);
        let began = Instant::now();
        while !full(client) {
            assert!(began.elapsed() < Duration::from_secs(10), "{name}: not all searches have ended");
        }
        drop(again);
        thread::sleep(Duration::from_secs(1));
        assert_eq!(client.call("choose", &quick).0, 200);
    }
}

#[test]
fn beyond_this_machine_a_token_is_asked_for() {
    let open = ServeSettings { address: "0.0.0.0".parse().unwrap(), ..ServeSettings::default() };
    assert!(matches!(Server::listen(&open), Err(ServeError::Open(_))));
    for token in ["short", "with blanks in it, long", "ümläutümläutümläut"] {
        assert!(token.parse::<azulejo_server::Token>().is_err());
    }
    let token = "0123456789abcdef";
    let root = trap();
    let settings = ServeSettings {
        token: Some(token.parse().unwrap()),
        root: root.path().to_owned(),
        ..ServeSettings::default()
    };
    let client = Client::of(&settings);
    let get = |path: &str, header: &str| client.request(&format!("GET {path}"), &["host: HOST", header], b"");
    for header in [
        "x: y",
        "authorization: Bearer 0123456789abcdeX",
        "cookie: azulejo-token=x",
        "authorization: Basic x",
    ] {
        assert_refused(header, get("/", header), 401, "token is missing or wrong");
    }
    assert_refused("query", get("/?token=0123456789abcdeX", "x: y"), 401, "token is missing or wrong");
    assert_eq!(get("/", &format!("authorization: Bearer {token}")).0, 200);
    assert_eq!(get("/", &format!("cookie: a=b; azulejo-token={token}")).0, 200);
    assert_eq!(get(&format!("/?token={token}"), "x: y").0, 303);
    assert_refused(
        "host",
        client.request(&format!("GET /?token={token}"), &["host: evil.example:PORT"], b""),
        403,
        "host",
    );
}
