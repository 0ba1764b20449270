//! The command that plays a run again.

use super::{Command, Manifest};

impl Manifest {
    /// The number after `--games`: for a tournament that of each pairing.
    fn games_asked(&self) -> u64 {
        let (agents, players) = (self.agents.len() as u64, self.players as u64);
        // A manifest may have been edited: nothing here may overflow.
        let choose = |n: u64, k: u64| {
            (0..k).fold(1u64, |product, i| product.saturating_mul(n.saturating_sub(i)) / (i + 1))
        };
        let lineups = match self.command {
            Command::Selfplay => 1,
            Command::Tournament if self.settings.gauntlet.is_some() || self.settings.sprt.is_some() => {
                agents.saturating_sub(1)
            }
            Command::Tournament => match self.settings.neighbors {
                // Whoever is first in the list, the others at the table follow within so many places.
                Some(places) => (0..agents).fold(0u64, |all, first| {
                    all.saturating_add(choose((agents - 1 - first).min(places as u64), players - 1))
                }),
                None if agents >= players => choose(agents, players),
                // Mixtures in which each agent sits at least once.
                None => choose(players.saturating_sub(1), agents.saturating_sub(1)),
            },
        };
        self.settings.games / lineups.max(1)
    }

    /// The command that plays the run again.
    pub(crate) fn command_line(&self) -> String {
        let settings = &self.settings;
        let mut words = vec!["azulejo".to_owned(), self.command.to_string()];
        let mut option = |name: &str, value: String| words.extend([format!("--{name}"), value]);
        option("game", self.game.clone());
        option("players", self.players.to_string());
        option("games", self.games_asked().to_string());
        option("seed", self.seed.to_string());
        let given =
            [("gauntlet", &settings.gauntlet), ("anchor", &settings.anchor), ("sprt", &settings.sprt)];
        // A test seats the first agent against the second without being told.
        for (name, value) in
            given.into_iter().filter(|(name, _)| *name != "gauntlet" || settings.sprt.is_none())
        {
            value.iter().for_each(|value| option(name, value.clone()));
        }
        if let Some(places) = settings.neighbors {
            option("neighbors", places.to_string());
        }
        if settings.move_limit != azulejo::record::MOVE_LIMIT {
            option("move-limit", settings.move_limit.to_string());
        }
        let flags = [
            (settings.rotate && self.command == Command::Selfplay, "--rotate"),
            (settings.compress, "--compress"),
            (settings.analysis, "--analysis"),
        ];
        words.extend(flags.into_iter().filter(|(set, _)| *set).map(|(_, flag)| flag.to_owned()));
        words.extend(self.agents.iter().cloned());
        words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

/// A word as a shell reads it back.
pub fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=:,./".contains(letter);
    if word.chars().all(plain) && !word.is_empty() {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record_file::Encoding;
    use crate::schedule::{Pairing, Schedule};

    fn line(players: usize, agents: &[&str], pairing: Pairing<'_>) -> String {
        let agents: Vec<azulejo_agents::AgentSpec> =
            agents.iter().map(|agent| agent.parse().unwrap()).collect();
        let table = ("azul", players);
        let schedule = Schedule::tournament(table, &agents, 12, 7, pairing).unwrap();
        Manifest::new(Command::Tournament, &schedule, Encoding::Plain, pairing, None).command_line()
    }

    #[test]
    fn the_command_asks_for_as_many_games_as_before() {
        let one = "greedy".parse().unwrap();
        for (players, agents, pairing, option) in [
            (2, &["random", "greedy"][..], Pairing::All, ""),
            (2, &["random", "greedy", "mcts", "minimax"], Pairing::All, ""),
            (3, &["random", "greedy", "mcts", "minimax"], Pairing::All, ""),
            (4, &["random", "greedy", "mcts"], Pairing::All, ""),
            (4, &["random", "greedy"], Pairing::All, ""),
            (3, &["random", "greedy", "mcts"], Pairing::Gauntlet(&one), " --gauntlet greedy"),
            (2, &["random", "greedy", "mcts", "minimax"], Pairing::Neighbors(1), " --neighbors 1"),
            (2, &["random", "greedy", "mcts", "minimax"], Pairing::Neighbors(2), " --neighbors 2"),
            (3, &["random", "greedy", "mcts", "minimax"], Pairing::Neighbors(2), " --neighbors 2"),
        ] {
            let line = line(players, agents, pairing);
            assert!(line.contains("--games 12 --seed 7"), "{line}");
            assert!(line.ends_with(&format!("{option} {}", agents.join(" "))), "{line}");
        }
    }

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("greedy:weights=a/b.toml"), "greedy:weights=a/b.toml");
        assert_eq!(quoted("exec:cmd=it's x"), "'exec:cmd=it'\\''s x'");
    }
}
