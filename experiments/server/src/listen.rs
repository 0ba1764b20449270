//! The server: connections, requests, and what every answer has.

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{HeaderValue, LOCATION, SET_COOKIE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::answer::{Answer, CallError, whole};
use crate::calls::{Calls, call};
use crate::files::Root;
use crate::guard::{Guard, Token, check_json, protect};
use crate::page;

/// Connections at once; more wait.
const CONNECTIONS: usize = 128;
/// How long a client may take to send a request's head, or its body.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most bytes of a body.
const MOST_BYTES: usize = 1 << 20;
/// Searches beyond one a core: with few cores, several may share one.
const SHARED: usize = 2;
/// Threads for what takes no search.
const QUICK: usize = 4;

/// Where a server listens, and what it shows.
#[derive(Clone, Debug)]
pub struct ServeSettings {
    /// The address; loopback, or there has to be a token.
    pub address: IpAddr,
    /// The port; 0 for a free one.
    pub port: u16,
    /// What clients have to know.
    pub token: Option<Token>,
    /// The folder with runs, and with the games that are saved.
    pub root: PathBuf,
}

impl Default for ServeSettings {
    fn default() -> Self {
        ServeSettings {
            address: Ipv4Addr::LOCALHOST.into(),
            port: 0,
            token: None,
            root: PathBuf::from("results"),
        }
    }
}

/// Why a server does not run.
#[derive(Debug, Error)]
pub enum ServeError {
    /// It would answer anybody.
    #[error("the address {0} is not of this machine alone: clients need a token there")]
    Open(IpAddr),
    /// The port is taken, say.
    #[error("cannot listen on {address}: {cause}")]
    Listen {
        /// The address with its port.
        address: SocketAddr,
        /// Why.
        cause: io::Error,
    },
    /// The system has no threads left, say.
    #[error("cannot start: {0}")]
    Start(io::Error),
}

/// A server that listens.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    shared: Arc<Shared>,
}

/// What all connections share.
struct Shared {
    guard: Guard,
    calls: Calls,
}

impl Server {
    /// A server that listens; it answers once it [runs](Server::run).
    ///
    /// # Errors
    /// If it cannot, or may not without a token.
    pub fn listen(settings: &ServeSettings) -> Result<Self, ServeError> {
        let address = settings.address;
        if !address.is_loopback() && settings.token.is_none() {
            return Err(ServeError::Open(address));
        }
        let searches = available_parallelism().map_or(1, usize::from) + SHARED;
        let mut builder = Builder::new_current_thread();
        let threads = searches + QUICK;
        let runtime = builder.enable_io().enable_time().max_blocking_threads(threads).build();
        let runtime = runtime.map_err(ServeError::Start)?;
        let wanted = SocketAddr::new(address, settings.port);
        let refused = |cause| ServeError::Listen { address: wanted, cause };
        let listener = runtime.block_on(TcpListener::bind(wanted)).map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let guard = Guard { address, token: settings.token.clone() };
        let shared =
            Arc::new(Shared { guard, calls: Calls::new(Root::new(settings.root.clone()), searches, QUICK) });
        Ok(Server { runtime, listener, shared })
    }

    /// The address for a browser.
    pub fn url(&self) -> String {
        let Guard { address, token } = &self.shared.guard;
        format!("http://{address}/{}", token.as_ref().map(Token::query).unwrap_or_default())
    }

    /// Answers for good.
    pub fn run(self) -> ! {
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        self.runtime.block_on(async {
            loop {
                let place = places.clone().acquire_owned().await.expect("it is never closed");
                match self.listener.accept().await {
                    Ok((stream, _)) => _ = tokio::spawn(converse(stream, self.shared.clone(), place)),
                    // Too many open files, say: some are closed in a while.
                    Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
                }
            }
        })
    }
}

/// Answers what comes in on a connection. When the client leaves, the answer that is being made is dropped.
async fn converse(stream: TcpStream, shared: Arc<Shared>, place: OwnedSemaphorePermit) {
    // Small answers are not held back; where this cannot be said they are.
    _ = stream.set_nodelay(true);
    let service = service_fn(|request| {
        let shared = shared.clone();
        async move { Ok::<_, Infallible>(respond(&shared, request).await) }
    });
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(64 << 10);
    // What goes wrong on a connection concerns its client alone.
    _ = server.serve_connection(TokioIo::new(stream), service).await;
    drop(place);
}

/// The answer to a request, whatever it is.
async fn respond(shared: &Shared, request: Request<Incoming>) -> Answer {
    let mut answer = match route(shared, request).await {
        Ok(answer) => answer,
        Err(error) => error.answer(),
    };
    protect(&mut answer);
    answer
}

async fn route(shared: &Shared, request: Request<Incoming>) -> Result<Answer, CallError> {
    let guard = &shared.guard;
    guard.check(request.headers())?;
    if let Some(cookie) = guard.cookie(request.uri()) {
        return Ok(welcome(cookie));
    }
    guard.check_token(request.headers())?;
    let path = request.uri().path().to_owned();
    match path.strip_prefix("/api/") {
        None if request.method() == Method::GET => match path.strip_prefix("/report/") {
            Some(path) => shared.calls.report(path.to_owned()).await,
            None => page::file(&path),
        },
        None => Err(CallError::new(StatusCode::METHOD_NOT_ALLOWED, "pages are read by GET")),
        Some(_) if request.method() != Method::POST => {
            Err(CallError::new(StatusCode::METHOD_NOT_ALLOWED, "calls are made by POST"))
        }
        Some(name) => {
            check_json(request.headers())?;
            let body = body(request.into_body()).await?;
            call(&shared.calls, name, body).await
        }
    }
}

/// Sends a client that has brought the token along to the page, with the token in a cookie.
fn welcome(cookie: HeaderValue) -> Answer {
    let mut answer = whole("text/plain", "");
    *answer.status_mut() = StatusCode::SEE_OTHER;
    answer.headers_mut().insert(SET_COOKIE, cookie);
    answer.headers_mut().insert(LOCATION, HeaderValue::from_static("/"));
    answer
}

/// A request's body, if it is small and comes soon.
async fn body(body: Incoming) -> Result<Bytes, CallError> {
    let late = |_| CallError::new(StatusCode::REQUEST_TIMEOUT, "the body did not come in time");
    match timeout(PATIENCE, Limited::new(body, MOST_BYTES).collect()).await.map_err(late)? {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => {
            let problem = format!("the body is longer than {MOST_BYTES} bytes");
            Err(CallError::new(StatusCode::PAYLOAD_TOO_LARGE, problem))
        }
        Err(_) => Err(CallError::bad("the body breaks off")),
    }
}
