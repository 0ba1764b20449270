//! One network for many searches at once: [`BatchedInference`].
//!
//! Searches on one thread leave their looks to a common batch and wait. When none of them can go on, one flushes the batch:
//! the network works all of it out by products of matrices, and each search receives what it asked for. Nobody blocks, and
//! which looks fall into one batch follows from the searches alone and not from the clock.

use std::fmt::Debug;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::Poll;

use azulejo::{MAX_PLAYERS, Parts};

use super::inference::Inference;
use super::network::{SCORE_UNIT, Shape, softmax};

/// Something that puts many states through a network at once.
pub trait BatchNetwork: Debug + Send {
    /// The same network for another thread.
    fn another(&self) -> Box<dyn BatchNetwork>;

    /// Fills in what the network says of each row.
    ///
    /// # Panics
    /// If the network breaks down, as where a device's memory is full.
    fn evaluate(&mut self, rows: &mut [BatchRow]);
}

/// A row of a batch: a state's active features, and what the network says of it.
#[derive(Clone, Debug, Default)]
pub struct BatchRow {
    /// The active features.
    pub features: Vec<u16>,
    /// The logit of every part.
    pub parts: Vec<f32>,
    /// The logit of each seat's share of the win, in turn order from the viewpoint.
    pub wins: [f32; MAX_PLAYERS],
    /// The points to come of each seat, in units of [`SCORE_UNIT`].
    pub scores: [f32; MAX_PLAYERS],
}

/// A look that was left to a batch. If it is dropped, nobody receives the look.
#[derive(Debug)]
pub struct PendingLook(Receiver<BatchRow>);

/// A network that works looks out in batches, as one of the searches sees it that share these.
#[derive(Debug)]
pub struct BatchedInference {
    shape: Shape,
    batch: Arc<Mutex<Batch>>,
    /// The last look.
    last: BatchRow,
}

/// The looks that wait, and the network that will work them out.
#[derive(Debug)]
struct Batch {
    network: Box<dyn BatchNetwork>,
    rows: Vec<BatchRow>,
    /// The way back of each row.
    replies: Vec<SyncSender<BatchRow>>,
}

impl Batch {
    fn flush(&mut self) {
        if self.rows.is_empty() {
            return;
        }
        // Taken out: if the network breaks down they are dropped, and nobody waits for them any more.
        let (mut rows, replies) = (std::mem::take(&mut self.rows), std::mem::take(&mut self.replies));
        self.network.evaluate(&mut rows);
        for (row, reply) in rows.into_iter().zip(replies) {
            // A search that is gone needs no answer.
            _ = reply.send(row);
        }
    }
}

impl BatchedInference {
    /// The network for the searches of one thread.
    pub fn new(shape: Shape, network: Box<dyn BatchNetwork>) -> Self {
        let batch = Batch { network, rows: Vec::new(), replies: Vec::new() };
        BatchedInference { shape, batch: Arc::new(Mutex::new(batch)), last: BatchRow::default() }
    }

    fn batch(&self) -> MutexGuard<'_, Batch> {
        self.batch.lock().expect("the network has not broken down")
    }
}

impl Inference for BatchedInference {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn another(&self) -> Box<dyn Inference> {
        let (shape, batch) = (self.shape, self.batch.clone());
        Box::new(BatchedInference { shape, batch, last: BatchRow::default() })
    }

    fn for_thread(&self) -> Box<dyn Inference> {
        Box::new(BatchedInference::new(self.shape, self.batch().network.another()))
    }

    fn look(&mut self, features: &[u16]) {
        if let Some(look) = self.request(features) {
            self.flush();
            assert!(self.receive(&look).is_ready(), "a batch that is worked out has all its looks");
        }
    }

    fn request(&mut self, features: &[u16]) -> Option<PendingLook> {
        let mut row = std::mem::take(&mut self.last);
        row.features.clear();
        row.features.extend_from_slice(features);
        // A way back of its own for each look: it breaks off with the batch.
        let (reply, answer) = sync_channel(1);
        let mut batch = self.batch();
        batch.rows.push(row);
        batch.replies.push(reply);
        Some(PendingLook(answer))
    }

