//! What a game says of its states: [`Outcomes`].

use azulejo::record::Analysis;
use azulejo::{Game, History, MAX_PLAYERS, Record};

use super::random_moves::RandomMoves;
use super::search_values::{SearchValues, results};

/// What the states of a finished game came to.
///
/// After the last move that was drawn at random, and in games without any, that is the game's result and its final points. A
/// state before a random move came to the state in which that was drawn: the last search on the way there says what
/// it was worth, as a return that is cut off and bootstrapped (Sutton 1988). Searches do not tell points.
#[derive(Debug)]
pub(super) struct Outcomes<'a> {
    record: &'a Record,
    random: RandomMoves,
    search_values: SearchValues,
}

/// What a state came to, by seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outcome<'a> {
    /// The shares of the win, 0 beyond the seats; `None` where nothing tells them.
    pub wins: Option<[f32; MAX_PLAYERS]>,
    /// The final points; `None` where they are not what the state came to.
    pub scores: Option<&'a [i16]>,
}

impl<'a> Outcomes<'a> {
    /// The outcomes of a game with this record and course.
    pub(super) fn new<G: Game>(
        record: &'a Record,
        history: &History<G>,
        search_values: SearchValues,
    ) -> Self {
        Outcomes { record, random: RandomMoves::of(record, history), search_values }
    }

    /// What the state before the move `ply` came to; `searched` is the move whose search tells of this state.
    pub(super) fn of(&self, ply: usize, searched: usize) -> Outcome<'a> {
        let (found, known) = (self.values(searched), self.search_values);
        let (came_to, scores) = match self.random.next(ply) {
            None => (Some(results(self.record)), Some(&self.record.scores[..])),
            Some(random) => {
                let last = (ply..random).rev().find_map(|before| self.values(before));
                (last.filter(|_| known != SearchValues::IGNORED).map(|last| known.shares(last)), None)
            }
        };
        let wins = came_to.map(|shares| found.map_or(shares, |found| known.blend(&shares, found)));
        Outcome { wins, scores }
    }

    /// The utilities that the search before a move found.
    fn values(&self, ply: usize) -> Option<&'a [f32]> {
        let analyses: &'a [Option<Analysis>] = self.record.analysis.as_deref().unwrap_or_default();
        let found = analyses.get(ply)?.as_ref()?;
        Some(&found.values[..]).filter(|values| values.len() == self.record.players)
    }
}

#[cfg(test)]
mod tests {
    use azulejo::azul::{Azul, AzulRules};
    use azulejo::{End, Game, Generator, Move, Turn, intern};

    use super::*;
    use crate::train::examples::examples;
    use crate::train::search_values::SearchSamples;

    const VALUES: SearchValues = SearchValues { weight: 0.25, slope: 1.5 };

    /// What the search before a move says of the first seat.
    fn utility(ply: usize) -> f32 {
        0.5 - ply as f32 / 100.0
    }

    /// A game for two as training records it: every action has an analysis with a policy but those with the given places among
    /// the actions. Also the numbers of the actions' moves.
    fn game(random: &[usize], values: bool) -> (History<Azul>, Record, Vec<usize>) {
        let mut history = History::<Azul>::new(intern(AzulRules::default()), 2);
        let (mut rng, mut legal) = (Generator::new(3), Vec::new());
        let (mut analyses, mut actions) = (Vec::new(), Vec::new());
        while history.state().turn() != Turn::Over {
            let (ply, played) = (analyses.len(), Move::draw(history.state(), &mut rng, &mut legal));
            let token = match played {
                Move::Action(action) if !random.contains(&actions.len()) => Some(action.to_string()),
                _ => None,
            };
            actions.extend(matches!(played, Move::Action(_)).then_some(ply));
            analyses.push(token.map(|token| Analysis {
                values: if values { vec![utility(ply), -utility(ply)] } else { Vec::new() },
                visits: Vec::new(),
                policy: vec![(token, 1.0)],
                ..Analysis::default()
            }));
            history.push(played).unwrap();
        }
        let record = Record::new(&history, End::Finished, vec!["neural".to_owned(); 2], 1, 0);
        (history, record.with_analysis(analyses), actions)
    }

