//! Many games that are played in step: [`Batch`], the core of `BatchEnv`, which knows nothing of Python.

use std::panic::{AssertUnwindSafe, catch_unwind};

use azulejo::record::{self, MOVE_LIMIT};
use azulejo::{End, Game, GameSpec, Generator, History, Indexed, Move, PerPlayer, Seat, Turn, with_game};
use azulejo_agents::{Agent, AgentSpec, AgentSpecError, Limits, Playable};
use azulejo_experiments::Stream;
use azulejo_experiments::game_loop::Deals;
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::interrupt::panic_text;
use crate::output::Outputs;
use azulejo_experiments::position::{Position, PositionGame, Sizes};

/// How actions are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbering {
    /// By the action index. Observations have the features that tell places.
    Index,
    /// By the outputs of networks. Observations are what networks see.
    Output,
}

/// What a step is rewarded by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reward {
    /// At a game's end twice the share of the win less 1; before that nothing.
    Win,
    /// The points that the seat has gained since the step before.
    Points,
}

/// Which seat of a game the caller plays, where others are agents'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OwnSeat {
    /// The same in every game.
    Fixed(usize),
    /// In each game the next one.
    Rotating,
}

/// What the games of a batch are.
#[derive(Clone, Debug)]
pub(crate) struct BatchSettings {
    pub players: usize,
    pub games: usize,
    pub numbering: Numbering,
    pub reward: Reward,
    /// Who sits to the left of the caller, in turn order; `None` is the caller as well. Empty if the caller plays all.
    pub opponents: Vec<Option<AgentSpec>>,
    pub seat: OwnSeat,
}

/// How many numbers a row of each output has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widths {
    pub observation: usize,
    pub active: usize,
    pub actions: usize,
    pub legal: usize,
    pub players: usize,
}

impl Widths {
    pub(crate) fn of(game: GameSpec, settings: &BatchSettings) -> Self {
        let Sizes { actions, max_legal, features, places, max_active, outputs, .. } = Sizes::of(game);
        let places = if settings.numbering == Numbering::Index { places } else { 0 };
        Widths {
            observation: features + places,
            active: max_active + places,
            actions: if settings.numbering == Numbering::Index { actions } else { outputs },
            legal: max_legal,
            players: settings.players,
        }
    }
}

/// What cannot be played: the game's place in the batch, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    pub place: usize,
    pub why: String,
}

