//! A client without mercy: it sends bytes and reads what comes.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::thread;
use std::time::Duration;

use azulejo_server::{ServeSettings, Server};
use serde_json::Value;

/// A server in this process and where it listens.
pub struct Client {
    /// Its address.
    pub address: SocketAddr,
}

/// A status and what was said.
pub type Reply = (u16, String);

impl Client {
    /// Starts a server that shows this folder.
    pub fn new(root: &Path) -> Self {
        let settings = ServeSettings { root: root.to_owned(), ..ServeSettings::default() };
        Client::of(&settings)
    }

    /// Starts a server.
    pub fn of(settings: &ServeSettings) -> Self {
        let server = Server::listen(settings).unwrap();
        let address =
            server.url().strip_prefix("http://").unwrap().split('/').next().unwrap().parse().unwrap();
        thread::spawn(move || server.run());
        Client { address }
    }

    /// A connection on which nothing has been said.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends bytes as they are.
    pub fn raw(&self, bytes: &[u8]) -> Reply {
        let mut stream = self.connect();
        // A server that has heard enough closes.
        _ = stream.write_all(bytes);
        read_reply(&mut stream)
    }

    /// Sends a request with these lines after the first one, HOST being the server's.
    pub fn request(&self, first: &str, headers: &[&str], body: &[u8]) -> Reply {
        self.raw(&[self.head(first, headers, body.len()).as_bytes(), body].concat())
    }

    /// The head of a request that is to be the last one.
    pub fn head(&self, first: &str, headers: &[&str], length: usize) -> String {
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let head =
            format!("{first} HTTP/1.1\r\n{headers}connection: close\r\ncontent-length: {length}\r\n\r\n");
        head.replace("HOST", &self.address.to_string()).replace("PORT", &self.address.port().to_string())
    }

    /// Makes a call as the page does.
    pub fn call(&self, name: &str, body: &str) -> Reply {
        self.request(
            &format!("POST /api/{name}"),
            &["host: HOST", "content-type: application/json"],
            body.as_bytes(),
        )
    }

    /// The answer to a call that works.
    pub fn answer(&self, name: &str, body: &Value) -> Value {
        let (status, text) = self.call(name, &body.to_string());
        assert_eq!(status, 200, "{name}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    /// The lines of the answer to a call that works.
    #[allow(dead_code, reason = "hostile requests are not answered in lines")]
    pub fn lines(&self, name: &str, body: &Value) -> Vec<Value> {
        let (status, text) = self.call(name, &body.to_string());
        assert_eq!(status, 200, "{name}: {text}");
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// What a server says before it closes; status 0 if it says nothing.
pub fn read_reply(stream: &mut TcpStream) -> Reply {
    let mut bytes = Vec::new();
    _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return (0, text) };
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    (status, if chunked { joined(body) } else { body.to_owned() })
}

/// A body without the lengths of its chunks.
fn joined(mut body: &str) -> String {
    let mut all = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap_or(0).min(rest.len());
        all += &rest[..length];
        body = rest[length..].trim_start_matches("\r\n");
    }
    all
}
