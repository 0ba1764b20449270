use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use azulejo::azul::{Azul, AzulRules};
use azulejo::queens_garden::QueensGarden;
use azulejo::summer_pavilion::SummerPavilion;
use azulejo::{
    Encode, Game, Generator, Move, Parts, Rules, Seat, Turn, encoding_hash, former_encodings, intern,
};

use super::network::Tensor;
use super::*;
use crate::agent::Limits;
use crate::evaluator::Evaluator;
use crate::registry::AgentSpec;
use crate::toy::{Child, Toy};
use crate::valuation::Valuation;

fn parameters(pairs: &str) -> NeuralParameters {
    crate::parameters::AgentParameters::from_pairs(pairs).unwrap()
}

fn untrained_network<G: Encode>(seed: u64) -> Network {
    Network::untrained(shape_of::<G>(32, 1), seed)
}

fn untrained<G: Encode>(seed: u64) -> Embedded {
    Embedded::new(untrained_network::<G>(seed))
}

/// A network that knows that all ends but those of `node` are lost for seat 0, or in the seats' own view.
fn toy_network(worth: impl Fn(usize, &mut Network)) -> Embedded {
    let shape = shape_of::<Toy>(64, 0);
    let mut network = Network::new(shape, vec![0.0; shape.size()]);
    for node in 0..64 {
        network.weights_mut()[shape.range(Tensor::Features)][node * 64 + node] = 1.0;
        worth(node, &mut network);
    }
    Embedded::new(network)
}

#[test]
fn searches_find_the_best_move_of_a_toy_game() {
    // The network says nothing; what counts are the ends. The left move may win but the answer to it loses.
    let toy = Toy::parse("0(1([9 0] [0 9]) 1([5 5] [9 0]))", 2);
    for pairs in [
        "sims=400,margin=0",
        "sims=400,margin=0,noise=0.25",
        "sims=400,margin=0,root=gumbel",
        "sims=64,margin=0,root=gumbel,noise=1",
        "sims=64,margin=0,root=gumbel,noise=1,rollout=none",
        "sims=400,margin=0,rollout=none",
        "sims=400,margin=0,rollout=greedy",
    ] {
        let mut agent =
            agent::<Toy>(&parameters(pairs), &toy_network(|_, _| {}), None, &NetSettings::default());
        agent.new_game(1);
        let decision = agent.choose(&toy, &Limits::default()).unwrap();
        assert_eq!(decision.action, Child(1), "{pairs}");
        let search = decision.search.unwrap();
        assert_eq!(search.policy.is_empty(), !pairs.contains("gumbel"));
        if let [first, second] = search.policy[..] {
            assert!((first.1 + second.1 - 1.0).abs() < 1e-5);
            let better = if first.0 == Child(1) { first.1 } else { second.1 };
            assert!(better > 0.8, "{:?}", search.policy);
        }
    }
}

#[test]
fn the_network_judges_chance_nodes_from_the_seat_that_moves_next() {
    // Node 2 is the chance node behind the left move, node 5 the one on the right.
    let toy = Toy::parse("0(*(1:[9 0] 1:[0 9]) *(1:[9 0] 1:[0 9]))", 2);
    let network = toy_network(|node, network| {
        let shape = network.shape();
        let win = &mut network.weights_mut()[shape.range(Tensor::Wins)][node];
        *win = if node == 5 { 3.0 } else { 0.0 };
    });
    let mut agent = agent::<Toy>(
        &parameters("sims=50,margin=0,rollout=none,chance=afterstate"),
        &network,
        None,
        &NetSettings::default(),
    );
    agent.new_game(1);
    let decision = agent.choose(&toy, &Limits::default()).unwrap();
    assert_eq!(decision.action, Child(1));
    let values = decision.search.unwrap().values;
    assert!(values[Seat::new(0)] > 0.5 && values[Seat::new(1)] < -0.5, "{values:?}");
}

