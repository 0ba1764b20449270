//! The options that the protocol knows: [`EngineOption`].

use std::fmt;

/// An option whose meaning the protocol says; engines may have others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineOption {
    /// The game spec, without changed rules.
    Game,
    /// The changed numbers of the game's rules, a JSON object.
    Rules,
    /// The number of players.
    Players,
    /// The spec of the agent that `go` asks.
    Agent,
    /// The seed of the agent and of samples.
    Seed,
}

impl EngineOption {
    /// All options, in the order in which an engine introduces them.
    pub const ALL: [Self; 5] = [Self::Game, Self::Rules, Self::Players, Self::Agent, Self::Seed];

    /// The name that `setoption` and `option` use.
    pub fn name(self) -> &'static str {
        match self {
            EngineOption::Game => "Game",
            EngineOption::Rules => "Rules",
            EngineOption::Players => "Players",
            EngineOption::Agent => "Agent",
            EngineOption::Seed => "Seed",
        }
    }

    /// The option of this name, in capital or small letters.
    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|option| option.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for EngineOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
