//! Weights as a point: the numbers of a TOML table in order.

use toml::{Table, Value};

/// The numbers of a table of weights, with the table that says where they belong.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Point {
    table: Table,
    names: Vec<String>,
    values: Vec<f64>,
}

/// A weight that is smaller is moved as if it had this size.
const LEAST_SIZE: f64 = 0.3;

impl Point {
    /// The numbers of a table, those of nested lists and tables included.
    pub(crate) fn of(table: Table) -> Self {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for (key, value) in &table {
            collect(key, value, &mut names, &mut values);
        }
        Point { table, names, values }
    }

    /// The numbers' names: `line`, `line.2` for the third of a list.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The numbers.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The size of each number, from which the length of a step is reckoned.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().map(|value| value.abs().max(LEAST_SIZE))
    }

    /// A table like this one with other numbers, rounded to four places.
    pub(crate) fn table(&self, values: &[f64]) -> Table {
        let mut values = values.iter().map(|value| (value * 1e4).round() / 1e4);
        let mut table = self.table.clone();
        table.iter_mut().for_each(|(_, value)| replace(value, &mut values));
        table
    }
}

fn collect(name: &str, value: &Value, names: &mut Vec<String>, values: &mut Vec<f64>) {
    let mut number = |value| {
        names.push(name.to_owned());
        values.push(value);
    };
    match value {
        Value::Float(value) => number(*value),
        Value::Integer(value) => number(*value as f64),
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                collect(&format!("{name}.{index}"), value, names, values);
            }
        }
        Value::Table(table) => {
            for (key, value) in table {
                collect(&format!("{name}.{key}"), value, names, values);
            }
        }
        _ => {}
    }
}

fn replace(value: &mut Value, values: &mut impl Iterator<Item = f64>) {
    match value {
        Value::Float(_) | Value::Integer(_) => {
            *value = Value::Float(values.next().expect("there are as many numbers as were collected"));
        }
        Value::Array(list) => list.iter_mut().for_each(|value| replace(value, values)),
        Value::Table(table) => table.iter_mut().for_each(|(_, value)| replace(value, values)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_out_and_go_back() {
        let table: Table = "floor = 1.5\nlines = [1, 2.5]\n[wall]\nrow = -0.1\nname = 'x'".parse().unwrap();
        let point = Point::of(table);
        assert_eq!(point.names(), ["floor", "lines.0", "lines.1", "wall.row"]);
        assert_eq!(point.values(), [1.5, 1.0, 2.5, -0.1]);
        assert_eq!(point.sizes().collect::<Vec<_>>(), [1.5, 1.0, 2.5, 0.3]);
        let moved = point.table(&[1.0, 2.0, 3.0, 0.123_456]);
        let expected: Table =
            "floor = 1.0\nlines = [2.0, 3.0]\n[wall]\nrow = 0.1235\nname = 'x'".parse().unwrap();
        assert_eq!(moved, expected);
    }
}
