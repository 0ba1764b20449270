//! Files of game records, line by line.

use std::path::PathBuf;
use std::sync::Mutex;

use azulejo::Record;
use azulejo_experiments::export::{Column, Export};
use azulejo_experiments::record_file::{RecordFileError, records};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{BusyError, OrRaise, RecordError};

type Lines = Box<dyn Iterator<Item = Result<(Record, String), RecordFileError>> + Send>;

/// The lines of a file of records, each checked to be one; `.zst` is decompressed as it is read.
#[pyclass(frozen, module = "azulejo._azulejo", name = "RecordLines")]
pub(crate) struct RecordLines {
    lines: Mutex<Lines>,
}

#[pymethods]
impl RecordLines {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        let lines = records(&path).or_raise(RecordError::new_err)?;
        Ok(RecordLines { lines: Mutex::new(Box::new(lines)) })
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    /// The record's line as this version writes it: with its rules, where an old one named a file.
    fn __next__(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let next = py.detach(|| {
            let mut lines =
                self.lines.try_lock().map_err(|_| BusyError::new_err("another thread is reading"))?;
            lines.next().transpose().or_raise(RecordError::new_err)
        })?;
        Ok(next.map(|(record, _)| record.to_line()))
    }
}

/// The spec of a record's game, with its changed rules.
#[pyfunction]
pub(crate) fn record_spec(line: &str) -> PyResult<String> {
    let record = Record::from_line(line).or_raise(RecordError::new_err)?;
    Ok(record.spec().or_raise(RecordError::new_err)?.to_string())
}

/// Plays a record again and checks every move and the result.
#[pyfunction]
pub(crate) fn verify_record(line: &str) -> PyResult<()> {
    Record::from_line(line).and_then(|record| record.verify()).or_raise(RecordError::new_err)
}

/// The arrays of `azulejo export` from files of records of one game.
#[pyfunction]
pub(crate) fn training_rows(
    py: Python<'_>,
    files: Vec<PathBuf>,
    search_value: f32,
) -> PyResult<Bound<'_, PyDict>> {
    let export = py.detach(|| Export::read(&files, search_value)).or_raise(RecordError::new_err)?;
    let arrays = PyDict::new(py);
    for (name, dimensions, column) in export.arrays() {
        let array = match column {
            Column::I32(numbers) => PyArray1::from_slice(py, numbers).reshape(dimensions)?.into_any(),
            Column::I64(numbers) => PyArray1::from_slice(py, numbers).reshape(dimensions)?.into_any(),
            Column::F32(numbers) => PyArray1::from_slice(py, numbers).reshape(dimensions)?.into_any(),
            Column::Bool(truths) => PyArray1::from_slice(py, truths).reshape(dimensions)?.into_any(),
        };
        arrays.set_item(name, array)?;
    }
    Ok(arrays)
}
