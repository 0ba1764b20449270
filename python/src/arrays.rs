//! The caller's arrays, into which a batch writes: [`Arrays`].

use azulejo::suggestion;
use numpy::{
    Element, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn,
    PyUntypedArray, PyUntypedArrayMethods, dtype,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::Widths;
use crate::errors::ArrayError;
use crate::output::{Outputs, Rows};

/// An array of one row a game, borrowed for writing.
struct Column<'py, T: Element> {
    array: PyReadwriteArrayDyn<'py, T>,
    width: usize,
}

impl<T: Element + Copy> Column<'_, T> {
    fn rows(&mut self) -> Rows<'_, T> {
        let values = self.array.as_slice_mut().expect("it was checked that the array is contiguous");
        Rows::new(values, self.width)
    }
}

/// Declares [`Arrays`]: the names, numbers and widths of all outputs (a width of none is an array of one dimension).
macro_rules! arrays {
    ($widths:ident, $($field:ident: $number:ty, $kind:literal, $width:expr,)+) => {
        /// The arrays of a call, by the outputs' names.
        #[derive(Default)]
        pub(crate) struct Arrays<'py> {
            $($field: Option<Column<'py, $number>>,)+
        }

        impl<'py> Arrays<'py> {
            /// Checks the arrays of a call for so many games and borrows them.
            pub(crate) fn borrow(
                named: Option<&Bound<'py, PyDict>>,
                games: usize,
                $widths: Widths,
            ) -> PyResult<Self> {
                let mut arrays = Arrays::default();
                for (name, value) in named.into_iter().flatten() {
                    let name: String = name.extract()?;
                    match name.as_str() {
                        _ if value.is_none() => {}
                        $(stringify!($field) => {
                            let width: Option<usize> = $width;
                            let array = borrow_writable(&name, &value, (games, width), $kind)?;
                            arrays.$field = Some(Column { array, width: width.unwrap_or(1) });
                        })+
                        _ => return Err(unknown(&name)),
                    }
                }
                Ok(arrays)
            }

            /// Where a batch writes.
            pub(crate) fn outputs(&mut self) -> Outputs<'_> {
                Outputs { $($field: self.$field.as_mut().map(Column::rows),)+ }
            }

            /// For each output its name, its dtype and the width of a row.
            pub(crate) fn columns($widths: Widths) -> Vec<(&'static str, &'static str, Option<usize>)> {
                vec![$((stringify!($field), $kind, $width),)+]
            }
        }

        /// The names of all outputs.
        const NAMES: &[&str] = &[$(stringify!($field)),+];
    };
}

arrays! {
    widths,
    observations: u8, "uint8", Some(widths.observation),
    active: i32, "int32", Some(widths.active),
    active_counts: i32, "int32", None,
    masks: u8, "uint8", Some(widths.actions),
    legal: i32, "int32", Some(widths.legal),
    legal_counts: i32, "int32", None,
    rewards: f32, "float32", Some(widths.players),
    scores: i32, "int32", Some(widths.players),
    turns: i8, "int8", None,
    ends: u8, "uint8", None,
}

fn unknown(name: &str) -> PyErr {
    let known = NAMES.join(", ");
    let hint = suggestion(name, &known);
    ArrayError::new_err(format!("unknown array '{}'; known arrays: {known}{hint}", azulejo::excerpt(name)))
}

/// Checks and borrows an array of a shape: so many rows of a width, or of one dimension without.
fn borrow_writable<'py, T: Element>(
    name: &str,
    value: &Bound<'py, PyAny>,
    (games, width): (usize, Option<usize>),
    kind: &str,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    let shape: Vec<usize> = [games].into_iter().chain(width).collect();
    let array = checked::<T>(name, value, &shape, kind)?;
    array.try_readwrite().map_err(|error| ArrayError::new_err(format!("{name}: {error}")))
}

/// An array of this name, dtype and shape, to be read.
pub(crate) fn read_array<'py, T: Element>(
    name: &str,
    value: &Bound<'py, PyAny>,
    shape: &[usize],
    kind: &str,
) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    let array = checked::<T>(name, value, shape, kind)?;
    array.try_readonly().map_err(|error| ArrayError::new_err(format!("{name}: {error}")))
}

/// The numbers of an array of one dimension.
pub(crate) fn read_integers(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let length = value.len().unwrap_or(0);
    let mut numbers = Vec::with_capacity(length);
    read_numbers(name, value, length, &mut numbers)?;
    Ok(numbers)
}

/// The actions of a call, one for each game.
pub(crate) fn read_actions(value: &Bound<'_, PyAny>, games: usize, actions: &mut Vec<i64>) -> PyResult<()> {
    read_numbers("actions", value, games, actions)
}

/// Clears `numbers` and fills it with those of an array of this length.
fn read_numbers(name: &str, value: &Bound<'_, PyAny>, length: usize, numbers: &mut Vec<i64>) -> PyResult<()> {
    const KIND: &str = "int64 or int32";
    numbers.clear();
    let is_short = value
        .cast::<PyUntypedArray>()
        .is_ok_and(|array| array.dtype().is_equiv_to(&dtype::<i32>(value.py())));
    if is_short {
        let array = read_array::<i32>(name, value, &[length], KIND)?;
        let short = array.as_slice().expect("it was checked that the array is contiguous");
        numbers.extend(short.iter().map(|&number| i64::from(number)));
    } else {
        let array = read_array::<i64>(name, value, &[length], KIND)?;
        numbers.extend_from_slice(array.as_slice().expect("it was checked that the array is contiguous"));
    }
    Ok(())
}

/// An array for the caller to write actions into.
pub(crate) fn borrow_actions<'py>(
    value: &Bound<'py, PyAny>,
    games: usize,
) -> PyResult<PyReadwriteArrayDyn<'py, i64>> {
    borrow_writable("actions", value, (games, None), "int64")
}

/// The array of this name, if it has the dtype, the shape and C's order.
fn checked<'py, T: Element>(
    name: &str,
    value: &Bound<'py, PyAny>,
    shape: &[usize],
    kind: &str,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let refuse = |found: String| {
        let size: Vec<String> = shape.iter().map(ToString::to_string).collect();
        let comma = if shape.len() == 1 { "," } else { "" };
        let expected = format!("a contiguous numpy array of {kind} with shape ({}{comma})", size.join(", "));
        ArrayError::new_err(format!("{name}: found {found}, expected {expected}"))
    };
    let Ok(array) = value.cast::<PyUntypedArray>() else {
        return Err(refuse(format!("{}", value.get_type().name()?)));
    };
    if array.shape() != shape {
        return Err(refuse(format!("shape {}", value.getattr("shape")?)));
    }
    let wanted = dtype::<T>(value.py());
    let found = array.dtype();
    // Truths, and bytes with a sign, are 0 and 1 as well.
    let same_bytes = wanted.is_equiv_to(&dtype::<u8>(value.py()))
        && (found.is_equiv_to(&dtype::<bool>(value.py())) || found.is_equiv_to(&dtype::<i8>(value.py())));
    if !found.is_equiv_to(&wanted) && !same_bytes {
        return Err(refuse(format!("dtype {found}")));
    }
    if !array.is_c_contiguous() {
        return Err(refuse("an array that is not contiguous".to_owned()));
    }
    let array = if same_bytes { value.call_method1("view", ("uint8",))? } else { value.clone() };
    Ok(array.cast_into::<PyArrayDyn<T>>()?)
}
