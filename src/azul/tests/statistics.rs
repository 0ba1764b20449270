//! Uniform random play of two on the colored wall, against figures on which several independent engines
//! agree.

use crate::azul::{Azul, AzulRules};
use crate::game::{Game, Turn};
use crate::player::Seat;
use crate::{intern, testing};

/// A sample's mean with its standard error.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Sample {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    fn standard_error(&self) -> f64 {
        ((self.squares / self.count - self.mean().powi(2)) / self.count).sqrt()
    }

    /// Fails unless the mean is within 4 standard errors of a figure that was rounded to `rounding`.
    fn check(&self, name: &str, published: f64, rounding: f64) {
        let distance = (self.mean() - published).abs();
        let allowed = 4.0 * self.standard_error() + rounding / 2.0;
        assert!(
            distance <= allowed,
            "{name}: {} instead of {published}, more than {allowed} away",
            self.mean()
        );
    }
}

/// One game's contribution to the figures.
#[derive(Default)]
struct Figures {
    actions: Sample,
    rounds: Sample,
    opening: Sample,
    score: Sample,
    first_wins: Sample,
    second_wins: Sample,
    shared: Sample,
    /// Legal actions over all decisions, and the decisions of each game: a ratio of two sums.
    legal: Vec<(f64, f64)>,
    least_opening: f64,
    most_opening: f64,
}

impl Figures {
    fn add_game(&mut self, game: &Azul, decisions: f64, legal: f64) {
        self.actions.add(decisions);
        self.rounds.add(game.round().into());
        self.legal.push((legal, decisions));
        let scores = game.scores();
        self.score.add(scores.as_slice().iter().map(|&score| f64::from(score)).sum::<f64>() / 2.0);
        let first = game.wins()[Seat::new(0)];
        self.first_wins.add(f64::from(u8::from(first == 1.0)));
        self.second_wins.add(f64::from(u8::from(first == 0.0)));
        self.shared.add(f64::from(u8::from(first == 0.5)));
    }

    fn add_opening(&mut self, legal: f64) {
        self.opening.add(legal);
        self.least_opening = if self.opening.count == 1.0 { legal } else { self.least_opening.min(legal) };
        self.most_opening = self.most_opening.max(legal);
    }

    /// The mean over all decisions, with the standard error of a ratio estimate.
    fn check_legal(&self, published: f64, rounding: f64) {
        let games = self.legal.len() as f64;
        let (legal, decisions) =
            self.legal.iter().fold((0.0, 0.0), |sum, game| (sum.0 + game.0, sum.1 + game.1));
        let ratio = legal / decisions;
        let squares: f64 = self.legal.iter().map(|game| (game.0 - ratio * game.1).powi(2)).sum();
        let standard_error = (squares / games).sqrt() / (decisions / games) / games.sqrt();
        let allowed = 4.0 * standard_error + rounding / 2.0;
        assert!((ratio - published).abs() <= allowed, "{ratio} legal actions instead of {published}");
    }
}

fn play(games: u64) -> Figures {
    let mut figures = Figures::default();
    let (mut legal_now, mut decisions, mut legal) = (Vec::new(), 0.0, 0.0);
    let rules = intern(AzulRules::default());
    testing::play_games(&testing::uniform::<Azul>, rules, 2, games, 1, |game: &Azul| match game.turn() {
        Turn::Chance => {}
        Turn::Player(_) => {
            game.legal_actions(&mut legal_now);
            if decisions == 0.0 {
                figures.add_opening(legal_now.len() as f64);
            }
            decisions += 1.0;
            legal += legal_now.len() as f64;
        }
        Turn::Over => {
            figures.add_game(game, decisions, legal);
            (decisions, legal) = (0.0, 0.0);
        }
    });
    figures
}

#[test]
fn random_games_have_the_known_statistics() {
    let figures = play(20_000);
    figures.actions.check("actions a game", 70.35, 0.01);
    figures.rounds.check("rounds", 6.597, 0.001);
    figures.check_legal(23.15, 0.01);
    figures.opening.check("legal actions at the opening", 89.5, 0.1);
    figures.score.check("mean score", 2.95, 0.01);
    figures.first_wins.check("the first seat wins", 0.481, 0.001);
    figures.second_wins.check("the second seat wins", 0.464, 0.001);
    figures.shared.check("shared wins", 0.055, 0.001);
    assert_eq!(figures.most_opening, 120.0);
    // 54 is rare: no opening of this sample may lie below it.
    assert!(figures.least_opening >= 54.0, "{}", figures.least_opening);
}
