//! A game of Azul played at random: `cargo run --release --example random_game`.
#![expect(clippy::print_stdout, reason = "an example may stop where nobody reads it")]

use azulejo::azul::Azul;
use azulejo::{Game, Generator, History, Move, Turn, intern};

fn main() {
    let (mut rng, mut buffer) = (Generator::new(1), Vec::new());
    let mut history = History::<Azul>::new(intern(Default::default()), 2);
    while history.state().turn() != Turn::Over {
        let drawn = Move::draw(history.state(), &mut rng, &mut buffer);
        history.push(drawn).expect("what is drawn is allowed");
    }
    for ply in history.replay() {
        match ply.before.turn() {
            Turn::Player(seat) => println!("seat {seat} plays {}", ply.played),
            _ => println!("\n{}\n\nround {} is dealt: {}", ply.before, ply.after.round(), ply.played),
        }
    }
    let end = history.state();
    println!("\n{end}\n\nscores {:?}, shares of the win {:?}", end.scores(), end.wins());
}
