//! Answers: bodies, and errors as a status and a sentence.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body_util::Full;
use hyper::body::{Body, Bytes, Frame};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use serde::Serialize;
use serde_json::json;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::search::Search;

/// What is answered.
pub(crate) type Answer = Response<AnswerBody>;

/// The body of an answer: whole, or line by line while something is searched for.
pub(crate) enum AnswerBody {
    /// All of it.
    Whole(Full<Bytes>),
    /// Lines as they come. The search ends when the client has left, as the body is dropped then.
    Lines {
        /// The lines.
        lines: UnboundedReceiver<Bytes>,
        /// What ends the search when it is dropped.
        _search: Search,
    },
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.get_mut() {
            AnswerBody::Whole(body) => Pin::new(body).poll_frame(context),
            AnswerBody::Lines { lines, .. } => {
                lines.poll_recv(context).map(|line| Some(Ok(Frame::data(line?))))
            }
        }
    }
}

/// An answer with a body of this type.
pub(crate) fn answer(status: StatusCode, kind: &'static str, body: AnswerBody) -> Answer {
    let mut answer = Response::new(body);
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}

/// Bytes as they are.
pub(crate) fn whole(kind: &'static str, bytes: impl Into<Bytes>) -> Answer {
    answer(StatusCode::OK, kind, AnswerBody::Whole(Full::new(bytes.into())))
}

/// A value as JSON.
pub(crate) fn told(value: &impl Serialize) -> Answer {
    whole("application/json", to_json(value))
}

/// A value as JSON, without the line's end.
pub(crate) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("answers have only plain values and text keys")
}

/// Why a call is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CallError {
    /// The kind of fault.
    pub status: StatusCode,
    /// What is wrong, in one sentence.
    pub message: String,
}

impl CallError {
    /// A fault of this kind.
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        CallError { status, message: message.into() }
    }

    /// What was asked for cannot be used.
    pub(crate) fn bad(message: impl ToString) -> Self {
        CallError::new(StatusCode::BAD_REQUEST, message.to_string())
    }

    /// The answer that says so.
    pub(crate) fn answer(&self) -> Answer {
        let body = to_json(&json!({ "error": self.message }));
        answer(self.status, "application/json", AnswerBody::Whole(Full::new(body.into())))
    }
}