    #[test]
    fn what_came_after_a_random_move_is_not_learned_before_it() {
        // The opening, and a move of the second round.
        let (history, record, actions) = game(&[0, 12], true);
        let outcomes = Outcomes::new(&record, &history, VALUES);
        let (opening, random) = (actions[0], actions[12]);
        let nothing = Outcome { wins: None, scores: None };
        assert_eq!([opening, random].map(|ply| outcomes.of(ply, ply)), [nothing; 2]);
        let share = |ply: usize| 1.0 / (1.0 + (-2.0 * VALUES.slope * utility(ply)).exp());
        for &ply in &actions[1..12] {
            let Outcome { wins, scores } = outcomes.of(ply, ply);
            let expected = 0.75 * share(actions[11]) + 0.25 * share(ply);
            let wins = wins.unwrap();
            assert!((wins[0] - expected).abs() < 1e-6 && (wins[0] + wins[1] - 1.0).abs() < 1e-6, "{ply}");
            assert_eq!(scores, None);
        }
        for &ply in &actions[13..] {
            let Outcome { wins, scores } = outcomes.of(ply, ply);
            let expected = 0.75 * record.wins[0] as f32 + 0.25 * share(ply);
            assert!((wins.unwrap()[0] - expected).abs() < 1e-6, "{ply}");
            assert_eq!(scores, Some(&record.scores[..]));
        }
        let unknown = Outcomes::new(&record, &history, SearchValues::IGNORED);
        assert_eq!(unknown.of(actions[1], actions[1]), nothing, "nobody knows what utilities say");
    }

    #[test]
    fn a_state_of_which_nothing_is_known_is_no_example() {
        let rules = intern(AzulRules::default());
        let taught = |random: &[usize], values| {
            let found = examples::<Azul>(&game(random, values).1, rules, VALUES).unwrap();
            let points = found.iter().filter(|example| example.points_to_come.is_some()).count();
            let wins = found.iter().filter(|example| example.wins.is_some()).count();
            let policies = found.iter().filter(|example| !example.policy.is_empty()).count();
            (found.len(), points, wins, policies)
        };
        let (all, points, wins, policies) = taught(&[], true);
        assert_eq!((points, wins), (all, all));
        let (left, points, wins, still) = taught(&[12], true);
        assert_eq!((left, wins, still), (all - 1, all - 1, policies - 1), "all but the random move's state");
        assert!(points < left);
        // A teacher that finds no values teaches its choices there and nothing else.
        let (left, points, wins, still) = taught(&[12], false);
        assert_eq!((wins, still), (points, policies - 1));
        assert!(points < left && left < all);
    }

    /// The slope is fitted to results that play itself came to.
    #[test]
    fn searches_before_a_random_move_tell_nothing_of_the_result() {
        let rules = intern(AzulRules::default());
        let fitted = |random: &[usize]| {
            let mut samples = SearchSamples::default();
            samples.add::<Azul>(&game(random, true).1, rules).unwrap();
            samples.weighted(0.25)
        };
        let last = game(&[], true).2.len() - 1;
        assert_ne!(fitted(&[]), fitted(&[last / 2]));
        // The very last actions may be no choices.
        let end: Vec<usize> = (last - 10..=last).collect();
        assert_eq!(fitted(&end), SearchValues::IGNORED);
    }

    /// In a game of a tournament an agent that does not search plays as well as it can.
    #[test]
    fn agents_that_write_no_policies_draw_no_moves_at_random() {
        let (history, record, actions) = game(&[0, 12], true);
        let random = RandomMoves::of(&record, &history);
        assert_eq!(
            [0, actions[0] + 1, actions[12] + 1].map(|ply| random.next(ply)),
            [Some(actions[0]), Some(actions[12]), None]
        );
        let analyses = record.analysis.clone().unwrap().into_iter();
        let plain =
            analyses.map(|found| found.map(|found| Analysis { policy: Vec::new(), ..found })).collect();
        assert_eq!(RandomMoves::of(&record.clone().with_analysis(plain), &history), RandomMoves::default());
        // The seat that plays first does not search.
        let seat = |ply: usize| match history.replay().nth(ply).unwrap().before.turn() {
            Turn::Player(seat) => Some(seat.index()),
            Turn::Chance | Turn::Over => None,
        };
        let (greedy, mut tournament) = (seat(actions[0]).unwrap(), record);
        tournament.agents[greedy] = "greedy".to_owned();
        let analyses = tournament.analysis.take().unwrap().into_iter().enumerate();
        let searched = analyses.map(|(ply, found)| found.filter(|_| seat(ply) != Some(greedy))).collect();
        let random = RandomMoves::of(&tournament.with_analysis(searched), &history);
        let expected = Some(actions[12]).filter(|ply| seat(*ply) != Some(greedy));
        assert_eq!(random.next(0), expected);
    }
}
