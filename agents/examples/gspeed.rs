//! probe
use azulejo::azul::*;
use azulejo::*;
use azulejo_agents::heuristic::*;
fn main() {
    let args: Vec<f32> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let mut w = AzulWeights::default();
    if args.len() >= 8 {
        w = AzulWeights {
            tile: args[0],
            partial: args[1],
            lacking: args[2],
            column: args[3],
            color: args[4],
            row: args[5],
            floor: args[6],
            marker: args[7],
        };
    }
    let rules = intern(AzulRules::default());
    let mut rng = Generator::new(1);
    let (mut buf, mut r) = (Vec::new(), Vec::new());
    let n = 10000u64;
    let t = std::time::Instant::now();
    let mut acts = 0u64;
    let mut sc = 0i64;
    let mut rounds = 0;
    for _ in 0..n {
        let mut g = Azul::new(rules, 2);
        loop {
            match g.turn() {
                Turn::Over => break,
                Turn::Chance => g.play_chance(&mut rng),
                Turn::Player(_) => {
                    let a = g.best_action(&w, &mut rng, &mut buf, &mut r);
                    g.apply(a);
                    acts += 1;
                }
            }
        }
        sc += g.scores().as_slice().iter().map(|&x| x as i64).sum::<i64>();
        rounds += g.round();
    }
    let e = t.elapsed().as_secs_f64();
    println!(
        "{:.0} games/s acts {:.2} rounds {:.2} score {:.3}",
        n as f64 / e,
        acts as f64 / n as f64,
        rounds as f64 / n as f64,
        sc as f64 / n as f64 / 2.0
    );
}
