//! One network for many searches at once: [`Batcher`].
//!
//! Each search waits for its answer; the network's thread answers all questions that have come up since it last looked.
//! While it works, those that have their answers search on and ask again, and these questions are its next batch: so the
//! searches fall into two groups that take turns, and nobody waits for a batch to be full.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

use azulejo::{MAX_PLAYERS, Parts};

use super::inference::Inference;
use super::network::{SCORE_UNIT, Shape, softmax};

/// The most questions in a batch.
const MOST: usize = 1024;

/// Something that puts many states through a network at once.
pub trait BatchNetwork {
    /// Fills in the answers to the questions.
    fn answer(&mut self, questions: &mut [Question]);
}

/// A state's active features, and what the network says of it.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The active features.
    pub features: Vec<u16>,
    /// The logit of every part.
    pub parts: Vec<f32>,
    /// The logit of each seat's share of the win, in turn order from the viewpoint.
    pub wins: [f32; MAX_PLAYERS],
    /// The points to come of each seat, in units of [`SCORE_UNIT`].
    pub scores: [f32; MAX_PLAYERS],
}

/// A network on a thread of its own that answers searches in batches. The thread ends when nobody can ask any more.
#[derive(Debug)]
pub struct Batcher {
    shape: Shape,
    letters: Sender<Letter>,
    /// The last question, with its answer.
    last: Question,
}

/// A question with the way back.
#[derive(Debug)]
struct Letter {
    question: Question,
    reply: SyncSender<Question>,
}

impl Batcher {
    /// Starts the thread, on which `make` makes the network.
    pub fn start<N: BatchNetwork>(shape: Shape, make: impl FnOnce() -> N + Send + 'static) -> Self {
        let (letters, inbox) = channel();
        thread::spawn(move || serve(&mut make(), &inbox));
        Batcher { shape, letters, last: Question::default() }
    }
}

/// Answers until nobody can ask any more.
fn serve(network: &mut impl BatchNetwork, inbox: &Receiver<Letter>) {
    let (mut questions, mut replies) = (Vec::new(), Vec::new());
    while let Ok(first) = inbox.recv() {
        for letter in std::iter::once(first).chain(inbox.try_iter()).take(MOST) {
            questions.push(letter.question);
            replies.push(letter.reply);
        }
        network.answer(&mut questions);
        for (question, reply) in questions.drain(..).zip(replies.drain(..)) {
            // A search that is gone needs no answer.
            _ = reply.send(question);
        }
    }
}

impl Inference for Batcher {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn another(&self) -> Box<dyn Inference> {
        Box::new(Batcher { shape: self.shape, letters: self.letters.clone(), last: Question::default() })
    }

    fn look(&mut self, features: &[u16]) {
        let mut question = std::mem::take(&mut self.last);
        question.features.clear();
        question.features.extend_from_slice(features);
        // A way back of its own for each question: it breaks off with the network's thread.
        let (reply, answer) = sync_channel(1);
        let sent = self.letters.send(Letter { question, reply });
        let answer = sent.ok().and_then(|()| answer.recv().ok());
        self.last = answer.expect("the network's thread works as long as somebody can ask");
    }

    fn keep(&self, seen: &mut Vec<f32>) {
        let Question { parts, wins, scores, .. } = &self.last;
        seen.clear();
        [wins, scores, &parts[..]].into_iter().for_each(|found: &[f32]| seen.extend_from_slice(found));
    }

    fn recall(&mut self, seen: &[f32]) {
        let (wins, rest) = seen.split_at(MAX_PLAYERS);
        let (scores, parts) = rest.split_at(MAX_PLAYERS);
        self.last.wins.copy_from_slice(wins);
        self.last.scores.copy_from_slice(scores);
        self.last.parts.clear();
        self.last.parts.extend_from_slice(parts);
    }

    fn wins(&self, players: usize) -> [f32; MAX_PLAYERS] {
        let mut shares = self.last.wins;
        softmax(&mut shares[..players]);
        shares[players..].fill(0.0);
        shares
    }

    fn points_to_come(&self) -> [f32; MAX_PLAYERS] {
        self.last.scores.map(|score| SCORE_UNIT * score)
    }

