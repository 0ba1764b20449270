//! The games that a training run plays to learn from: [`TrainingTables`].

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use azulejo::Record;
use azulejo::record::MOVE_LIMIT;
use azulejo_agents::{Agent, AgentSpecError, Playable};
use rand::RngExt;

use super::TrainError;
use super::config::TrainingTable;
use super::opponents::Opponents;
use super::training_agent::{StagePlayer, TrainingAgent};
use super::training_seeds::TrainingSeeds;
use crate::game_loop::{Deals, Fault, FinishedGame, GameSetup, Participant, RunningGame};
use crate::schedule::Analyses;
use crate::stream::Stream;

/// A game under way, with its number in the run.
type NumberedGame<'a, G> = (u64, RunningGame<'a, G>);

/// What is played at, game by game.
pub(super) struct TrainingTables<G: azulejo::Game> {
    pub tables: Vec<TrainingTable<G>>,
    /// The run's seeds; records name the configuration's.
    pub seeds: TrainingSeeds,
    /// Who takes seats in self-play.
    pub opponents: Opponents,
}

impl<G: azulejo::Game> TrainingTables<G> {
    /// The table at which a game is played.
    pub(super) fn of(&self, index: u64) -> &TrainingTable<G> {
        let all: f64 = self.tables.iter().map(|table| table.share).sum();
        let mut left = all * self.seeds.table(index).random::<f64>();
        let found = self.tables.iter().find(|table| {
            left -= table.share;
            left < 0.0
        });
        found.unwrap_or(&self.tables[0])
    }

    /// Who sits at each seat of a game: 0 for the player, else an opponent's number.
    fn seats(&self, player: &StagePlayer, index: u64) -> Vec<usize> {
        let players = self.of(index).players;
        match player {
            StagePlayer::Teacher(..) => vec![0; players],
            StagePlayer::Network(..) => self.opponents.seats(players, &mut self.seeds.seats(index)),
        }
    }

    /// The names in the record of a game, by seat.
    pub(super) fn names(&self, player: &StagePlayer, index: u64) -> Vec<String> {
        let name = |seat| if seat == 0 { player.name() } else { self.opponents.name(seat) };
        self.seats(player, index).into_iter().map(name).collect()
    }
}

impl<G: Playable> TrainingTables<G> {
    /// A symmetry of its rules, drawn for a game.
    pub(super) fn symmetry(&self, index: u64) -> u32 {
        self.seeds.symmetry(index).below(G::symmetries(self.of(index).rules).into()) as u32
    }

