//! Games under other names, to learn more from each: [`symmetric`].

use azulejo::record::Analysis;
use azulejo::{Encode, Move, Record};

/// A record of the same game with its things called by other names, by a symmetry of its rules.
///
/// # Errors
/// If the record is for another game, or a move in it or in its analysis cannot be read.
pub(super) fn symmetric<G: Encode>(
    record: &Record,
    rules: &'static G::Rules,
    symmetry: u32,
) -> Result<Record, String> {
    let history = record.history::<G>(rules).map_err(|error| error.to_string())?;
    let moves = history.moves().iter().map(|played| match played {
        Move::Action(action) => G::renamed(*action, symmetry).to_string(),
        Move::Outcome(outcome) => G::renamed_outcome(outcome, symmetry).to_string(),
    });
    let found = record.analysis.iter().flatten();
    let found = found.map(|found| found.as_ref().map(|it| renamed::<G>(it, symmetry)).transpose());
    let analysis = found.collect::<Result<Vec<_>, String>>()?;
    let analysis = record.analysis.as_ref().map(|_| analysis);
    Ok(Record { moves: moves.collect(), analysis, ..record.clone() })
}

/// What a search found, with the actions' other names.
fn renamed<G: Encode>(found: &Analysis, symmetry: u32) -> Result<Analysis, String> {
    let action = |token: &String| {
        let action: G::Action = token.parse().map_err(|error| format!("analysis: {error}"))?;
        Ok::<_, String>(G::renamed(action, symmetry).to_string())
    };
    let visits = found.visits.iter().map(|(token, visits)| Ok((action(token)?, *visits)));
    let policy = found.policy.iter().map(|(token, share)| Ok((action(token)?, *share)));
    let (visits, policy) = (visits.collect::<Result<_, String>>()?, policy.collect::<Result<_, String>>()?);
    Ok(Analysis { visits, policy, ..found.clone() })
}

#[cfg(test)]
mod tests {
    use azulejo::azul::{Azul, AzulRules};
    use azulejo::{End, Game, Generator, History, Rules, Turn, intern};

    use super::super::examples::examples;
    use super::super::search_values::SearchValues;
    use super::*;

    /// A random game on the gray wall whose searches visited each action as often as its place tells.
    fn game(rules: &'static AzulRules) -> Record {
        let (mut history, mut rng) = (History::<Azul>::new(rules, 2), Generator::new(3));
        let (mut legal, mut found) = (Vec::new(), Vec::new());
        while history.state().turn() != Turn::Over {
            history.state().legal_actions(&mut legal);
            let shares = legal.iter().zip(1..).map(|(action, share)| (action.to_string(), share as f32));
            found.push((!legal.is_empty()).then(|| Analysis {
                values: vec![0.25, -0.25],
                policy: shares.collect(),
                ..Analysis::default()
            }));
            let played = Move::draw(history.state(), &mut rng, &mut Vec::new());
            history.push(played).unwrap();
        }
        let agents = vec!["random".to_owned(); 2];
        Record::new(&history, End::Finished, agents, 1, 0).with_analysis(found)
    }

    #[test]
    fn a_renamed_game_teaches_as_much_of_other_states() {
        let rules = intern(AzulRules::from_options(&["gray"]).unwrap());
        let record = game(rules);
        let taught = |record: &Record| examples::<Azul>(record, rules, SearchValues::IGNORED).unwrap();
        let all = taught(&record);
        assert_eq!(symmetric::<Azul>(&record, rules, 0).unwrap(), record);
        for symmetry in [1, 77, 239] {
            let image = symmetric::<Azul>(&record, rules, symmetry).unwrap();
            image.verified_history::<Azul>(rules).unwrap();
            let others = taught(&image);
            assert_eq!(others.len(), all.len());
            for (one, other) in all.iter().zip(&others) {
                assert_eq!((one.wins, one.points_to_come), (other.wins, other.points_to_come));
                assert_eq!(one.features.len(), other.features.len());
                let shares = |policy: &[(azulejo::Parts, f32)]| {
                    let mut shares: Vec<f32> = policy.iter().map(|it| it.1).collect();
                    shares.sort_by(f32::total_cmp);
                    shares
                };
                assert_eq!(shares(&one.policy), shares(&other.policy));
            }
            let differ = all.iter().zip(&others).filter(|(one, other)| one.features != other.features);
            assert!(differ.count() > all.len() / 2);
        }
    }
}
