//! `position`: where a game stands, and what happened in it.

use azulejo::{Seat, Turn};
use azulejo_experiments::position::{LoggedMove, Position};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::answer::CallError;
use crate::course::{Course, turn_in_json};

/// A course, and what is wanted beside where it leads.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PositionRequest {
    game: String,
    players: usize,
    #[serde(default)]
    start: Option<Value>,
    #[serde(default)]
    moves: Vec<String>,
    /// The seed from which chance is to be played where it comes next.
    #[serde(default)]
    deal: Option<u64>,
    /// Whether all moves are to be told.
    #[serde(default)]
    log: bool,
}

/// Where a game stands.
#[derive(Serialize)]
pub(super) struct PositionAnswer {
    course: Course,
    turn: Value,
    task: &'static str,
    round: u32,
    state: Value,
    legal: Vec<LegalAction>,
    scores: Vec<i16>,
    wins: Option<Vec<f64>>,
    sources: Vec<SeatSources>,
    last: Vec<ToldMove>,
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<Vec<ToldMove>>,
}

/// A legal action.
#[derive(Serialize)]
struct LegalAction {
    action: String,
    words: String,
}

/// The points of a seat by source, in the order of the sources.
struct SeatSources(Vec<(&'static str, i16)>);

impl Serialize for SeatSources {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (source, points) in &self.0 {
            map.serialize_entry(source, points)?;
        }
        map.end()
    }
}

/// A move of the course.
#[derive(Clone, Serialize)]
struct ToldMove {
    ply: usize,
    /// A seat, or `"chance"`.
    seat: Value,
    #[serde(rename = "move")]
    token: String,
    words: String,
    round: u32,
    /// The points after it.
    scores: Vec<i16>,
}

impl From<&LoggedMove> for ToldMove {
    fn from(logged: &LoggedMove) -> Self {
        ToldMove {
            ply: logged.ply,
            seat: turn_in_json(logged.turn),
            token: logged.token.clone(),
            words: logged.words.clone(),
            round: logged.round,
            scores: logged.scores.as_slice().to_vec(),
        }
    }
}

/// Says where a course leads.
pub(super) fn position(request: PositionRequest) -> Result<PositionAnswer, CallError> {
    let PositionRequest { game, players, start, moves, deal, log } = request;
    let course = Course { game, players, start, moves };
    let (game, mut position) = course.read()?;
    if let Some(seed) = deal {
        while let Some(outcome) = position.deal(seed, 0) {
            position.play_token(&outcome).map_err(CallError::bad)?;
        }
    }
    let course = Course { game: game.to_string(), ..course }.with_moves(&*position);
    Ok(tell(course, &*position, log))
}

fn tell(course: Course, position: &dyn Position, log: bool) -> PositionAnswer {
    let all = position.log();
    let turn = position.turn();
    let legal = position.legal().into_iter().zip(position.legal_in_words());
    let breakdown = position.breakdown();
    let seat =
        |seat: Seat| SeatSources(breakdown.rows().map(|(name, points)| (name, points[seat])).collect());
    PositionAnswer {
        course,
        turn: turn_in_json(turn),
        task: position.task(),
        round: position.round(),
        state: serde_json::from_str(&position.json()).expect("a state is JSON"),
        legal: legal.map(|(action, words)| LegalAction { action, words }).collect(),
        scores: position.scores().as_slice().to_vec(),
        wins: position.wins().map(|wins| wins.as_slice().to_vec()),
        sources: Seat::all(position.players()).map(seat).collect(),
        last: since_last_turn(&all, turn).iter().map(ToldMove::from).collect(),
        log: log.then(|| all.iter().map(ToldMove::from).collect()),
    }
}

/// The moves since the last turn of the player to move, or of the last one who moved if nobody is to. The moves of a turn
/// that has begun belong to them.
fn since_last_turn(all: &[LoggedMove], turn: Turn) -> &[LoggedMove] {
    let is_player = |turn: Turn| matches!(turn, Turn::Player(_));
    let last_mover = || all.iter().rev().map(|logged| logged.turn).find(|&turn| is_player(turn));
    let Some(seat) = Some(turn).filter(|&turn| is_player(turn)).or_else(last_mover) else { return all };
    let own = |logged: &&LoggedMove| logged.turn == seat;
    let present = all.iter().rev().take_while(own).count();
    let before = &all[..all.len() - present];
    let from = before.iter().rposition(|logged| own(&logged)).map_or(0, |last| last + 1);
    &all[from..]
}