    fn logits(&mut self, outputs: &[Parts], logits: &mut Vec<f32>) {
        logits.clear();
        let logit = |part: usize| self.last.parts[part];
        logits.extend(outputs.iter().map(|output| output.iter().map(logit).sum::<f32>()));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use azulejo::azul::Azul;
    use azulejo::{Encode, Game, Generator, Rules, Turn, intern};

    use super::*;
    use crate::agent::{Agent, Limits};
    use crate::neural::network::{Network, Tensor, Workspace};
    use crate::neural::{Embedded, NeuralParameters, seated, shape_of};

    /// Works a network out row by row, and says how large the largest batch was.
    struct RowByRow {
        network: Arc<Network>,
        workspace: Workspace,
        largest: SyncSender<usize>,
    }

    impl BatchNetwork for RowByRow {
        fn answer(&mut self, questions: &mut [Question]) {
            _ = self.largest.try_send(questions.len());
            let every_part: Vec<Parts> = (0..Azul::PARTS).map(Parts::one).collect();
            for question in questions {
                self.network.look(&question.features, &mut self.workspace);
                self.network.logits(&every_part, &mut self.workspace, &mut question.parts);
                // Shares of the win come to the same as logits when their logarithms are taken.
                let wins = self.network.wins(MAX_PLAYERS, &self.workspace);
                question.wins = wins.map(f32::ln);
                question.scores =
                    self.network.points_to_come(&self.workspace).map(|points| points / SCORE_UNIT);
            }
        }
    }

    fn network() -> Arc<Network> {
        let mut network = Network::untrained(shape_of::<Azul>(32, 1), 1);
        let shape = network.shape();
        for tensor in [Tensor::Parts, Tensor::Wins, Tensor::Scores] {
            network.weights_mut()[shape.range(tensor)].iter_mut().for_each(|weight| *weight *= 10.0);
        }
        Arc::new(network)
    }

    fn batcher(network: &Arc<Network>) -> (Batcher, Receiver<usize>) {
        let (largest, sizes) = sync_channel(100_000);
        let network = network.clone();
        let shape = Network::shape(&network);
        let make = move || RowByRow { network, workspace: Workspace::new(shape), largest };
        (Batcher::start(shape, make), sizes)
    }

    fn close(a: &[f32], b: &[f32]) {
        assert!(a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4), "{a:?} {b:?}");
    }

    #[test]
    fn answers_are_those_of_the_network_alone() {
        let network = network();
        let (batcher, _sizes) = batcher(&network);
        let (mut alone, mut asked) = (Embedded::new(network), batcher.another());
        let rules = intern(<Azul as Game>::Rules::variants().swap_remove(0));
        let (mut state, mut rng, mut legal) = (Azul::new(rules, 3), Generator::new(2), Vec::new());
        let (mut features, mut logits, mut looks) = (Vec::new(), [Vec::new(), Vec::new()], Vec::new());
        while state.turn() != Turn::Over {
            state.encode(&mut features);
            alone.look(&features);
            asked.look(&features);
            close(&alone.wins(3), &asked.wins(3));
            close(&alone.points_to_come(), &asked.points_to_come());
            if let Turn::Player(_) = state.turn() {
                state.legal_actions(&mut legal);
                let outputs: Vec<Parts> =
                    legal.iter().map(|&action| Azul::parts(state.output(action))).collect();
                alone.logits(&outputs, &mut logits[0]);
                asked.logits(&outputs, &mut logits[1]);
                close(&logits[0], &logits[1]);
                looks.push((Vec::new(), asked.wins(3), asked.points_to_come(), outputs, logits[1].clone()));
                asked.keep(&mut looks.last_mut().unwrap().0);
            }
            state.play_random(&mut rng, &mut legal);
        }
        for (seen, wins, points, outputs, expected) in looks {
            asked.recall(&seen);
            asked.logits(&outputs, &mut logits[1]);
            assert_eq!((asked.wins(3), asked.points_to_come(), &logits[1]), (wins, points, &expected));
        }
    }

    #[test]
    fn searches_that_ask_at_the_same_time_share_batches_and_find_what_they_find_alone() {
        let network = network();
        let (batcher, sizes) = batcher(&network);
        let parameters = NeuralParameters { sims: Some(60), ..NeuralParameters::default() };
        let choose = |network: &dyn Inference, seed: u64| {
            let rules = intern(<Azul as Game>::Rules::variants().swap_remove(0));
            let mut state = Azul::new(rules, 2);
            state.play_chance(&mut Generator::new(seed));
            let mut agent: Box<dyn Agent<Azul>> = seated(&parameters, network);
            agent.new_game(seed);
            agent.choose(&state, &Limits::default()).unwrap().action
        };
        let expected: Vec<_> = (0..16).map(|seed| choose(&Embedded::new(network.clone()), seed)).collect();
        let found: Vec<_> = thread::scope(|scope| {
            let (choose, batcher) = (&choose, &batcher);
            let searches: Vec<_> = (0..16).map(|seed| scope.spawn(move || choose(batcher, seed))).collect();
            searches.into_iter().map(|search| search.join().unwrap()).collect()
        });
        assert_eq!(found, expected);
        drop(batcher);
        let sizes: Vec<usize> = sizes.iter().collect();
        assert!(sizes.iter().any(|&size| size > 1), "{} batches, all of one question", sizes.len());
    }

    /// Fails at the first question.
    struct Broken;

    impl BatchNetwork for Broken {
        fn answer(&mut self, _questions: &mut [Question]) {
            panic!("the device is gone");
        }
    }

    #[test]
    #[should_panic = "the network's thread works as long as somebody can ask"]
    fn nobody_waits_for_a_network_that_broke_down() {
        let batcher = Batcher::start(shape_of::<Azul>(32, 1), || Broken);
        batcher.another().look(&[1]);
    }
}