#[test]
fn the_policy_decides_what_is_tried_first() {
    let toy = Toy::parse("0([5 5] [5 5] [5 5] [5 5])", 2);
    let network = toy_network(|_, network| {
        let shape = network.shape();
        network.weights_mut()[shape.range(Tensor::PartsBias)][2] = 2.0;
    });
    for root in ["puct", "gumbel"] {
        let mut agent = agent::<Toy>(
            &parameters(&format!("sims=2,root={root}")),
            &network,
            None,
            &NetSettings::default(),
        );
        agent.new_game(1);
        assert_eq!(agent.choose(&toy, &Limits::default()).unwrap().action, Child(2), "{root}");
    }
}

/// Plays a game with an untrained network; returns its moves.
fn play<G: crate::Playable>(rules: &'static G::Rules, players: usize, pairs: &str, seed: u64) -> Vec<String> {
    let mut agent = agent::<G>(&parameters(pairs), &untrained::<G>(3), None, &NetSettings::default());
    play_with(&mut agent, rules, players, seed)
}

/// Plays a game with this agent; returns its moves.
fn play_with<G: Game>(
    agent: &mut dyn Agent<G>,
    rules: &'static G::Rules,
    players: usize,
    seed: u64,
) -> Vec<String> {
    agent.new_game(seed);
    let (mut state, mut rng, mut moves) = (G::new(rules, players), Generator::new(7), Vec::new());
    while state.turn() != Turn::Over && moves.len() < 150 {
        let played: Move<G> = match state.turn() {
            Turn::Chance => Move::Outcome(state.sample_chance(&mut rng)),
            _ => {
                let decision = agent.choose(&state, &Limits::default()).unwrap();
                assert!(state.is_legal(decision.action), "{}\n{state}", decision.action);
                let policy = decision.search.unwrap().policy;
                let sum: f32 = policy.iter().map(|entry| entry.1).sum();
                assert!(policy.is_empty() || (sum - 1.0).abs() < 1e-3, "{policy:?}");
                Move::Action(decision.action)
            }
        };
        played.apply(&mut state);
        agent.observe(&played);
        moves.push(played.to_string());
    }
    moves
}

fn play_all<G: crate::Playable>() {
    for rules in G::Rules::variants() {
        let rules = intern(rules);
        for (players, pairs) in [
            (2, "sims=12"),
            (3, "sims=12,root=gumbel,noise=1"),
            (3, "sims=12,noise=0.25"),
            (4, "sims=12,chance=afterstate,rollout=none,margin=1"),
        ] {
            let first = play::<G>(rules, players, pairs, 1);
            assert_eq!(first, play::<G>(rules, players, pairs, 1), "the same seed, the same moves");
        }
    }
}

#[test]
fn every_game_is_played_and_the_same_seed_gives_the_same_moves() {
    play_all::<Azul>();
    play_all::<SummerPavilion>();
    play_all::<QueensGarden>();
}

#[test]
fn equal_factories_make_one_choice() {
    let mut state = Azul::new(intern(AzulRules::default()), 2);
    state.play_token("DBBYR/KKWW/BBYR/RRRR/BBYR").unwrap();
    let mut agent =
        agent::<Azul>(&parameters("sims=300,c=50"), &untrained::<Azul>(3), None, &NetSettings::default());
    agent.new_game(1);
    let visits = agent.choose(&state, &Limits::default()).unwrap().search.unwrap().visits;
    assert!(visits.len() > 20, "{visits:?}");
    assert!(
        visits.iter().all(|(action, _)| !matches!(action.to_string().as_bytes()[0], b'3' | b'5')),
        "{visits:?}"
    );
}

