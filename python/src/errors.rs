//! The package's exceptions, which are Python classes of the module `azulejo.errors`, and how errors become
//! them.

use std::fmt::Display;

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::{PyErr, import_exception};

import_exception!(azulejo.errors, AgentError);
import_exception!(azulejo.errors, ArrayError);
import_exception!(azulejo.errors, BusyError);
import_exception!(azulejo.errors, IllegalActionError);
import_exception!(azulejo.errors, NetworkError);
import_exception!(azulejo.errors, RecordError);
import_exception!(azulejo.errors, RunError);
import_exception!(azulejo.errors, SpecError);
import_exception!(azulejo.errors, StateError);

/// An error as an exception, with the words that the program has for it.
pub(crate) trait OrRaise<T> {
    /// The value, or the exception that `make` returns for the error's message.
    fn or_raise(self, make: fn(String) -> PyErr) -> Result<T, PyErr>;
}

impl<T, E: Display> OrRaise<T> for Result<T, E> {
    fn or_raise(self, make: fn(String) -> PyErr) -> Result<T, PyErr> {
        self.map_err(|error| make(error.to_string()))
    }
}

/// A seed: a whole number from 0 to 2⁶⁴ − 1.
pub(crate) fn read_seed(seed: &Bound<'_, PyAny>) -> PyResult<u64> {
    seed.extract().map_err(|error: PyErr| {
        if !error.is_instance_of::<PyOverflowError>(seed.py()) {
            return error;
        }
        SpecError::new_err(format!("seed: found {seed}, expected 0 to {}", u64::MAX))
    })
}
