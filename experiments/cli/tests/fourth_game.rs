//! A small game that is added from outside: `impl Game`, a line in a registry of its own, and nothing else.
//! The games of the registry and this one are played, recorded, shown and checked by the same code.
//! `docs/adding-a-game.md` tells of it.

use std::fmt;
use std::io::Cursor;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use azulejo::{
    End, Game, Generator, Indexed, NotationError, PerPlayer, Record, RuleViolation, Rules, Seat, SpecError,
    StateError, Turn, game_registry, leaders, spec_of, testing,
};
use azulejo_agents::AgentSpec;
use azulejo_cli::play::{DealSource, Evaluation, Session, SessionSettings, prompt, seated};
use azulejo_experiments::Invocation;
use azulejo_experiments::Schedule;
use azulejo_experiments::game_loop::{Arena, Fault, GameArena};
use azulejo_experiments::manifest::{Command, Manifest, Status};
use azulejo_experiments::record_file::Encoding;
use azulejo_experiments::run::{Run, Start, Watch, run};
use azulejo_experiments::schedule::Pairing;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

/// The letters of the colors.
const COLORS: [char; 3] = ['R', 'G', 'B'];
/// Tiles of a color, and tiles of a deal.
const TILES: u8 = 4;
const DEAL: u8 = 3;

/// Two players in turn take all tiles of one color from the display, then cash them for a point each or store
/// them. Empty displays are dealt anew from the bag. In the end a store of three tiles or more of a color is
/// worth 2 points a tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Duet {
    rules: &'static DuetRules,
    table: DuetState,
}

/// What lies on the table, by colors; the state's JSON object.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DuetState {
    bag: [u8; 3],
    display: [u8; 3],
    /// Tiles taken and not yet cashed or stored.
    hand: [u8; 3],
    stores: [[u8; 3]; 2],
    cashed: [u8; 2],
    mover: usize,
}

/// The only rules that there are.
#[derive(Debug, Default, PartialEq)]
pub struct DuetRules;

impl Rules for DuetRules {
    fn from_options(options: &[&str]) -> Result<Self, SpecError> {
        match options {
            [] => Ok(DuetRules),
            [option, ..] => {
                Err(SpecError::Option { game: Duet::ID, option: (*option).to_owned(), known: "none" })
            }
        }
    }

    fn options(&self) -> String {
        String::new()
    }

    fn variants() -> Vec<Self> {
        vec![DuetRules]
    }
}

/// `R`, `G` or `B` takes a color; `cash` and `store` say what becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(usize);

const ACTIONS: [&str; 5] = ["R", "G", "B", "cash", "store"];
const CASH: Action = Action(3);
const STORE: Action = Action(4);

impl Indexed for Action {
    const COUNT: usize = ACTIONS.len();

    fn index(self) -> usize {
        self.0
    }

    fn from_index(index: usize) -> Self {
        assert!(index < Self::COUNT);
        Action(index)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ACTIONS[self.0])
    }
}

impl FromStr for Action {
    type Err = NotationError;

    fn from_str(token: &str) -> Result<Self, NotationError> {
        let found = ACTIONS.iter().position(|name| *name == token).map(Action);
        found.ok_or_else(|| NotationError::new(token, "a color, such as R, or cash, or store"))
    }
}

/// The tiles dealt of each color, written as letters: `RRB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deal([u8; 3]);

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tiles = COLORS.iter().zip(self.0);
        tiles.map(|(color, count)| color.to_string().repeat(count.into())).try_for_each(|it| f.write_str(&it))
    }
}

impl FromStr for Deal {
    type Err = NotationError;

    fn from_str(token: &str) -> Result<Self, NotationError> {
        let deal = Deal(COLORS.map(|color| token.matches(color).count() as u8));
        let same = deal.to_string() == token && token.len() == usize::from(DEAL);
        if same { Ok(deal) } else { Err(NotationError::new(token, "a deal of three tiles, such as RRB")) }
    }
}

impl fmt::Display for Duet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DuetState { bag, display, hand, stores, cashed, mover } = self.table;
        writeln!(f, "{}: display {} bag {}", spec_of::<Duet>(self.rules), Deal(display), Deal(bag))?;
        for (seat, (store, points)) in stores.into_iter().zip(cashed).enumerate() {
            let hand = Deal(if seat == mover { hand } else { [0; 3] });
            writeln!(f, "seat {seat}: {points} cashed, stored {}, in hand {hand}", Deal(store))?;
        }
        Ok(())
    }
}

impl Serialize for Duet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.table.serialize(serializer)
    }
}

fn count(tiles: [u8; 3]) -> u8 {
    tiles.iter().sum()
}

impl Game for Duet {
    type Rules = DuetRules;
    type Action = Action;
    type Outcome = Deal;

    const ID: &'static str = "duet";
    const NAME: &'static str = "Duet";
    const PLAYERS: RangeInclusive<usize> = 2..=2;
    const MAX_LEGAL: usize = 3;