#[test]
fn files_read_back_and_wrong_ones_are_refused() {
    let network = untrained_network::<Azul>(1);
    let about = About::new::<Azul>(network.shape(), 12, vec!["azul 2".to_owned()]);
    let bytes = to_bytes(&network, &about);
    let (read, read_about) = from_bytes::<Azul>(&bytes).unwrap();
    assert_eq!((&read, &read_about), (&network, &about));
    assert_eq!(to_bytes(&read, &read_about), bytes);

    let refused = |bytes: &[u8]| from_bytes::<Azul>(bytes).unwrap_err().to_string();
    assert!(refused(b"").starts_with("not a weights file"));
    assert!(refused(&bytes[..bytes.len() - 4]).starts_with("not a weights file"));
    let other = from_bytes::<QueensGarden>(&bytes).unwrap_err().to_string();
    assert_eq!(other, "a network for azul, expected one for queens-garden");
    let changed = |change: fn(&mut About)| {
        let mut about = about.clone();
        change(&mut about);
        refused(&to_bytes(&network, &about))
    };
    assert_eq!(changed(|about| about.version = 2), "format version 2, expected 1");
    assert!(changed(|about| about.encoding = "0".to_owned()).starts_with("trained for encoding 0"));
    assert!(changed(|about| about.width = 16).starts_with("tensor 'features.weight'"));
    assert!(changed(|about| about.blocks = 2).starts_with("tensor 'blocks.1.weight'"));
    assert!(changed(|about| about.blocks = 1 << 40).starts_with("not a weights file"));
    let mut broken = network.clone();
    broken.weights_mut()[5] = f32::NAN;
    assert!(refused(&to_bytes(&broken, &about)).contains("not a finite number"));
}

#[test]
fn networks_for_fewer_features_play_on_as_before() {
    let (hash, features) = former_encodings::<Azul>()[0];
    let former = Network::untrained(Shape { features, ..untrained_network::<Azul>(1).shape() }, 1);
    let about =
        About { encoding: format!("{hash:016x}"), ..About::new::<Azul>(former.shape(), 3, Vec::new()) };
    let (read, read_about) = from_bytes::<Azul>(&to_bytes(&former, &about)).unwrap();
    assert_eq!(read.shape(), shape_of::<Azul>(former.shape().width, former.shape().blocks));
    assert_eq!(read_about.encoding, format!("{:016x}", encoding_hash::<Azul>()));
    for tensor in former.shape().tensors().filter(|tensor| *tensor != Tensor::Features) {
        assert_eq!(read.tensor(tensor), former.tensor(tensor));
    }
    let (rows, more) = read.tensor(Tensor::Features).split_at(former.tensor(Tensor::Features).len());
    assert_eq!(rows, former.tensor(Tensor::Features));
    assert!(!more.is_empty() && more.iter().all(|weight| *weight == 0.0));
}

#[test]
fn files_say_how_their_networks_are_searched_with() {
    let network = untrained_network::<Azul>(1);
    let about = About::new::<Azul>(network.shape(), 12, Vec::new());
    let bytes = to_bytes(&network, &about);
    assert!(!String::from_utf8_lossy(&bytes).contains("search"), "nothing is said that nobody knows");
    let settings = NetSettings { c: 0.9, evaluate: EvaluatedState::Leaf, ..NetSettings::default() };
    let told = with_settings(&bytes, settings.clone()).unwrap();
    let (read, read_about) = from_bytes::<Azul>(&told).unwrap();
    assert_eq!((read, &read_about.search), (network.clone(), &Some(settings.clone())));
    assert_eq!(About { search: None, ..read_about }, about);
    assert_eq!(with_settings(&told, settings.clone()).unwrap(), told);
    let wrong = NetSettings { heuristic: 2.0, ..settings };
    let refused = with_settings(&bytes, wrong).unwrap_err().to_string();
    assert_eq!(refused, "search.heuristic: found 2, expected 0 to 1");
}

