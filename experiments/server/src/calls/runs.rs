//! `runs` and `run`: what lies under the root, and what came out of one of them.

use hyper::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::answer::CallError;
use crate::files::{Root, file_in};
use crate::report;
use crate::runs::{self, RunInfo};

/// Nothing is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RunsRequest {}

/// Which run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RunRequest {
    path: String,
}

/// A run with what came out.
#[derive(Serialize)]
pub(super) struct RunAnswer {
    #[serde(flatten)]
    run: RunInfo,
    summary: Option<Value>,
    metrics: Vec<Map<String, Value>>,
    /// Where the report can be read; null if there is none.
    report: Option<String>,
}

/// Lists the runs.
pub(super) fn runs(root: &Root, _: RunsRequest) -> Result<Vec<RunInfo>, CallError> {
    Ok(runs::all(root))
}

/// Tells of a run.
pub(super) fn run(root: &Root, request: RunRequest) -> Result<RunAnswer, CallError> {
    let place = root.find(&request.path)?;
    let missing = || CallError::new(StatusCode::NOT_FOUND, "path: no run lies there");
    let run = runs::read(root, &place).ok_or_else(missing)?;
    let report = file_in(&place, report::NAME).map(|file| report::address(&root.path_of(&file)));
    Ok(RunAnswer { summary: runs::summary(&place), metrics: runs::metrics(&place), run, report })
}