    fn new(rules: &'static DuetRules, players: usize) -> Self {
        assert_eq!(players, 2, "Duet seats 2 players");
        let none = [0; 3];
        let table = DuetState {
            bag: [TILES; 3],
            display: none,
            hand: none,
            stores: [none; 2],
            cashed: [0; 2],
            mover: 0,
        };
        Duet { rules, table }
    }

    fn rules(&self) -> &'static DuetRules {
        self.rules
    }

    fn players(&self) -> usize {
        2
    }

    fn round(&self) -> u32 {
        let dealt = 3 * TILES - count(self.table.bag);
        u32::from(dealt / DEAL).max(1)
    }

    fn turn(&self) -> Turn {
        match (count(self.table.display) + count(self.table.hand), count(self.table.bag)) {
            (0, 0) => Turn::Over,
            (0, _) => Turn::Chance,
            _ => Turn::Player(Seat::new(self.table.mover)),
        }
    }

    fn legal_actions(&self, buffer: &mut Vec<Action>) {
        buffer.clear();
        buffer.extend((0..Action::COUNT).map(Action).filter(|&action| self.is_legal(action)));
    }

    fn check_action(&self, action: Action) -> Result<(), RuleViolation> {
        match (action, count(self.table.hand)) {
            (CASH | STORE, 0) => Err(RuleViolation("there are no tiles in hand")),
            (CASH | STORE, _) => Ok(()),
            (Action(color), 0) if self.table.display[color] > 0 => Ok(()),
            (_, 0) => Err(RuleViolation("the display has no tile of that color")),
            _ => Err(RuleViolation("the tiles in hand come first")),
        }
    }

    fn apply(&mut self, action: Action) {
        let table = &mut self.table;
        if action != CASH && action != STORE {
            table.hand[action.0] = std::mem::take(&mut table.display[action.0]);
            return;
        }
        let hand = std::mem::take(&mut table.hand);
        if action == CASH {
            table.cashed[table.mover] += count(hand);
        } else {
            table.stores[table.mover].iter_mut().zip(hand).for_each(|(store, tiles)| *store += tiles);
        }
        table.mover = 1 - table.mover;
    }

    fn sample_chance(&self, rng: &mut Generator) -> Deal {
        let (mut bag, mut deal) = (self.table.bag, [0; 3]);
        for _ in 0..DEAL {
            let mut left = rng.below(count(bag).into()) as u8;
            let drawn = bag.iter().position(|&tiles| {
                let here = left < tiles;
                left = left.saturating_sub(tiles);
                here
            });
            let color = drawn.expect("the number is below that of the tiles");
            bag[color] -= 1;
            deal[color] += 1;
        }
        Deal(deal)
    }

    fn check_chance(&self, deal: &Deal) -> Result<(), RuleViolation> {
        let there = deal.0.iter().zip(self.table.bag).all(|(dealt, tiles)| *dealt <= tiles);
        match self.turn() {
            Turn::Chance if there => Ok(()),
            Turn::Chance => Err(RuleViolation("the bag has too few tiles of a color")),
            _ => Err(RuleViolation("nothing is dealt now")),
        }
    }

    fn apply_chance(&mut self, deal: &Deal) {
        self.table.display = deal.0;
        self.table.bag.iter_mut().zip(deal.0).for_each(|(tiles, dealt)| *tiles -= dealt);
    }

    fn scores(&self) -> PerPlayer<i16> {
        let over = self.turn() == Turn::Over;
        PerPlayer::from_fn(2, |seat| {
            let rows = self.table.stores[seat.index()].into_iter().filter(|&tiles| over && tiles >= 3);
            i16::from(self.table.cashed[seat.index()]) + rows.map(|tiles| 2 * i16::from(tiles)).sum::<i16>()
        })
    }

    fn wins(&self) -> PerPlayer<f64> {
        leaders(&self.scores())
    }

    fn from_json(rules: &'static DuetRules, state: &Value) -> Result<Self, StateError> {
        let table: DuetState =
            DuetState::deserialize(state).map_err(|error| StateError::new("state", error.to_string()))?;
        let DuetState { bag, display, hand, stores, mover, .. } = table;
        let fits = |color: usize| {
            let piles = [bag, display, hand, stores[0], stores[1]];
            piles.iter().map(|pile| u32::from(pile[color])).sum::<u32>() <= TILES.into()
        };
        if mover > 1 || !(0..3).all(fits) || !count(bag).is_multiple_of(DEAL) {
            return Err(StateError::new("state", "expected a table of Duet"));
        }
        Ok(Duet { rules, table })
    }
}

game_registry! {
    $ crate,
    /// Duet alone.
    pub enum DuetSpec;
    /// Calls generic code for Duet.
    macro with_duet;
    /// Calls a macro with Duet.
    macro for_each_duet;
    Duet => Duet: ,
}

macro_rules! fill_in_all {
    ($($name:ident => $game:ty: $($ability:ident)*,)+) => {
        $(
            azulejo::fill_in!($game: $($ability)*);
            azulejo_agents::fill_in!($game: $($ability)*);
            azulejo_experiments::fill_in!($game: $($ability)*);
            azulejo_cli::fill_in!($game: $($ability)*);
        )+
    };
}