/// A weights file whose metadata have this for `search`.
fn searched_as(search: &str) -> Vec<u8> {
    let network = untrained_network::<Azul>(1);
    let about = serde_json::to_value(About::new::<Azul>(network.shape(), 1, Vec::new())).unwrap();
    let text = about.to_string().replace("}", &format!(r#","search":{search}}}"#));
    let bytes = to_bytes(&network, &About::new::<Azul>(network.shape(), 1, Vec::new()));
    let tensors = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    safetensors::serialize(tensors.tensors(), Some([("azulejo".to_owned(), text)].into())).unwrap()
}

#[test]
fn files_of_a_former_version_are_read_and_written_anew_with_present_keys() {
    let former = searched_as(r#"{"c":0.9,"look":"leaf","hand":0.5}"#);
    let search = from_bytes::<Azul>(&former).unwrap().1.search.unwrap();
    let expected =
        NetSettings { c: 0.9, evaluate: EvaluatedState::Leaf, heuristic: 0.5, ..NetSettings::default() };
    assert_eq!(search, expected);
    let present = with_settings(&former, search.clone()).unwrap();
    assert_eq!(read_about(&present).unwrap().search, Some(search));
    let text = String::from_utf8_lossy(&present).into_owned();
    assert!(text.contains(r#"\"evaluate\":\"leaf\",\"heuristic\":0.5"#), "the metadata are JSON in JSON");
}

#[test]
fn settings_in_files_that_are_unknown_or_malformed_are_refused_with_their_key() {
    let refused = |search: &str| from_bytes::<Azul>(&searched_as(search)).unwrap_err().to_string();
    assert!(from_bytes::<Azul>(&searched_as(r#"{"c":2}"#)).is_ok());
    for (search, parts) in [
        (r#"{"depth":3}"#, ["search.depth", "unknown field `depth`, expected one of `c`, `fpu`"]),
        (r#"{"c":"much"}"#, ["search.c", "invalid type: string \"much\", expected f32"]),
        (r#"{"evaluate":"root"}"#, ["search.evaluate", "unknown variant `root`, expected `leaf` or `end`"]),
        (r#"{"margin":1.5}"#, ["search.margin", "found 1.5, expected 0 to 1"]),
        (r#"{"c":-1}"#, ["search.c", "found -1, expected a number that is not negative"]),
        (r#"{"prior":0}"#, ["search.prior", "found 0, expected a number above 0"]),
        (r#"{"playout":2}"#, ["search.playout", "found 2, expected 0 to 1"]),
        (r#"{"c":1e40}"#, ["search.c", "number out of range"]),
        (r#"{"critic":"../a"}"#, ["search.critic", "expected the name of a file beside this one"]),
    ] {
        let refused = refused(search);
        assert!(parts.iter().all(|part| refused.contains(part)), "{search}: {refused}");
    }
}

/// The weights file of the network that comes with the agents.
fn shipped_file<G: Game>() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("nets").join(G::ID).join(format!("{}.safetensors", G::ID))
}

#[test]
fn the_file_of_a_network_that_comes_with_the_agents_plays_as_the_default() {
    fn moves<G: crate::Playable>(spec: &str, settings: &str) -> Vec<String> {
        let spec: AgentSpec = format!("neural:sims=20{spec}{settings}").parse().unwrap();
        let rules = intern(G::Rules::variants().swap_remove(0));
        play_with(&mut *spec.build::<G>().unwrap(), rules, 2, 5)
    }
    fn check<G: crate::Playable>(other: &str) {
        let file = format!(",net={}", shipped_file::<G>().display());
        let expected = moves::<G>("", "");
        assert_eq!(moves::<G>(&file, ""), expected);
        // What is given counts before what the file says.
        assert_eq!(moves::<G>(&file, other), moves::<G>("", other));
        assert_ne!(moves::<G>(&file, other), expected);
    }
    check::<Azul>(",evaluate=end");
    check::<SummerPavilion>(",evaluate=end");
    check::<QueensGarden>(",critic=none");
}

#[test]
fn the_files_that_come_with_the_agents_hold_settings_and_the_tensors_that_were_trained() {
    for (name, tensors, settings) in [
        (
            "azul",
            0xEDBC_6438_E8B7_EFA0,
            Some(
                r#"{"c":0.9,"prior":1.8,"evaluate":"leaf","heuristic":0.5,"critic":"azul-critic.safetensors"}"#,
            ),
        ),
        ("azul-critic", 0xFCF7_6075_C1A8_1A36, None),
        (
            "summer-pavilion",
            0x9F97_A857_DE17_895F,
            Some(
                r#"{"c":0.8,"evaluate":"leaf","heuristic":0.4,"critic":"summer-pavilion-critic.safetensors"}"#,
            ),
        ),
        ("summer-pavilion-critic", 0x82E0_EFDF_4F86_A54F, None),
        (
            "queens-garden",
            0x4E0C_A83E_47D0_CFB8,
            Some(r#"{"c":1.1,"fpu":0,"margin":0.8,"hand":1,"critic":"queens-garden-critic.safetensors"}"#),
        ),
        ("queens-garden-critic", 0xF6A5_1625_FF60_26FD, None),
    ] {
        let game = name.trim_end_matches("-critic");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("nets/{game}/{name}.safetensors"));
        let bytes = std::fs::read(path).unwrap();
        let (header, _) = bytes.split_first_chunk::<8>().unwrap();
        let begin = 8 + u64::from_le_bytes(*header) as usize;
        assert_eq!(azulejo::fingerprint(bytes[begin..].iter().copied()), tensors, "{name}");
        let expected: Option<NetSettings> = settings.map(|text| serde_json::from_str(text).unwrap());
        assert_eq!(read_about(&bytes).unwrap().search, expected, "{name}");
    }
}

#[test]
fn a_critic_that_does_not_lie_beside_its_network_is_missed() {
    let directory = tempfile::tempdir().unwrap();
    let net = directory.path().join("net.safetensors");
    std::fs::copy(shipped_file::<QueensGarden>(), &net).unwrap();
    let spec = format!("neural:net={}", net.display());
    let build = |spec: &str| spec.parse::<AgentSpec>().unwrap().build::<QueensGarden>();
    let message = build(&spec).err().unwrap().to_string();
    let expected =
        "expected its critic queens-garden-critic.safetensors beside it (critic=none does without)";
    assert!(
        message.starts_with("agent 'neural', parameter 'net'") && message.contains(expected),
        "{message}"
    );
    assert!(build(&format!("{spec},critic=none")).is_ok());
}

#[test]
fn agents_name_files_that_do_not_fit() {
    let message = |spec: &str| match spec.parse::<AgentSpec>().unwrap().build::<Azul>() {
        Ok(_) => panic!("{spec} was built"),
        Err(error) => error.to_string(),
    };
    assert!(message("neural:net=absent.safetensors").contains("absent.safetensors"));
    assert!(message("neural:net=Cargo.toml").contains("not a weights file"));
    assert!(message("neural:prior=0").contains("'prior': found '0', expected a number above 0"));
    let twice = message("neural:rollout=greedy,playout=0.5");
    assert!(
        twice.contains("'playout': found '0.5', expected none where the rollout goes to the end"),
        "{twice}"
    );
    assert!(message("neural:critic=absent.safetensors").contains("expected none, or a file of a critic for"));
}

#[test]
fn the_networks_that_come_with_the_agents_fit() {
    fn check<G: crate::Playable>() {
        let shipped = G::NET.unwrap().weights;
        let (_, about) = from_bytes::<G>(shipped).unwrap();
        assert!(about.steps > 0 && shipped.len() <= 5_000_000, "{about:?}");
        if let Some(critic) = G::NET.unwrap().critic {
            assert!(critic_from_bytes::<G>(critic).unwrap().1.steps > 0);
        }
        assert!("neural:sims=2".parse::<AgentSpec>().unwrap().build::<G>().is_ok());
    }
    check::<Azul>();
    check::<SummerPavilion>();
    check::<QueensGarden>();
    let none = "neural".parse::<AgentSpec>().unwrap().build::<Toy>();
    assert!(none.err().unwrap().to_string().contains("expected a file of"));
}

#[test]
fn the_games_own_value_stands_beside_the_networks() {
    let rules = intern(<Azul as Game>::Rules::variants().swap_remove(0));
    let (mut state, mut rng, mut legal) = (Azul::new(rules, 3), Generator::new(1), Vec::new());
    let utility = Utility { margin: 0.5 };
    let network = untrained::<Azul>(1);
    let own_value = |horizon| {
        let policy = GreedyPolicy::new(Default::default());
        Valuation::<Azul>::new(horizon, policy, Default::default(), utility)
    };
    let mut evaluators = [0.0, 0.25, 1.0].map(|hand| {
        let by_heuristic = Box::new(own_value(Horizon::Here));
        NetworkEvaluator::new(&network, Horizon::Chance, utility).with_heuristic(hand, by_heuristic)
    });
    let mut alone = own_value(Horizon::Chance);
    while state.turn() != Turn::Over {
        let judge = |evaluator: &mut dyn Evaluator<Azul>| {
            evaluator.reseed(1);
            evaluator.value(&state)
        };
        let [net, mixed, by_heuristic] = evaluators.each_mut().map(|evaluator| judge(evaluator));
        assert_eq!(by_heuristic, judge(&mut alone));
        for (seat, value) in mixed.utility.iter() {
            assert!((value - (0.75 * net.utility[seat] + 0.25 * by_heuristic.utility[seat])).abs() < 1e-5);
        }
        state.play_random(&mut rng, &mut legal);
    }
}

#[test]
fn look_says_which_state_the_network_judges() {
    let network = untrained::<Azul>(1);
    let rules = intern(<Azul as Game>::Rules::variants().swap_remove(0));
    let (mut state, mut rng) = (Azul::new(rules, 3), Generator::new(4));
    state.play_chance(&mut rng);
    let value = |pairs: &str| {
        let pairs = parameters(&format!("sims=1,{pairs}"));
        let mut agent = agent::<Azul>(&pairs, &network, None, &NetSettings::default());
        agent.new_game(1);
        agent.choose(&state, &Limits::default()).unwrap().search.unwrap().values
    };
    let (leaf, end, own) =
        (value("evaluate=leaf"), value("evaluate=end"), value("evaluate=leaf,heuristic=1"));
    assert_ne!(leaf, end);
    assert_eq!(leaf, value("rollout=none"), "the network alone, at the leaf");
    assert_ne!(own, value("rollout=none,heuristic=1"), "the own value judges the rollout's end all the same");
    for (seat, mixed) in value("evaluate=leaf,heuristic=0.5").iter() {
        assert!((mixed - (leaf[seat] + own[seat]) / 2.0).abs() < 1e-5);
    }
}

#[test]
fn the_networks_policy_does_not_depend_on_whose_values_count() {
    let network = untrained::<Azul>(1);
    let mut evaluators = [0.0, 1.0].map(|hand| {
        let utility = Utility { margin: 0.5 };
        let by_heuristic = Box::new(Rollout::new(GreedyPolicy::new(Default::default()), utility));
        NetworkEvaluator::<Azul>::new(&network, Horizon::Here, utility).with_heuristic(hand, by_heuristic)
    });
    let rules = intern(<Azul as Game>::Rules::variants().swap_remove(0));
    let (mut state, mut rng, mut legal) = (Azul::new(rules, 2), Generator::new(2), Vec::new());
    while state.turn() != Turn::Over {
        if let Turn::Player(_) = state.turn() {
            let [net, by_heuristic] = evaluators.each_mut().map(|evaluator| {
                let (mut actions, mut shares) = (Vec::new(), Vec::new());
                state.legal_actions(&mut actions);
                evaluator.value(&state);
                evaluator.policy(&state, &mut actions, &mut shares, &mut Generator::new(1));
                (actions, shares)
            });
            assert_eq!(net, by_heuristic);
            assert!((net.1.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        }
        state.play_random(&mut rng, &mut legal);
    }
}

#[test]
fn a_prior_above_1_evens_the_policy_out() {
    let network = untrained::<Azul>(1);
    let mut evaluators = [1.0, 2.0].map(|prior| {
        NetworkEvaluator::<Azul>::new(&network, Horizon::Here, Utility { margin: 0.5 }).with_prior(prior)
    });
    let rules = intern(<Azul as Game>::Rules::variants().swap_remove(0));
    let mut state = Azul::new(rules, 2);
    state.play_chance(&mut Generator::new(2));
    let [(plain, sharp), (even, flat)] = evaluators.each_mut().map(|evaluator| {
        let (mut actions, mut shares) = (Vec::new(), Vec::new());
        state.legal_actions(&mut actions);
        evaluator.policy(&state, &mut actions, &mut shares, &mut Generator::new(1));
        (actions, shares)
    });
    assert_eq!(plain, even);
    let roots: Vec<f32> = sharp.iter().map(|share| if *share > 0.0 { share.sqrt() } else { 0.0 }).collect();
    let all: f32 = roots.iter().sum();
    for (root, flat) in roots.iter().zip(flat) {
        assert!((root / all - flat).abs() < 1e-4, "{} is not {flat}", root / all);
    }
    assert!(sharp[0] > 1.01 / sharp.len() as f32, "the policy is not even to begin with");
}

/// A network that counts how often it looks.
#[derive(Clone, Debug)]
struct LookCounter(Embedded, Arc<AtomicU64>);

impl Inference for LookCounter {
    fn shape(&self) -> Shape {
        self.0.shape()
    }

    fn another(&self) -> Box<dyn Inference> {
        Box::new(self.clone())
    }

    fn look(&mut self, features: &[u16]) {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.look(features);
    }

    fn keep(&self, seen: &mut Vec<f32>) {
        self.0.keep(seen);
    }

    fn recall(&mut self, seen: &[f32]) {
        self.0.recall(seen);
    }

    fn wins(&self, players: usize) -> [f32; azulejo::MAX_PLAYERS] {
        self.0.wins(players)
    }

    fn points_to_come(&self) -> [f32; azulejo::MAX_PLAYERS] {
        self.0.points_to_come()
    }

    fn logits(&mut self, outputs: &[Parts], logits: &mut Vec<f32>) {
        self.0.logits(outputs, logits);
    }
}

#[test]
fn a_leafs_value_and_its_later_policy_take_one_look() {
    let looks = Arc::new(AtomicU64::new(0));
    let network = LookCounter(untrained::<Azul>(1), looks.clone());
    let evaluator = || NetworkEvaluator::<Azul>::new(&network, Horizon::Here, Utility { margin: 0.5 });
    let rules = intern(<Azul as Game>::Rules::variants().swap_remove(0));
    let (mut state, mut rng, mut legal) = (Azul::new(rules, 2), Generator::new(2), Vec::new());
    let mut states = Vec::new();
    while state.turn() != Turn::Over {
        if let Turn::Player(_) = state.turn() {
            states.push(state);
        }
        state.play_random(&mut rng, &mut legal);
    }
    let policy = |evaluator: &mut NetworkEvaluator<Azul>, state: &Azul| {
        let (mut actions, mut shares) = (Vec::new(), Vec::new());
        state.legal_actions(&mut actions);
        evaluator.policy(state, &mut actions, &mut shares, &mut Generator::new(1));
        (actions, shares)
    };
    let mut asked = evaluator();
    let values: Vec<_> = states.iter().map(|state| asked.value(state)).collect();
    assert_eq!(looks.load(Ordering::Relaxed), states.len() as u64);
    for (state, value) in states.iter().zip(values) {
        assert_eq!(policy(&mut asked, state), policy(&mut evaluator(), state));
        assert_eq!(asked.value(state), value);
    }
    assert_eq!(
        looks.load(Ordering::Relaxed),
        2 * states.len() as u64,
        "only the other evaluators looked again"
    );
}

/// σ(q) = s · (50 + most visits) · q: with s = 0 the improved policy is the network's.
#[test]
fn values_do_not_count_where_they_are_not_trusted() {
    let rules = intern(<Azul as Game>::Rules::variants().swap_remove(0));
    let (mut state, mut rng) = (Azul::new(rules, 2), Generator::new(2));
    state.play_chance(&mut rng);
    let policy = |pairs: &str| {
        let mut agent = agent::<Azul>(
            &parameters(&format!("root=gumbel,{pairs}")),
            &untrained::<Azul>(1),
            None,
            &NetSettings::default(),
        );
        agent.new_game(1);
        let decision = agent.choose(&state, &Limits::default()).unwrap();
        decision.search.unwrap().policy
    };
    assert_eq!(policy("sims=2,scale=0"), policy("sims=64,scale=0"));
    assert_ne!(policy("sims=2,scale=0"), policy("sims=64"));
}

#[test]
fn nothing_is_allocated_to_judge_a_state() {
    fn count<G: crate::Playable>(horizon: Horizon) -> u64 {
        let rules = intern(G::Rules::variants().swap_remove(0));
        let (mut state, mut rng, mut legal) = (G::new(rules, 2), Generator::new(1), Vec::new());
        let mut states = Vec::new();
        while state.turn() != Turn::Over {
            states.push(state);
            state.play_random(&mut rng, &mut legal);
        }
        let mut evaluator = NetworkEvaluator::<G>::new(&untrained::<G>(1), horizon, Utility { margin: 0.5 });
        let mut shares = Vec::with_capacity(G::MAX_LEGAL);
        let mut judge = || {
            for state in &states {
                std::hint::black_box(evaluator.value(state));
                if let Turn::Player(_) = state.turn() {
                    state.legal_actions(&mut legal);
                    evaluator.policy(state, &mut legal, &mut shares, &mut rng);
                }
            }
        };
        judge();
        allocation_counter::measure(judge).count_total
    }
    for horizon in [Horizon::Here, Horizon::Chance] {
        let counts =
            (count::<Azul>(horizon), count::<SummerPavilion>(horizon), count::<QueensGarden>(horizon));
        assert_eq!(counts, (0, 0, 0), "{horizon:?}");
    }
}

#[test]
fn a_network_with_more_blocks_says_nearly_the_same_and_can_learn_by_them() {
    let network = untrained_network::<Azul>(3);
    let deeper = network.clone().deepened(3, 4);
    assert_eq!(deeper.shape(), shape_of::<Azul>(32, 3));
    assert_eq!(network.clone().deepened(1, 4), network);
    for block in 0..3 {
        let largest =
            deeper.tensor(Tensor::Block(block)).iter().fold(0f32, |most, weight| most.max(weight.abs()));
        assert!(largest > 0.0 && (largest < 0.1) == (block > 0), "block {block}: {largest}");
    }
    let [mut own, mut more] = [&network, &deeper].map(|network| Workspace::new(network.shape()));
    let features: Vec<u16> = (0..60).map(|feature| 7 * feature).collect();
    network.look(&features, &mut own);
    deeper.look(&features, &mut more);
    let sum = |layer: &[f32]| layer.iter().sum::<f32>();
    assert!(own.hidden != more.hidden && (sum(&own.hidden) / sum(&more.hidden) - 1.0).abs() < 0.1);
    for tensor in [Tensor::Parts, Tensor::Wins, Tensor::ScoresBias, Tensor::Features, Tensor::BlockBias(0)] {
        assert_eq!(network.tensor(tensor), deeper.tensor(tensor), "{}", tensor.name());
    }
}
