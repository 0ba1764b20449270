//! The calls: what each takes and answers. What computes does so on threads of its own.

mod analyse;
mod catalog;
mod choose;
mod complete;
mod game_loss;
mod line;
mod position;
mod records;
mod review;
mod runs;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use azulejo::GameSpec;
use azulejo_experiments::position::Position;
use hyper::StatusCode;
use hyper::body::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::spawn_blocking;

use crate::answer::{Answer, AnswerBody, CallError, answer, to_json, told};
use crate::course::Course;
use crate::files::Root;
use crate::report;
use crate::search::{Search, SearchPlaces};

/// What calls work with.
pub(crate) struct Calls {
    /// The folder with runs.
    pub root: Root,
    /// Places for searches.
    searches: SearchPlaces,
    /// Places for the rest.
    quick: Arc<Semaphore>,
}

impl Calls {
    /// Calls of which so many search, and so many others work, at once.
    pub(crate) fn new(root: Root, searches: usize, quick: usize) -> Self {
        Calls { root, searches: SearchPlaces::new(searches), quick: Arc::new(Semaphore::new(quick)) }
    }

    /// Does work that takes no search, as soon as there is a thread for it.
    async fn quickly<T: DeserializeOwned + Send + 'static, A: Serialize + 'static>(
        &self,
        body: &Bytes,
        work: fn(T) -> Result<A, CallError>,
    ) -> Result<Answer, CallError> {
        let request = read(body)?;
        self.aside(move || work(request).map(|found| told(&found))).await
    }

    /// Does work on files, likewise.
    async fn on_files<T: DeserializeOwned + Send + 'static, A: Serialize + 'static>(
        &self,
        body: &Bytes,
        work: fn(&Root, T) -> Result<A, CallError>,
    ) -> Result<Answer, CallError> {
        let (request, root) = (read(body)?, self.root.clone());
        self.aside(move || work(&root, request).map(|found| told(&found))).await
    }

    /// The report at a path.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) async fn report(&self, path: String) -> Result<Answer, CallError> {
        let root = self.root.clone();
        self.aside(move || report::report(&root, &path)).await
    }

    /// Does work on another thread, as soon as there is one.
    async fn aside<A: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<A, CallError> + Send + 'static,
    ) -> Result<A, CallError> {
        let place = self.quick.clone().acquire_owned().await.expect("it is never closed");
        let work = move || {
            // Work goes on when the client leaves, and keeps its place.
            let _place = place;
            work()
        };
        spawn_blocking(work).await.map_err(crashed)?
    }

    /// The position that a course leads to, and its game.
    async fn read_course(&self, course: Course) -> Result<(GameSpec, Box<dyn Position>), CallError> {
        self.aside(move || course.read()).await
    }

    /// Lets something search for no longer than this, and answers line by line. What goes wrong meanwhile is the last line.
    fn line_by_line(
        &self,
        most: Duration,
        work: impl FnOnce(&Lines, &AtomicBool) -> Result<(), CallError> + Send + 'static,
    ) -> Result<Answer, CallError> {
        let place = self.searches.take()?;
        let search = Search::at_most(most);
        let (stop, (sender, receiver)) = (search.stop.clone(), unbounded_channel());
        let lines = Lines(sender);
        // Nobody waits for it: it ends when it is done, or stopped.
        spawn_blocking(move || {
            let _place = place;
            if let Err(error) = work(&lines, &stop) {
                lines.write(&json!({ "error": error.message }));
            }
        });
        Ok(answer(
            StatusCode::OK,
            "application/x-ndjson",
            AnswerBody::Lines { lines: receiver, _search: search },
        ))
    }
}

/// Where the lines of an answer are written.
struct Lines(UnboundedSender<Bytes>);

impl Lines {
    /// Writes a value as a line. Where the client has left it is not told, and the search ends.
    fn write(&self, value: &impl Serialize) {
        _ = self.0.send((to_json(value) + "\n").into());
    }
}

/// Answers a call.
///
/// # Errors
/// What is wrong with it.
pub(crate) async fn call(calls: &Calls, name: &str, body: Bytes) -> Result<Answer, CallError> {
    match name {
        "catalog" => calls.quickly(&body, catalog::catalog).await,
        "position" => calls.quickly(&body, position::position).await,
        "complete" => calls.quickly(&body, complete::complete).await,
        "runs" => calls.on_files(&body, runs::runs).await,
        "run" => calls.on_files(&body, runs::run).await,
        "games" => calls.on_files(&body, records::games).await,
        "game" => calls.on_files(&body, records::game).await,
        "save" => calls.on_files(&body, records::save).await,
        "read" => calls.on_files(&body, records::read).await,
        "analyse" => analyse::analyse(calls, &body).await,
        "review" => review::review(calls, &body).await,
        "choose" => choose::choose(calls, &body).await,
        _ => Err(CallError::new(StatusCode::NOT_FOUND, "there is no such call")),
    }
}

/// What a call is given.
fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, CallError> {
    let mut body = serde_json::Deserializer::from_slice(body);
    let request = serde_path_to_error::deserialize(&mut body).map_err(CallError::bad)?;
    body.end().map_err(CallError::bad)?;
    Ok(request)
}

/// The error for work that panicked: a fault of the program, not of the request.
fn crashed(_: tokio::task::JoinError) -> CallError {
    CallError::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "the program failed in this call; it goes on with others",
    )
}