/// A batch of games of any kind. After `reset` each is at a turn of the caller.
pub(crate) trait Batch: Send {
    /// Begins all games anew from a seed.
    fn reset(&mut self, seed: u64, pool: Option<&ThreadPool>) -> Result<(), Refused>;
    /// Checks an action for each game; nothing is played.
    fn check(&mut self, actions: &[i64], pool: Option<&ThreadPool>) -> Result<(), Refused>;
    /// Plays the actions that were checked, and on up to the caller's next turns. An agent may fail; then the games
    /// are to be reset.
    fn play(&mut self, pool: Option<&ThreadPool>) -> Result<(), Refused>;
    /// Writes what is asked for.
    fn write(&mut self, outputs: Outputs<'_>, pool: Option<&ThreadPool>);
    /// Draws a legal action uniformly for each game.
    fn sample(&mut self, actions: &mut [i64], pool: Option<&ThreadPool>);
    /// The state of a game; its history begins there.
    fn state(&self, place: usize) -> Box<dyn Position>;
    /// The number of a game among all that the batch has begun.
    fn number(&self, place: usize) -> u64;
}

/// A batch of games that are about to begin.
///
/// # Errors
/// If an opponent cannot be built for the game.
pub(crate) fn new_batch(game: GameSpec, settings: BatchSettings) -> Result<Box<dyn Batch>, AgentSpecError> {
    with_game!(game, |rules: &'static G::Rules| Ok(Box::new(GameBatch::<G>::new(rules, settings)?)))
}

struct GameBatch<G: Playable> {
    settings: BatchSettings,
    seed: u64,
    tables: Vec<Table<G>>,
    /// For each table the action that is known to be legal there, if one is. Apart from the tables, which are large: to
    /// check what was drawn touches none of them.
    picks: Vec<Option<Pick<G::Action>>>,
}

/// A legal action of a table's state, with its number.
#[derive(Clone, Copy, Debug)]
struct Pick<A> {
    number: i64,
    action: A,
}

/// A place of the batch, at which game after game is played.
struct Table<G: Game> {
    state: G,
    /// The game's number: its deals and its agents' seeds are those of this game in a run of the program.
    number: u64,
    plies: usize,
    deals: Deals,
    /// Draws the actions of [`Batch::sample`].
    samples: Generator,
    /// The opponents, to the left of the caller.
    opponents: Vec<Option<Box<dyn Agent<G>>>>,
    /// The points before the last step, where rewards are points.
    before: PerPlayer<i16>,
    /// The end of the game in which the last step began, if that was its last one.
    ended: Option<Ended>,
}

/// What there is at a place of the batch.
struct Spot<'a, G: Game> {
    place: usize,
    table: &'a mut Table<G>,
    pick: &'a mut Option<Pick<G::Action>>,
    common: Common<'a>,
    scratch: &'a mut Scratch<G>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug)]
struct Ended {
    end: End,
    scores: PerPlayer<i16>,
    wins: PerPlayer<f64>,
}

/// What all games of a batch have in common.
#[derive(Clone, Copy)]
struct Common<'a> {
    settings: &'a BatchSettings,
    seed: u64,
}

/// Scratch space of a thread, which takes memory when it is first used.
struct Scratch<G: Game> {
    actions: Vec<G::Action>,
    active: Vec<u16>,
}

impl<G: Playable> Scratch<G> {
    fn new() -> Self {
        Scratch { actions: Vec::new(), active: Vec::new() }
    }
}

/// The games that a thread takes at once.
fn part(games: usize, pool: &ThreadPool) -> usize {
    games.div_ceil(pool.current_num_threads()).max(1)
}

impl<G: Playable> GameBatch<G> {
    fn new(rules: &'static G::Rules, settings: BatchSettings) -> Result<Self, AgentSpecError> {
        let table = |_| Table::new(rules, &settings);
        let tables: Vec<_> = (0..settings.games).map(table).collect::<Result<_, _>>()?;
        let picks = vec![None; settings.games];
        Ok(GameBatch { settings, seed: 0, tables, picks })
    }

    /// Does something at every place, by the threads of the pool if there is one. Of several refusals the first game's
    /// is returned, however many threads there are.
    fn each(
        &mut self,
        pool: Option<&ThreadPool>,
        work: impl Fn(Spot<'_, G>) -> Result<(), String> + Sync,
    ) -> Result<(), Refused> {
        let GameBatch { settings, tables, picks, seed } = self;
        let common = Common { settings, seed: *seed };
        let work_all = |first: usize, tables: &mut [Table<G>], picks: &mut [Option<Pick<G::Action>>]| {
            let mut scratch = Scratch::new();
            let mut spots = (first..).zip(tables.iter_mut().zip(picks));
            spots.try_for_each(|(place, (table, pick))| {
                let spot = Spot { place, table, pick, common, scratch: &mut scratch };
                work(spot).map_err(|why| Refused { place, why })
            })
        };
        let Some(pool) = pool else { return work_all(0, tables, picks) };
        let part = part(tables.len(), pool);
        let refused = pool.install(|| {
            let parts = tables.par_chunks_mut(part).zip(picks.par_chunks_mut(part)).enumerate();
            let refused =
                parts.filter_map(|(number, (tables, picks))| work_all(number * part, tables, picks).err());
            refused.min_by_key(|refused| refused.place)
        });
        refused.map_or(Ok(()), Err)
    }
}

impl<G: PositionGame> Batch for GameBatch<G> {
    fn reset(&mut self, seed: u64, pool: Option<&ThreadPool>) -> Result<(), Refused> {
        self.seed = seed;
        self.each(pool, |Spot { place, table, pick, common, .. }| {
            *pick = None;
            table.samples = Stream::Samples.generator(seed, &[place as u64]);
            table.begin(place as u64, common)?;
            table.go_on(common)?;
            (table.ended, table.before) = (None, table.state.scores());
            Ok(())
        })
    }

