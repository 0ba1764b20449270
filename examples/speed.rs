//! speed probe
use azulejo::azul::*;
use azulejo::*;
fn main() {
    for players in 2..=4 {
        let rules = intern(AzulRules::default());
        let mut rng = Generator::new(1);
        let mut buf = Vec::new();
        let n = 200000u64;
        let t = std::time::Instant::now();
        let mut acts = 0u64;
        let mut rounds = 0;
        let mut sc = 0i64;
        let mut w = [0.0; 4];
        for _ in 0..n {
            let mut g = Azul::new(rules, players);
            loop {
                match g.turn() {
                    Turn::Over => break,
                    Turn::Chance => g.play_chance(&mut rng),
                    Turn::Player(_) => {
                        let a = g.random_action(&mut rng, &mut buf);
                        g.apply(a);
                        acts += 1;
                    }
                }
            }
            rounds += g.round();
            sc += g.scores().as_slice().iter().map(|&x| x as i64).sum::<i64>();
            let ws = g.wins();
            for (s, x) in ws.iter() {
                w[s.index()] += if *x == 1.0 { 1.0 } else { 0.0 };
            }
        }
        let e = t.elapsed().as_secs_f64();
        println!(
            "{players}: {:.0} games/s acts {:.2} rounds {:.3} score {:.3} wins {:?} size {}",
            n as f64 / e,
            acts as f64 / n as f64,
            rounds as f64 / n as f64,
            sc as f64 / n as f64 / players as f64,
            w.map(|x| x / n as f64),
            std::mem::size_of::<Azul>()
        );
    }
}