    fn receive(&mut self, look: &PendingLook) -> Poll<()> {
        match look.0.try_recv() {
            Ok(row) => {
                self.last = row;
                Poll::Ready(())
            }
            Err(TryRecvError::Empty) => Poll::Pending,
            Err(TryRecvError::Disconnected) => panic!("the network broke down"),
        }
    }

    fn flush(&mut self) {
        self.batch().flush();
    }

    fn keep(&self, seen: &mut Vec<f32>) {
        let BatchRow { parts, wins, scores, .. } = &self.last;
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
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use azulejo::azul::Azul;
    use azulejo::{Encode, Game, Generator, Rules, Turn, intern};

    use super::*;
    use crate::agent::{Agent, Limits};
    use crate::evaluator::RolloutKind;
    use crate::neural::network::{Network, Tensor, Workspace};
    use crate::neural::{Embedded, NeuralParameters, RootKind, seated, shape_of};

    /// Works a network out row by row, and tells the size of every batch.
    #[derive(Debug)]
    struct RowByRow {
        network: Arc<Network>,
        workspace: Workspace,
        sizes: SyncSender<usize>,
    }

    impl BatchNetwork for RowByRow {
        fn another(&self) -> Box<dyn BatchNetwork> {
            let (network, sizes) = (self.network.clone(), self.sizes.clone());
            Box::new(RowByRow { workspace: Workspace::new(network.shape()), network, sizes })
        }

        fn evaluate(&mut self, rows: &mut [BatchRow]) {
            _ = self.sizes.try_send(rows.len());
            let every_part: Vec<Parts> = (0..Azul::PARTS).map(Parts::one).collect();
            for row in rows {
                self.network.look(&row.features, &mut self.workspace);
                self.network.logits(&every_part, &mut self.workspace, &mut row.parts);
                // Shares of the win come to the same as logits when their logarithms are taken.
                row.wins = self.network.wins(MAX_PLAYERS, &self.workspace).map(crate::arithmetic::ln);
                row.scores = self.network.points_to_come(&self.workspace).map(|points| points / SCORE_UNIT);
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

    fn batched(network: &Arc<Network>) -> (BatchedInference, Receiver<usize>) {
        let ((sizes, told), shape) = (sync_channel(100_000), network.shape());
        let rows = RowByRow { network: network.clone(), workspace: Workspace::new(shape), sizes };
        (BatchedInference::new(shape, Box::new(rows)), told)
    }

    fn close(a: &[f32], b: &[f32]) {
        assert!(a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4), "{a:?} {b:?}");
    }

    #[test]
    fn answers_are_those_of_the_network_alone() {
        let network = network();
        let (batched, _sizes) = batched(&network);
        let (mut alone, mut asked) = (Embedded::new(network), batched.another());
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
    fn looks_wait_for_their_batch_and_are_received_by_those_who_asked() {
        let network = network();
        let (batched, sizes) = batched(&network);
        let (mut alone, mut asked) = (Embedded::new(network), batched.another());
        let looks = [1, 5, 9].map(|feature| (feature, asked.request(&[feature]).unwrap()));
        let (mut other, forgotten) = (batched.another(), asked.request(&[2]));
        let others = other.request(&[3]).unwrap();
        assert!(looks.iter().all(|(_, look)| asked.receive(look).is_pending()));
        drop(forgotten);
        other.flush();
        // In any order.
        for (feature, look) in looks.iter().rev() {
            assert!(asked.receive(look).is_ready());
            alone.look(&[*feature]);
            close(&alone.points_to_come(), &asked.points_to_come());
        }
        assert!(other.receive(&others).is_ready());
        asked.flush();
        batched.for_thread().look(&[4]);
        assert_eq!(sizes.try_iter().collect::<Vec<_>>(), [5, 1], "another thread has batches of its own");
    }

    /// Agents that search with these parameters, and what they are to choose at.
    fn searches(parameters: &NeuralParameters, network: &dyn Inference) -> Vec<(Azul, Box<dyn Agent<Azul>>)> {
        let search = |seed| {
            let rules = intern(<Azul as Game>::Rules::variants().swap_remove(0));
            let mut state = Azul::new(rules, 2);
            state.play_chance(&mut Generator::new(seed));
            let mut agent = seated(parameters, network).expect("no critic is read");
            agent.new_game(seed);
            (state, agent)
        };
        (0..16).map(search).collect()
    }

    #[test]
    fn searches_that_share_batches_find_what_they_find_alone() {
        let network = network();
        for (rollout, root, batch) in [
            (RolloutKind::Round, RootKind::Puct, 1),
            (RolloutKind::None, RootKind::Puct, 1),
            (RolloutKind::None, RootKind::Gumbel, 1),
            (RolloutKind::Round, RootKind::Gumbel, 4),
        ] {
            let (batched, sizes) = batched(&network);
            let rollout = Some(rollout);
            let parameters =
                NeuralParameters { sims: Some(60), rollout, root, batch, ..NeuralParameters::default() };
            let mut waiting: Vec<_> = searches(&parameters, &batched).into_iter().enumerate().collect();
            let mut found = vec![None; waiting.len()];
            while let Some((_, (_, first))) = waiting.first_mut() {
                first.flush();
                waiting.retain_mut(|(place, (state, agent))| {
                    match agent.poll_choose(state, &Limits::default()) {
                        Poll::Ready(decision) => found[*place] = Some(decision.unwrap().action),
                        Poll::Pending => return true,
                    }
                    false
                });
            }
            let choose = |(state, mut agent): (Azul, Box<dyn Agent<Azul>>)| {
                Some(agent.choose(&state, &Limits::default()).unwrap().action)
            };
            let alone = |network: &dyn Inference| -> Vec<_> {
                searches(&parameters, network).into_iter().map(choose).collect()
            };
            let shared: Vec<usize> = sizes.try_iter().collect();
            assert_eq!(found, alone(&batched), "{parameters:?}");
            if batch == 1 {
                assert_eq!(found, alone(&Embedded::new(network.clone())), "{parameters:?}");
            }
            let mean = shared.iter().sum::<usize>() as f32 / shared.len() as f32;
            assert!(mean > 12.0, "{mean} looks a batch, {parameters:?}");
        }
    }

    #[test]
    fn leaves_of_one_tree_share_batches() {
        let (batched, sizes) = batched(&network());
        let parameters = NeuralParameters { sims: Some(200), batch: 8, ..NeuralParameters::default() };
        let (state, mut agent) = searches(&parameters, &batched).swap_remove(0);
        let search = agent.choose(&state, &Limits::default()).unwrap().search.unwrap();
        assert_eq!((search.nodes, search.visits.iter().map(|it| it.1).sum::<u32>()), (200, 199));
        let sizes: Vec<usize> = sizes.try_iter().collect();
        let mean = sizes.iter().sum::<usize>() as f32 / sizes.len() as f32;
        assert!(mean > 6.0, "{mean} looks a batch: {sizes:?}");
    }

    /// Fails at the first batch.
    #[derive(Debug)]
    struct FailingNetwork;

    impl BatchNetwork for FailingNetwork {
        fn another(&self) -> Box<dyn BatchNetwork> {
            Box::new(FailingNetwork)
        }

        fn evaluate(&mut self, _rows: &mut [BatchRow]) {
            panic!("the device is gone");
        }
    }

    #[test]
    fn nobody_waits_for_a_network_that_broke_down() {
        let message = |work: &mut dyn FnMut()| {
            let panic = catch_unwind(AssertUnwindSafe(work)).unwrap_err();
            let text = panic.downcast_ref::<&str>().map(ToString::to_string);
            text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap()
        };
        let batched = BatchedInference::new(shape_of::<Azul>(32, 1), Box::new(FailingNetwork));
        let [mut first, mut second] = [batched.another(), batched.another()];
        let look = first.request(&[1]).unwrap();
        assert_eq!(message(&mut || second.look(&[2])), "the device is gone");
        assert_eq!(message(&mut || _ = first.receive(&look)), "the network broke down");
        assert!(message(&mut || _ = first.request(&[1])).starts_with("the network has not broken down"));
    }
}