    fn check(&mut self, actions: &[i64], pool: Option<&ThreadPool>) -> Result<(), Refused> {
        self.each(pool, |Spot { place, table, pick, common, scratch }| {
            let number = actions[place];
            if pick.is_none_or(|pick| pick.number != number) {
                let action = table.action(number, common.settings.numbering, scratch)?;
                *pick = Some(Pick { number, action });
            }
            Ok(())
        })
    }

    fn play(&mut self, pool: Option<&ThreadPool>) -> Result<(), Refused> {
        self.each(pool, |Spot { table, pick, common, .. }| {
            let Pick { action, .. } = pick.take().expect("an action was checked before");
            table.play(action, common)
        })
    }

    fn write(&mut self, outputs: Outputs<'_>, pool: Option<&ThreadPool>) {
        let GameBatch { settings, tables, .. } = self;
        let settings = &*settings;
        if outputs.is_empty() {
            return;
        }
        let write = |tables: &mut [Table<G>], mut outputs: Outputs<'_>| {
            let mut scratch = Scratch::new();
            for (row, table) in tables.iter().enumerate() {
                table.write(row, &mut outputs, settings, &mut scratch);
            }
        };
        let Some(pool) = pool else { return write(tables, outputs) };
        let part = part(tables.len(), pool);
        pool.scope(|scope| {
            let mut rest = outputs;
            for tables in tables.chunks_mut(part) {
                let (rows, after) = rest.split_at(tables.len());
                rest = after;
                let write = &write;
                scope.spawn(move |_| write(tables, rows));
            }
        });
    }

    fn sample(&mut self, actions: &mut [i64], pool: Option<&ThreadPool>) {
        let numbering = self.settings.numbering;
        let draw = |tables: &mut [Table<G>], picks: &mut [Option<Pick<G::Action>>], actions: &mut [i64]| {
            let mut scratch = Scratch::<G>::new();
            for ((table, pick), number) in tables.iter_mut().zip(picks).zip(actions) {
                let action = table.state.random_action(&mut table.samples, &mut scratch.actions);
                *number = table.number_of(action, numbering) as i64;
                // Of actions that share an output the first one is played.
                *pick = (numbering == Numbering::Index).then_some(Pick { number: *number, action });
            }
        };
        let GameBatch { tables, picks, .. } = self;
        let Some(pool) = pool else { return draw(tables, picks, actions) };
        let part = part(tables.len(), pool);
        pool.install(|| {
            let places = tables.par_chunks_mut(part).zip(picks.par_chunks_mut(part));
            let parts = places.zip(actions.par_chunks_mut(part));
            parts.for_each(|((tables, picks), actions)| draw(tables, picks, actions));
        });
    }

    fn state(&self, place: usize) -> Box<dyn Position> {
        Box::new(History::from_state(self.tables[place].state))
    }

    fn number(&self, place: usize) -> u64 {
        self.tables[place].number
    }
}

impl<G: Playable> Table<G> {
    fn new(rules: &'static G::Rules, settings: &BatchSettings) -> Result<Self, AgentSpecError> {
        let state = G::new(rules, settings.players);
        let build = |agent: &Option<AgentSpec>| agent.as_ref().map(AgentSpec::build::<G>).transpose();
        Ok(Table {
            state,
            number: 0,
            plies: 0,
            deals: Deals::new(0, 0),
            samples: Generator::new(0),
            opponents: settings.opponents.iter().map(build).collect::<Result<_, _>>()?,
            before: state.scores(),
            ended: None,
        })
    }

