//! `complete`: a table as it was seen, made into a whole state.

use azulejo_experiments::completion;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::CallError;

/// What was seen: a state's JSON without what follows.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CompleteRequest {
    state: Value,
}

/// The state, or what is wrong: to be told that is what is asked for, so it is no error of the call.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum CompleteAnswer {
    State(Value),
    Error(String),
}

/// Completes a state.
pub(super) fn complete(request: CompleteRequest) -> Result<CompleteAnswer, CallError> {
    Ok(match completion::complete(&request.state) {
        Ok(state) => CompleteAnswer::State(state),
        Err(error) => CompleteAnswer::Error(error.to_string()),
    })
}
