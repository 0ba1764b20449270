//! What an adviser says, in words and as a bar.

use azulejo::{Game, PerPlayer, Seat};
use azulejo_agents::{Decision, SearchSummary};
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};

use crate::display::GameDisplay;

/// Actions that a hint lists.
const LISTED: usize = 4;
/// Actions of the expected line that a hint lists.
const LINE: usize = 8;

/// Columns of the bar.
const BAR: usize = 32;

/// The seats' colors in a bar.
const SEAT_COLORS: [Color; 4] = [Color::Cyan, Color::LightRed, Color::LightGreen, Color::LightMagenta];

/// Each seat's share of the win as the values of a search say it: (1 + value) / 2, together 1.
///
/// For values that are pure win shares this returns them; values that mix in the lead in points become shares
/// of that mixture.
pub(crate) fn shares(values: &PerPlayer<f32>) -> PerPlayer<f32> {
    let parts = values.map(|value| f32::midpoint(value, 1.0).clamp(0.0, 1.0));
    let sum: f32 = parts.as_slice().iter().sum();
    let players = parts.players() as f32;
    parts.map(|part| if sum > 0.0 { part / sum } else { 1.0 / players })
}

/// `seat 0 62 %, seat 1 38 %`
pub(crate) fn shares_in_words(shares: &PerPlayer<f32>) -> String {
    let share = |(seat, share): (Seat, &f32)| format!("seat {seat} {:.0} %", 100.0 * share);
    shares.iter().map(share).collect::<Vec<_>>().join(", ")
}

/// The bar, and after it the shares in numbers.
pub(crate) fn evaluation_line(shares: &PerPlayer<f32>) -> Line<'static> {
    let mut line = bar(shares, BAR);
    let numbers = shares.iter().map(|(seat, share)| format!("  {seat}: {:.0} %", 100.0 * share));
    line.spans.push(Span::raw(numbers.collect::<String>()));
    line
}

/// A bar of `width` columns in which every seat has its share, drawn in its digit.
fn bar(shares: &PerPlayer<f32>, width: usize) -> Line<'static> {
    let (mut spans, mut end, mut drawn) = (Vec::new(), 0.0, 0);
    for (seat, share) in shares.iter() {
        end += share * width as f32;
        let until = (end.round() as usize).min(width);
        let style = Style::new().bg(SEAT_COLORS[seat.index()]).fg(Color::Black);
        spans.push(Span::styled(seat.to_string().repeat(until.saturating_sub(drawn)), style));
        drawn = until.max(drawn);
    }
    Line::from(spans)
}

/// What the adviser would do, with its values: a few lines.
pub(super) fn hint<G: GameDisplay>(state: &G, name: &str, decision: &Decision<G>) -> Vec<String> {
    let action = decision.action;
    let mut lines = vec![format!("hint ({name}): {action}: {}", state.action_in_words(action))];
    match decision.search.as_ref().filter(|search| search.has_values()) {
        None => lines.push("it has no values: it does not search, or has only one choice".to_owned()),
        Some(search) => lines.extend(findings(search)),
    }
    lines
}

fn findings<G: Game>(search: &SearchSummary<G>) -> [String; 3] {
    let visits: u64 = search.visits.iter().map(|visit| u64::from(visit.1)).sum();
    let visited = |(action, count): &(G::Action, u32)| {
        format!("{action} {:.0} %", 100.0 * f64::from(*count) / visits.max(1) as f64)
    };
    let most: Vec<String> = search.visits.iter().take(LISTED).map(visited).collect();
    let lead = search.candidates.first().map(|best| format!("; lead expected: {:+.1}", best.lead));
    let line: Vec<String> = search.line().iter().take(LINE).map(ToString::to_string).collect();
    [
        format!("win shares: {}{}", shares_in_words(&search.wins), lead.unwrap_or_default()),
        format!("weighed most: {}", most.join(", ")),
        format!("expected: {}", line.join(" ")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::plain;

    #[test]
    fn win_shares_come_back_and_mixtures_add_up_to_one() {
        let values = PerPlayer::from_fn(2, |seat| [0.24f32, -0.24][seat.index()]);
        assert_eq!(shares_in_words(&shares(&values)), "seat 0 62 %, seat 1 38 %");
        let values = PerPlayer::from_fn(4, |seat| [0.5f32, 0.1, -0.3, -1.0][seat.index()]);
        let sum: f32 = shares(&values).as_slice().iter().sum();
        assert!((sum - 1.0).abs() < 1e-6);
        assert_eq!(shares(&PerPlayer::splat(4, -1.0)).as_slice(), [0.25; 4]);
    }

    #[test]
    fn the_bar_has_its_width() {
        for share in [0.0, 0.124, 0.5, 0.999, 1.0] {
            let shares = PerPlayer::from_fn(2, |seat| [share, 1.0 - share][seat.index()]);
            assert_eq!(bar(&shares, 30).width(), 30);
        }
        let shares = PerPlayer::from_fn(3, |seat| [0.5, 0.25, 0.25][seat.index()]);
        assert_eq!(plain(&bar(&shares, 8)), "00001122");
    }
}