    /// Plays the games with these numbers in the run on the threads of the present pool, each of which has up to
    /// `in_turns` games under way.
    pub(super) fn play(
        &self,
        player: &StagePlayer,
        indices: Range<u64>,
        in_turns: usize,
    ) -> Result<Vec<Record>, TrainError> {
        let games = (indices.end - indices.start) as usize;
        let in_turns = in_turns.min(games.div_ceil(rayon::current_num_threads()));
        let next = AtomicU64::new(indices.start);
        let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|index| indices.contains(index));
        let of_threads = rayon::broadcast(|_| {
            let played = self.play_in_turns(player, in_turns, take);
            // No game begins after one that failed.
            played.inspect_err(|_| next.store(indices.end, Ordering::Relaxed))
        });
        let mut records = of_threads.into_iter().collect::<Result<Vec<_>, _>>()?.concat();
        records.sort_unstable_by_key(|record| record.index);
        Ok(records)
    }

    /// Plays games on this thread until `take` has no more numbers, so many in turns: each goes on until it waits for the
    /// network. When all do, what they wait for is worked out as one batch.
    fn play_in_turns(
        &self,
        player: &StagePlayer,
        in_turns: usize,
        take: impl Fn() -> Option<u64>,
    ) -> Result<Vec<Record>, TrainError> {
        let player = player.for_thread();
        let first: Vec<u64> = (0..in_turns).map_while(|_| take()).collect();
        let agents = first.iter().map(|_| self.agents(&player));
        let mut agents = agents.collect::<Result<Vec<_>, _>>()?;
        let begun = first.into_iter().zip(&mut agents).map(|(index, agents)| {
            let agents = agents.iter_mut().map(|agent| &mut **agent as &mut dyn Agent<G>);
            (index, self.begin(&player, index, agents.collect()))
        });
        let mut running: Vec<_> = begun.collect();
        let mut records = Vec::new();
        while !running.is_empty() {
            let played_on = running.into_iter().map(|game| self.play_on(game, &take, &player, &mut records));
            running = played_on.filter_map(Result::transpose).collect::<Result<_, _>>()?;
            running.iter_mut().for_each(|(_, game)| game.flush());
        }
        Ok(records)
    }

    /// Who plays a game, the player first, and then its opponents.
    fn agents(&self, player: &StagePlayer) -> Result<Vec<Box<dyn Agent<G>>>, AgentSpecError> {
        let mut agents: Vec<Box<dyn Agent<G>>> = vec![Box::new(TrainingAgent::new(player, self.seeds)?)];
        if let StagePlayer::Network(..) = player {
            agents.extend(self.opponents.build::<G>()?);
        }
        Ok(agents)
    }

    /// Plays a game on until it waits. If it ends, its agents go on with the next one; `None` if there is none.
    fn play_on<'a>(
        &self,
        mut game: NumberedGame<'a, G>,
        take: &impl Fn() -> Option<u64>,
        player: &StagePlayer,
        records: &mut Vec<Record>,
    ) -> Result<Option<NumberedGame<'a, G>>, TrainError> {
        while game.1.poll().is_ready() {
            let (index, (finished, participants)) = (game.0, game.1.finish());
            records.push(self.record(&finished, player, index)?);
            let Some(next) = take() else { return Ok(None) };
            let agents = participants.into_iter().map(|participant| participant.agent).collect();
            game = (next, self.begin(player, next, agents));
        }
        Ok(Some(game))
    }

    /// The game with this number in the run, which depends on nothing else.
    fn begin<'a>(
        &self,
        player: &StagePlayer,
        index: u64,
        agents: Vec<&'a mut dyn Agent<G>>,
    ) -> RunningGame<'a, G> {
        // The player follows from the number itself; its searches have the first two seeds of the game's agents.
        let seed = |number: u64| Stream::Agents.seed(self.seeds.games(), &[index, number + 1]);
        let seeds = std::iter::once(index).chain((1..).map(seed));
        let participants = agents.into_iter().zip(seeds).map(|(agent, seed)| Participant { agent, seed });
        RunningGame::new(GameSetup {
            rules: self.of(index).rules,
            participants: participants.collect(),
            seats: self.seats(player, index),
            deals: Deals::new(self.seeds.games(), index),
            move_limit: MOVE_LIMIT,
            analyses: Analyses::Kept,
        })
    }

    /// The record of a game, in which nobody may have failed.
    fn record(&self, game: &FinishedGame<G>, player: &StagePlayer, index: u64) -> Result<Record, Fault> {
        let record = game.record(self.names(player, index), self.seeds.0, index);
        match game.fault.clone() {
            None => Ok(record),
            Some((seat, reason)) => {
                let agent = record.agents[seat.index()].clone();
                Err(Fault { index, seat, agent, ply: record.moves.len(), reason })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::sync::Arc;

    use azulejo::azul::Azul;
    use azulejo::{Encode, Game, MAX_PLAYERS, Parts, Ply, Turn};
    use azulejo_agents::neural::{
        BatchNetwork, BatchRow, BatchedInference, Embedded, Inference, Network, SCORE_UNIT, Workspace,
        shape_of,
    };

    use super::*;
    use crate::parallel::thread_pool;
    use crate::train::config::TrainConfig;
    use crate::train::random_moves::RandomMoves;
    use crate::train::tests::TINY;

    /// Works a network out row by row, so that no row depends on its batch, and keeps the size of the largest batch.
    #[derive(Clone, Debug)]
    struct RowwiseNetwork(Arc<Network>, Arc<AtomicU64>);

    impl BatchNetwork for RowwiseNetwork {
        fn another(&self) -> Box<dyn BatchNetwork> {
            Box::new(self.clone())
        }

        fn evaluate(&mut self, rows: &mut [BatchRow]) {
            self.1.fetch_max(rows.len() as u64, Ordering::Relaxed);
            let (mut workspace, every_part) =
                (Workspace::new(self.0.shape()), (0..Azul::PARTS).map(Parts::one).collect::<Vec<_>>());
            for row in rows {
                self.0.look(&row.features, &mut workspace);
                self.0.logits(&every_part, &mut workspace, &mut row.parts);
                row.wins = self.0.wins(MAX_PLAYERS, &workspace).map(f32::ln);
                row.scores = self.0.points_to_come(&workspace).map(|points| points / SCORE_UNIT);
            }
        }
    }

    /// Fails at the first batch.
    #[derive(Debug)]
    struct LostDevice;

    impl BatchNetwork for LostDevice {
        fn another(&self) -> Box<dyn BatchNetwork> {
            Box::new(LostDevice)
        }

        fn evaluate(&mut self, _rows: &mut [BatchRow]) {
            panic!("the device is gone");
        }
    }

    fn tables(config: &TrainConfig) -> TrainingTables<Azul> {
        let opponents = Opponents::new(config.selfplay.as_ref().unwrap());
        TrainingTables { tables: config.tables().unwrap(), seeds: TrainingSeeds(config.seed), opponents }
    }

    /// Lets a network play games on so many threads, on each so many in turns.
    fn play(
        network: Box<dyn BatchNetwork>,
        threads: usize,
        in_turns: usize,
    ) -> Result<Vec<Record>, TrainError> {
        let config = TrainConfig::read(TINY).unwrap();
        let tables = tables(&config);
        let network: Arc<dyn Inference> = Arc::new(BatchedInference::new(shape_of::<Azul>(16, 1), network));
        let player = StagePlayer::Network(network, config.selfplay.clone().unwrap());
        let threads = NonZeroUsize::new(threads).unwrap();
        thread_pool(threads).unwrap().install(|| tables.play(&player, 3..17, in_turns))
    }

    #[test]
    fn games_depend_neither_on_threads_nor_on_games_that_share_batches() {
        let (network, largest) = (Network::untrained(shape_of::<Azul>(16, 1), 1), Arc::default());
        let network = RowwiseNetwork(Arc::new(network), largest);
        let played = |threads, in_turns| {
            let records = play(Box::new(network.clone()), threads, in_turns).unwrap();
            let largest = network.1.swap(0, Ordering::Relaxed);
            assert!(largest <= in_turns as u64 && largest > in_turns as u64 / 2, "{largest} of {in_turns}");
            records
        };
        let alone = played(1, 1);
        assert_eq!(alone.iter().map(|record| record.index).collect::<Vec<_>>(), (3..17).collect::<Vec<_>>());
        for (threads, in_turns) in [(1, 5), (1, 14), (2, 4), (3, 1)] {
            assert_eq!(played(threads, in_turns), alone, "{in_turns} games on each of {threads} threads");
        }
    }

    /// A record names the run's seed, as its configuration does, but a tournament with this seed has other deals.
    #[test]
    fn games_have_deals_of_their_own() {
        let config = TrainConfig::read(TINY).unwrap();
        let (tables, seeds) = (tables(&config), TrainingSeeds(config.seed));
        let player = StagePlayer::Teacher("random".parse().unwrap(), config.teacher.unwrap());
        for record in
            thread_pool(NonZeroUsize::MIN).unwrap().install(|| tables.play(&player, 0..8, 1)).unwrap()
        {
            assert_eq!(record.seed, config.seed);
            let state = Azul::new(tables.of(record.index).rules, record.players);
            let first = |seed| Deals::new(seed, record.index).draw(&state).to_string();
            assert_eq!(record.moves[0], first(seeds.games()));
            assert_ne!(record.moves[0], first(config.seed));
        }
    }

    /// What opponents choose neither teaches a policy nor passes for a random move.
    #[test]
    fn opponents_take_seats_for_three_and_leave_nothing_to_learn() {
        let opponents = "opponents = ['greedy', 'neural:sims=3,root=gumbel']\nopponent_share = 0.5\n";
        let text =
            TINY.replace("players = 2", "players = 3").replace("random_actions = 4", "random_actions = 0");
        let text = text.replace("[selfplay]\n", &format!("[selfplay]\n{opponents}"));
        let config = TrainConfig::read(&text).unwrap();
        let (tables, network) = (tables(&config), Network::untrained(shape_of::<Azul>(16, 1), 1));
        let player = StagePlayer::Network(Arc::new(Embedded::new(network)), config.selfplay.clone().unwrap());
        let played = |threads, in_turns| {
            let pool = thread_pool(NonZeroUsize::new(threads).unwrap()).unwrap();
            pool.install(|| tables.play(&player, 0..12, in_turns)).unwrap()
        };
        let records = played(1, 1);
        assert_eq!(records, played(2, 3));
        let with =
            records.iter().filter(|record| record.agents.iter().any(|agent| agent != "neural")).count();
        assert!((2..=10).contains(&with), "{with} of 12");
        for record in records {
            let rules = tables.of(record.index).rules;
            let history = record.history::<Azul>(rules).unwrap();
            assert_eq!(RandomMoves::of(&record, &history), RandomMoves::default());
            let (analyses, mut legal) = (record.analysis.as_ref().unwrap(), Vec::new());
            for (Ply { before, .. }, found) in history.replay().zip(analyses) {
                let Turn::Player(seat) = before.turn() else { continue };
                before.legal_actions(&mut legal);
                let own = record.agents[seat.index()] == "neural";
                assert!(found.is_some() == own || own && legal.len() == 1, "{}", record.agents[seat.index()]);
            }
        }
    }

    #[test]
    fn a_network_that_breaks_down_ends_the_games() {
        for (threads, in_turns) in [(1, 1), (1, 6), (2, 3)] {
            let error = play(Box::new(LostDevice), threads, in_turns).unwrap_err();
            assert!(matches!(error, TrainError::Fault(_)), "{error}");
            assert!(error.to_string().ends_with("the agent crashed: the device is gone"), "{error}");
        }
    }
}
