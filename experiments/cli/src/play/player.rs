//! Who plays at which seat.

use std::fmt;
use std::str::FromStr;

use azulejo::Seat;
use azulejo_agents::{AgentSpec, AgentSpecError};
use thiserror::Error;

/// The word that stands for a person where agents are listed, and in records.
const PERSON: &str = "human";

/// Who plays at a seat. `FromStr` and `Display` are an agent's spec, or `human`.
#[derive(Clone, Debug, PartialEq)]
pub enum Player {
    /// A person at this terminal.
    Person,
    /// An agent.
    Agent(Box<AgentSpec>),
}

impl Player {
    /// Whether nothing is started or opened to play: no other program, and no file.
    pub(crate) fn check_harmless(&self) -> Result<(), SeatingError> {
        let spec = self.to_string();
        match self {
            Player::Person => Ok(()),
            Player::Agent(agent) if matches!(**agent, AgentSpec::External(_)) => {
                Err(SeatingError::Program { spec })
            }
            Player::Agent(agent) => match agent.named_files().into_iter().next() {
                Some((key, _)) => Err(SeatingError::File { spec, key }),
                None => Ok(()),
            },
        }
    }

    /// What the player is called.
    pub(crate) fn label(&self) -> String {
        match self {
            Player::Person => PERSON.to_owned(),
            Player::Agent(spec) => spec.label(),
        }
    }
}

impl FromStr for Player {
    type Err = AgentSpecError;

    fn from_str(text: &str) -> Result<Self, AgentSpecError> {
        if text == PERSON {
            Ok(Player::Person)
        } else {
            text.parse().map(|spec| Player::Agent(Box::new(spec)))
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Person => f.write_str(PERSON),
            Player::Agent(spec) => spec.fmt(f),
        }
    }
}

/// Players who cannot be seated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SeatingError {
    /// A seat that the table does not have.
    #[error("seat {seat}: the seats of {players} players are 0 to {}", players - 1)]
    Seat {
        /// The seat as it was given.
        seat: usize,
        /// The number of players.
        players: usize,
    },
    /// An external program that a record names: files that come from elsewhere must not start programs.
    #[error("the record's agent '{spec}' is another program: name the agents to have it started")]
    Program {
        /// The agent's spec.
        spec: String,
    },
    /// An agent of a record that would read a file: files that come from elsewhere must not choose what is opened.
    #[error("the record's agent '{spec}' names a file by '{key}': name the agents to have it read")]
    File {
        /// The agent's spec.
        spec: String,
        /// The parameter that names the file.
        key: &'static str,
    },
    /// Neither one player for all other seats nor one for each.
    #[error("{given} agents for {seats} other seats: name one for all of them, or one for each")]
    Number {
        /// How many were given.
        given: usize,
        /// How many seats are left.
        seats: usize,
    },
}

/// Seats persons at `persons`, and the others at the remaining seats: one for all of them, or each in order.
///
/// # Errors
/// A seat that does not exist, or another number of others.
pub fn seated(players: usize, persons: &[usize], others: &[Player]) -> Result<Vec<Player>, SeatingError> {
    if let Some(&seat) = persons.iter().find(|&&seat| seat >= players) {
        return Err(SeatingError::Seat { seat, players });
    }
    let free = Seat::all(players).filter(|seat| !persons.contains(&seat.index())).count();
    if others.len() != free && others.len() != 1 {
        return Err(SeatingError::Number { given: others.len(), seats: free });
    }
    let mut next = others.iter().cycle();
    let player = |seat: Seat| if persons.contains(&seat.index()) { None } else { next.next() };
    Ok(Seat::all(players).map(player).map(|player| player.cloned().unwrap_or(Player::Person)).collect())
}

/// The players that a record names; words that name no agent here are persons.
pub(crate) fn recorded(agents: &[String]) -> Vec<Player> {
    agents.iter().map(|name| name.parse().unwrap_or(Player::Person)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(players: usize, persons: &[usize], others: &[&str]) -> Result<String, String> {
        let others: Vec<Player> = others.iter().map(|other| other.parse().unwrap()).collect();
        let seated = seated(players, persons, &others).map_err(|error| error.to_string())?;
        Ok(seated.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn one_agent_takes_all_other_seats_and_several_take_them_in_order() {
        assert_eq!(names(2, &[0], &["greedy"]).unwrap(), "human greedy");
        assert_eq!(names(4, &[2], &["greedy"]).unwrap(), "greedy greedy human greedy");
        assert_eq!(names(3, &[1], &["greedy", "random"]).unwrap(), "greedy human random");
        assert_eq!(names(3, &[0], &["human", "random"]).unwrap(), "human human random");
    }

    #[test]
    fn wrong_seats_and_numbers_are_named() {
        assert_eq!(names(2, &[2], &["greedy"]).unwrap_err(), "seat 2: the seats of 2 players are 0 to 1");
        let error = names(4, &[0], &["greedy", "random"]).unwrap_err();
        assert!(error.starts_with("2 agents for 3 other seats"), "{error}");
    }
}
