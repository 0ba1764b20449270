//! The course of a training run as an event file, which TensorBoard shows.
//!
//! An event file is a row of frames: the length of the data in 8 bytes, a checksum of these, the data, a
//! checksum of the data (TensorFlow, `core/lib/io/record_writer.cc`), all little-endian. The data is an
//! [`Event`] as a protocol buffer (`core/util/event.proto`, `core/framework/summary.proto`). The first one
//! names the version, then comes one for each stage.

use std::fs::OpenOptions;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use prost::Message;

use super::metrics::Row;

/// TensorBoard knows the files that it reads by the middle of their name.
pub(super) const FILE: &str = "events.out.tfevents.azulejo";

#[derive(Clone, PartialEq, Message)]
struct Event {
    /// When it was written, in seconds since 1970.
    #[prost(double, tag = "1")]
    wall_time: f64,
    /// The optimizer's steps so far.
    #[prost(int64, tag = "2")]
    step: i64,
    #[prost(oneof = "What", tags = "3, 5")]
    what: Option<What>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
enum What {
    #[prost(string, tag = "3")]
    FileVersion(String),
    #[prost(message, tag = "5")]
    Summary(EventSummary),
}

#[derive(Clone, PartialEq, Message)]
struct EventSummary {
    #[prost(message, repeated, tag = "1")]
    values: Vec<Value>,
}

#[derive(Clone, PartialEq, Message)]
struct Value {
    #[prost(string, tag = "1")]
    tag: String,
    /// One of several kinds of values in the original, so that 0 is written too.
    #[prost(float, optional, tag = "2")]
    simple_value: Option<f32>,
}

/// Gives the file an event for each of the rows.
///
/// Events that are there already stay, since TensorBoard reads on where it stopped. What a run that was
/// killed has left half written, or wrote after its checkpoint, is cut off.
///
/// # Errors
/// If the file cannot be read or written.
pub(super) fn write(path: &Path, rows: &[Row]) -> std::io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let wall_time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
    let version = Event { wall_time, step: 0, what: Some(What::FileVersion("brain.Event:2".to_owned())) };
    let events = rows.iter().map(|row| Event { wall_time, step: row.steps as i64, what: Some(values(row)) });

    let (mut rest, mut lacking) = (&bytes[..], Vec::new());
    for event in std::iter::once(version).chain(events) {
        match read(rest) {
            Some((known, after))
                if lacking.is_empty() && (known.step, &known.what) == (event.step, &event.what) =>
            {
                rest = after;
            }
            _ => lacking.extend(frame(&event)),
        }
    }
    let end = (bytes.len() - rest.len()) as u64;
    file.set_len(end)?;
    file.seek(SeekFrom::Start(end))?;
    file.write_all(&lacking)
}

/// What a row tells, by the names under which TensorBoard shows it.
fn values(row: &Row) -> What {
    let value = |tag: String, value: f64| Value { tag, simple_value: Some(value as f32) };
    let mut values = vec![
        value("run/games".to_owned(), row.games as f64),
        value("run/positions".to_owned(), row.positions as f64),
        value("run/moves a game".to_owned(), row.plies),
        value("run/learning rate".to_owned(), row.learning_rate.into()),
    ];
    let [seen, unseen] = [row.seen, row.unseen];
    let losses = [
        ("loss", row.losses),
        ("loss on seen games", seen.map(|it| it.means)),
        ("loss on unseen games", unseen.map(|it| it.means)),
        ("standard error on seen games", seen.and_then(|it| it.errors)),
        ("standard error on unseen games", unseen.and_then(|it| it.errors)),
    ];
    for (name, losses) in losses {
        let Some(losses) = losses else { continue };
        let heads = [("policy", losses.policy), ("wins", losses.wins), ("scores", losses.scores)];
        values.extend(heads.map(|(head, loss)| value(format!("{name}/{head}"), loss.into())));
    }
    for share in &row.shares {
        let opponent = &share.opponent;
        let numbers = share.share.iter().flat_map(|share| {
            [
                ("win share", Some(share.value)),
                ("win share low", share.low()),
                ("win share high", share.high()),
            ]
        });
        let numbers = numbers.filter_map(|(name, number)| Some((name, number?)));
        let lead = share.scores[0].zip(share.scores[1]).map(|(own, other)| ("lead", own - other));
        values.extend(numbers.chain(lead).map(|(name, it)| value(format!("{name}/{opponent}"), it)));
    }
    What::Summary(EventSummary { values })
}

/// A checksum that is also of use where the data contains checksums.
fn checksum(bytes: &[u8]) -> [u8; 4] {
    crc32c::crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8).to_le_bytes()
}

fn frame(event: &Event) -> Vec<u8> {
    let data = event.encode_to_vec();
    let length = (data.len() as u64).to_le_bytes();
    [&length[..], &checksum(&length), &data, &checksum(&data)].concat()
}