    /// Begins the game of this number.
    fn begin(&mut self, number: u64, common: Common<'_>) -> Result<(), String> {
        self.state = G::new(self.state.rules(), common.settings.players);
        (self.number, self.plies, self.deals) = (number, 0, Deals::new(common.seed, number));
        for (place, agent) in self.opponents.iter_mut().enumerate() {
            let seat = common.settings.opponent_seat(number, place);
            let seed = Stream::Agents.seed(common.seed, &[number, seat as u64]);
            if let Some(agent) = agent {
                guarded(|| agent.new_game(seed))?;
            }
        }
        Ok(())
    }

    /// The action that a number stands for, if it is legal.
    fn action(
        &self,
        number: i64,
        numbering: Numbering,
        scratch: &mut Scratch<G>,
    ) -> Result<G::Action, String> {
        let (what, count) = match numbering {
            Numbering::Index => ("index", G::Action::COUNT),
            Numbering::Output => ("output", G::OUTPUTS),
        };
        let known = usize::try_from(number).ok().filter(|&number| number < count);
        let known = known.ok_or_else(|| format!("action {what} {number}: expected 0 to {}", count - 1))?;
        match numbering {
            Numbering::Index => {
                let action = G::Action::from_index(known);
                let legal = self.state.check_action(action);
                legal.map(|()| action).map_err(|why| format!("action index {number} ({action}): {why}"))
            }
            Numbering::Output => {
                let action = self.state.action(known, &mut scratch.actions);
                action.ok_or_else(|| format!("action output {number}: no legal action has it"))
            }
        }
    }

    fn number_of(&self, action: G::Action, numbering: Numbering) -> usize {
        match numbering {
            Numbering::Index => action.index(),
            Numbering::Output => self.state.output(action),
        }
    }

    /// Plays the caller's action, and on up to the caller's next turn.
    fn play(&mut self, action: G::Action, common: Common<'_>) -> Result<(), String> {
        if common.settings.reward == Reward::Points {
            self.before = self.state.scores();
        }
        self.ended = None;
        self.act(action)?;
        self.go_on(common)
    }

    #[inline]
    fn act(&mut self, action: G::Action) -> Result<(), String> {
        self.state.apply(action);
        self.tell(|| Move::Action(action))
    }

    /// Tells the opponents of a move that was played. It is made only for them: one has room for the largest outcome.
    #[inline]
    fn tell(&mut self, played: impl FnOnce() -> Move<G>) -> Result<(), String> {
        self.plies += 1;
        if self.opponents.is_empty() {
            return Ok(());
        }
        let played = played();
        self.opponents.iter_mut().flatten().try_for_each(|agent| guarded(|| agent.observe(&played)))
    }

    /// Plays on up to the caller's next turn.
    #[inline]
    fn go_on(&mut self, common: Common<'_>) -> Result<(), String> {
        let own_turn = self.opponents.is_empty() && matches!(self.state.turn(), Turn::Player(_));
        if own_turn && self.plies < MOVE_LIMIT { Ok(()) } else { self.play_others(common) }
    }

    /// Plays chance, opponents, and on to the next game after an end: seldom where the caller plays all seats, and kept
    /// out of the way of that.
    #[inline(never)]
    fn play_others(&mut self, common: Common<'_>) -> Result<(), String> {
        loop {
            match self.state.turn() {
                Turn::Over => self.end(End::Finished, common)?,
                _ if self.plies >= MOVE_LIMIT => self.end(End::Truncated, common)?,
                Turn::Chance => {
                    let outcome = self.deals.draw(&self.state);
                    self.state.apply_chance(&outcome);
                    self.tell(|| Move::Outcome(outcome))?;
                }
                Turn::Player(seat) => match self.answer(seat, common)? {
                    Some(action) => self.act(action)?,
                    None => return Ok(()),
                },
            }
        }
    }

    /// Ends the game and begins the table's next one.
    fn end(&mut self, end: End, common: Common<'_>) -> Result<(), String> {
        let (scores, wins) = record::result(&self.state, end);
        self.ended.get_or_insert(Ended { end, scores, wins });
        self.begin(self.number + common.settings.games as u64, common)
    }

