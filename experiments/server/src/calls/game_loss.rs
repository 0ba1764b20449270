//! What a recorded game's moves lost, as its line in a file says: [`GameLoss`].

use serde::{Deserialize, Serialize};

/// What the moves of a game lost, all seats together.
#[derive(Clone, Copy, Default, Serialize)]
pub(super) struct GameLoss {
    /// Of the win.
    pub loss: Option<f32>,
    /// In points.
    pub points_lost: Option<f32>,
}

impl GameLoss {
    /// What a record's line says; players that keep what they have searched tell no losses.
    pub(super) fn of_line(line: &str) -> Self {
        let judged = line.contains("\"analysis\"").then(|| serde_json::from_str::<JudgedLine>(line).ok());
        let verdicts = judged.flatten().map(|judged| judged.analysis).unwrap_or_default();
        let sum = |part: fn(&MoveLoss) -> Option<f32>| {
            verdicts.iter().flatten().filter_map(part).reduce(|sum, lost| sum + lost)
        };
        GameLoss { loss: sum(|it| it.loss), points_lost: sum(|it| it.points_lost) }
    }
}

/// What the verdicts of a record's line say.
#[derive(Deserialize)]
struct JudgedLine {
    #[serde(default)]
    analysis: Vec<Option<MoveLoss>>,
}

/// What a verdict says of a move's losses.
#[derive(Deserialize)]
struct MoveLoss {
    #[serde(default)]
    loss: Option<f32>,
    #[serde(default)]
    points_lost: Option<f32>,
}