/// The first event and what follows it; `None` if it is not whole.
fn read(bytes: &[u8]) -> Option<(Event, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let (check, rest) = rest.split_first_chunk::<4>()?;
    if checksum(length) != *check {
        return None;
    }
    let (data, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let (check, rest) = rest.split_first_chunk::<4>()?;
    if checksum(data) != *check {
        return None;
    }
    Some((Event::decode(data).ok()?, rest))
}

/// The steps of the events after the first one, if the file is whole.
#[cfg(test)]
pub(super) fn steps(path: &Path) -> Option<Vec<i64>> {
    let bytes = std::fs::read(path).ok()?;
    let (_, mut rest) = read(&bytes)?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        let (event, after) = read(rest)?;
        steps.push(event.step);
        rest = after;
    }
    Some(steps)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use azulejo_agents::neural::Losses;

    use super::*;
    use crate::stats::{Estimate, Interval};
    use crate::train::{OpponentShare, SampledLosses};

    fn row(generation: u64) -> Row {
        let share = OpponentShare {
            opponent: "greedy".to_owned(),
            games: 10,
            share: Some(Estimate { value: 0.0, interval: Some(Interval { low: 0.0, high: 0.25 }) }),
            scores: [Some(30.0), Some(45.0)],
            forfeits: [0; 2],
        };
        Row {
            generation,
            steps: 100 * generation,
            games: 7,
            positions: 300,
            losses: (generation > 0).then_some(Losses { policy: 1.5, wins: 0.5, scores: 0.25 }),
            seen: (generation > 0).then_some(SampledLosses {
                means: Losses { policy: 1.25, wins: 0.25, scores: 0.125 },
                errors: None,
            }),
            unseen: (generation > 0).then_some(SampledLosses {
                means: Losses { policy: 1.75, wins: 0.75, scores: 0.5 },
                errors: Some(Losses { policy: 0.5, wins: 0.25, scores: 0.125 }),
            }),
            learning_rate: 0.001,
            plies: 61.5,
            shares: vec![share],
        }
    }

    #[test]
    fn events_are_read_back() {
        assert_eq!(crc32c::crc32c(b"123456789"), 0xe306_9283, "the check value of CRC-32C");
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(FILE);
        let rows: Vec<Row> = (0..3).map(row).collect();
        write(&path, &rows).unwrap();
        let bytes = fs::read(&path).unwrap();
        // All event files begin with the length and the checksum of the same 24 bytes.
        assert_eq!(bytes[..12], *b"\x18\0\0\0\0\0\0\0\xa3\x7fK\"");
        let (first, rest) = read(&bytes).unwrap();
        assert_eq!(first.what, Some(What::FileVersion("brain.Event:2".to_owned())));
        assert!(first.wall_time > 1.6e9);
        let (_, rest) = read(rest).unwrap();
        let (second, _) = read(rest).unwrap();
        assert_eq!(second.step, 100);
        let Some(What::Summary(summary)) = second.what else { panic!("not a summary") };
        let found: Vec<(&str, Option<f32>)> =
            summary.values.iter().map(|value| (&*value.tag, value.simple_value)).collect();
        let expected = [
            ("run/games", 7.0),
            ("run/positions", 300.0),
            ("run/moves a game", 61.5),
            ("run/learning rate", 0.001),
            ("loss/policy", 1.5),
            ("loss/wins", 0.5),
            ("loss/scores", 0.25),
            ("loss on seen games/policy", 1.25),
            ("loss on seen games/wins", 0.25),
            ("loss on seen games/scores", 0.125),
            ("loss on unseen games/policy", 1.75),
            ("loss on unseen games/wins", 0.75),
            ("loss on unseen games/scores", 0.5),
            ("standard error on unseen games/policy", 0.5),
            ("standard error on unseen games/wins", 0.25),
            ("standard error on unseen games/scores", 0.125),
            ("win share/greedy", 0.0),
            ("win share low/greedy", 0.0),
            ("win share high/greedy", 0.25),
            ("lead/greedy", -15.0),
        ];
        assert_eq!(found, expected.map(|(tag, value)| (tag, Some(value))));
    }

    #[test]
    fn an_interrupted_file_goes_on_without_doubles() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(FILE);
        let rows: Vec<Row> = (0..4).map(row).collect();
        write(&path, &rows[..2]).unwrap();
        let two = fs::read(&path).unwrap();
        write(&path, &rows[..3]).unwrap();
        let three = fs::read(&path).unwrap();
        assert!(three.starts_with(&two), "what has been read stays");
        // Torn in the third event, then damaged in it, then with one that the checkpoint does not know.
        for left in
            [three[..three.len() - 5].to_vec(), [&three[..three.len() - 1], b"x"].concat(), three.clone()]
        {
            fs::write(&path, &left).unwrap();
            write(&path, &rows[..2]).unwrap();
            assert!(fs::read(&path).unwrap() == two);
        }
        write(&path, &rows).unwrap();
        assert_eq!(steps(&path), Some(vec![0, 100, 200, 300]));
        fs::write(&path, "something else").unwrap();
        write(&path, &rows).unwrap();
        assert_eq!(steps(&path), Some(vec![0, 100, 200, 300]));
    }
}
