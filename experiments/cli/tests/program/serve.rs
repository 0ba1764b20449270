//! `azulejo serve` as a user runs it; what it answers is tested where it is written.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use tempfile::tempdir;

use crate::{azulejo, fail, text};

#[test]
fn it_prints_one_line_answers_there_and_ends_well_by_ctrl_c() {
    let root = tempdir().unwrap();
    let mut server = azulejo(&["serve", "--port", "0", "--root", text(root.path())]);
    let mut server = server.stdout(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let address = line.trim_end().strip_prefix("http://").unwrap().strip_suffix('/').unwrap();
    assert!(address.starts_with("127.0.0.1:"), "{line}");
    let mut client = TcpStream::connect(address).unwrap();
    write!(client, "GET / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    client.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("content-security-policy: "), "{answer}");
    let port = address.rsplit(':').next().unwrap();
    assert!(fail(&["serve", "--port", port], 1).contains(&format!("cannot listen on {address}")));
    let pid = server.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert_eq!(server.wait().unwrap().code(), Some(0));
    line.clear();
    assert_eq!(output.read_line(&mut line).unwrap(), 0, "nothing more was printed: {line}");
}

#[test]
fn beyond_this_machine_it_wants_a_token() {
    assert!(fail(&["serve", "--bind", "0.0.0.0"], 1).contains("clients need a token"));
    let line = fail(&["serve", "--bind", "0.0.0.0", "--token", "guess"], 2);
    assert!(line.contains("expected 16 to 200 letters, digits, - and _, found 5"), "{line}");
}