for_each_duet!(fill_in_all);

/// The rules of the game that this spec names.
fn rules() -> &'static DuetRules {
    let spec: DuetSpec = "duet".parse().expect("an id is a spec");
    with_duet!(spec, |rules: &'static G::Rules| rules)
}

fn agent(spec: &str) -> AgentSpec {
    spec.parse().expect("the agent is registered")
}

#[test]
fn the_game_keeps_the_contract() {
    testing::check_contract::<Duet>(rules(), 2, 50, 1);
    testing::check_random_action::<Duet>(rules(), 2, 200, 1);
    testing::check_keys::<Duet>(rules(), 2, 20, 1);
}

#[test]
fn its_specs_are_read_and_refused() {
    assert_eq!(DuetSpec::all(), [DuetSpec::Duet(rules())]);
    let error = |spec: &str| spec.parse::<DuetSpec>().unwrap_err().to_string();
    assert_eq!(error("azul"), "unknown game 'azul'; known games: duet");
    assert_eq!(error("duet:loud"), "unknown option 'loud' of duet; known options: none");
    let players = DuetSpec::Duet(rules()).check_players(3).unwrap_err().to_string();
    assert_eq!(players, "3 players: the game seats 2");
}

#[test]
fn agents_that_need_more_than_rules_say_so() {
    let others = "agents that can: random, mcts:rollout=random, minimax";
    for (spec, lacks) in [
        ("greedy", "ratings of actions"),
        ("mcts:rollout=greedy", "ratings of actions"),
        ("neural", "features for networks"),
    ] {
        let error = agent(spec).build::<Duet>().err().unwrap().to_string();
        assert_eq!(error, format!("agent '{spec}' cannot play Duet, which has no {lacks}; {others}"));
    }
    for spec in ["random", "mcts", "mcts:rollout=random", "minimax"] {
        assert!(agent(spec).build::<Duet>().is_ok(), "{spec}");
    }
}

struct Quiet;

impl Watch for Quiet {
    fn begin(&mut self, _games: u64) {}
    fn game(&mut self) {}
    fn fault(&mut self, fault: &Fault) {
        panic!("{fault}");
    }
    fn end(&mut self) {}
}

/// Plays a tournament of Duet into a directory, or goes on with it; the win share of the tree search.
fn tournament(directory: &Path, start: Start) -> f64 {
    let arena = GameArena::<Duet> { rules: rules() };
    let agents = ["random", "minimax", "mcts:sims=50,rollout=random"].map(agent);
    let schedule =
        Schedule::tournament((arena.spec(), 2), &agents, 40, 1, Pairing::All).expect("three agents");
    let it = Run {
        arena: &arena,
        schedule: &schedule,
        manifest: Manifest::new(Command::Tournament, &schedule, Encoding::Plain, Pairing::All, None),
        invocation: Invocation::now([]),
        anchor: None,
        sprt: None,
        directory,
        encoding: Encoding::Plain,
        threads: NonZeroUsize::MIN.saturating_add(1),
    };
    let (summary, status) = run(&it, start, &AtomicBool::new(false), &mut Quiet).expect("a run");
    assert_eq!((status, summary.games), (Status::Finished, 120));
    summary.agents[2].win_share.expect("games were played").value
}

#[test]
fn a_tournament_is_played_recorded_and_gone_on_with() {
    let directory = tempfile::tempdir().unwrap();
    let share = tournament(directory.path(), Start::New);
    assert!(share > 0.5, "the search wins {share}");
    let read = |name: &str| std::fs::read_to_string(directory.path().join(name)).unwrap();
    let (records, summary) = (read(Encoding::Plain.file_name()), read("summary.json"));
    for line in records.lines() {
        let record = Record::from_line(line).unwrap();
        assert_eq!(record.end, End::Finished);
        record.verified_history::<Duet>(record.rules_of::<Duet>().unwrap()).unwrap();
    }
    assert_eq!((records.lines().count(), summary.contains("\"game\": \"duet\"")), (120, true));
    assert_eq!(tournament(directory.path(), Start::Resume), share);
    assert_eq!((read(Encoding::Plain.file_name()), read("summary.json")), (records, summary));
}

#[test]
fn a_person_plays_it_in_plain_text() {
    let settings = SessionSettings {
        players: seated(2, &[0], &["random".parse().unwrap()]).unwrap(),
        seed: 1,
        adviser: agent("mcts:sims=20,rollout=random"),
        evaluation: Evaluation::Shown,
        file: None,
        default_file: "/nowhere/at/all.jsonl".into(),
        replaceable: None,
        load: None,
        deals: DealSource::Seed,
    };
    let (session, agents) = Session::<Duet>::new(rules(), settings).unwrap();
    let mut output = Vec::new();
    prompt::play(session, agents, Cursor::new("1\n".repeat(100)), &mut output).unwrap();
    let seen = String::from_utf8(output).unwrap();
    for expected in ["duet: display ", "choose an action", "store", "\npoints ", " win"] {
        assert!(seen.contains(expected), "{expected} is missing in {seen}");
    }
}