    /// The choice of the opponent at a seat; `None` if the caller sits there.
    fn answer(&mut self, seat: Seat, common: Common<'_>) -> Result<Option<G::Action>, String> {
        let Some(place) = common.settings.opponent_at(self.number, seat.index()) else { return Ok(None) };
        let Some(agent) = &mut self.opponents[place] else { return Ok(None) };
        let state = &self.state;
        let decision = guarded(|| agent.choose(state, &Limits::default()));
        let decision = decision.and_then(|decision| decision.map_err(|error| error.to_string()));
        let legal = decision.and_then(|decision| {
            let legal = state.check_action(decision.action);
            legal
                .map_err(|why| format!("illegal action {}: {why}", decision.action))
                .map(|()| decision.action)
        });
        legal.map(Some).map_err(|why| format!("the agent at seat {seat}: {why}"))
    }

    fn write(
        &self,
        row: usize,
        outputs: &mut Outputs<'_>,
        settings: &BatchSettings,
        scratch: &mut Scratch<G>,
    ) {
        if outputs.needs_active() {
            self.state.encode(&mut scratch.active);
            if settings.numbering == Numbering::Index {
                self.state.encode_places(&mut scratch.active);
            }
            outputs.write_active(row, &scratch.active);
        }
        if outputs.needs_legal() {
            self.state.legal_actions(&mut scratch.actions);
            let numbers = scratch.actions.iter().map(|&action| self.number_of(action, settings.numbering));
            outputs.write_legal(row, numbers);
        }
        self.write_result(row, outputs, settings);
    }

    /// Writes what the last step came to.
    fn write_result(&self, row: usize, outputs: &mut Outputs<'_>, settings: &BatchSettings) {
        if let Some(rewards) = &mut outputs.rewards {
            rewards.write(row, self.rewards(settings).as_slice().iter().copied());
        }
        if let Some(scores) = &mut outputs.scores {
            let points = self.ended.map_or_else(|| self.state.scores(), |ended| ended.scores);
            scores.write(row, points.as_slice().iter().map(|&points| i32::from(points)));
        }
        if let (Some(turns), Turn::Player(seat)) = (&mut outputs.turns, self.state.turn()) {
            turns.write(row, [seat.index() as i8]);
        }
        if let Some(ends) = &mut outputs.ends {
            let end = match self.ended.map(|ended| ended.end) {
                None => 0,
                Some(End::Finished) => 1,
                Some(End::Truncated | End::Forfeit(_)) => 2,
            };
            ends.write(row, [end]);
        }
    }

    fn rewards(&self, settings: &BatchSettings) -> PerPlayer<f32> {
        match (settings.reward, &self.ended) {
            (Reward::Win, None) => PerPlayer::splat(settings.players, 0.0),
            (Reward::Win, Some(ended)) => ended.wins.map(|share| 2.0 * share as f32 - 1.0),
            (Reward::Points, ended) => {
                let now = ended.map_or_else(|| self.state.scores(), |ended| ended.scores);
                PerPlayer::from_fn(settings.players, |seat| f32::from(now[seat] - self.before[seat]))
            }
        }
    }
}

impl BatchSettings {
    /// The caller's seat in a game, where there are opponents.
    fn own_seat(&self, number: u64) -> usize {
        match self.seat {
            OwnSeat::Fixed(seat) => seat,
            OwnSeat::Rotating => (number % self.players as u64) as usize,
        }
    }

    /// The seat of the opponent at this place to the left of the caller, from 0.
    fn opponent_seat(&self, number: u64, place: usize) -> usize {
        (self.own_seat(number) + 1 + place) % self.players
    }

    /// The opponent's place to the left of the caller; `None` for the caller's own seat, and where all seats are.
    fn opponent_at(&self, number: u64, seat: usize) -> Option<usize> {
        let left = (seat + self.players - self.own_seat(number)) % self.players;
        left.checked_sub(1).filter(|&place| place < self.opponents.len())
    }
}

/// Lets an agent work; a panic becomes a reason why it failed.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| format!("it crashed: {}", panic_text(&*panic)))
}
