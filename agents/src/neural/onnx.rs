//! Networks as ONNX models, for programs outside of this project.
//!
//! A model has one input, `features`, a row for each state with a 1 for every active feature and 0 elsewhere, and three
//! outputs: `part_logits`, a logit for each part; `win_logits`, one for each seat in turn order from the viewpoint; and
//! `points_to_come`, in points, for each seat. Its metadata have the key `azulejo`, as weights files do.
//!
//! The messages are those of [`onnx.proto`](https://github.com/onnx/onnx/blob/main/onnx/onnx.proto), as far as they are
//! needed: version 7 of the format with version 13 of the operators (ONNX 1.8).

use azulejo::MAX_PLAYERS;
use prost::Message;

use super::file::{About, METADATA_KEY};
use super::network::{Network, SCORE_UNIT, Tensor};

/// A network as the bytes of an ONNX model.
pub fn to_onnx(network: &Network, about: &About) -> Vec<u8> {
    let shape = network.shape();
    let initializer = shape.tensors().map(|tensor| TensorProto::new(network, tensor)).collect();
    let graph = GraphProto {
        node: nodes(shape.blocks),
        name: "azulejo".to_owned(),
        initializer,
        input: vec![ValueInfoProto::rows("features", shape.features)],
        output: vec![
            ValueInfoProto::rows("part_logits", shape.parts),
            ValueInfoProto::rows("win_logits", MAX_PLAYERS),
            ValueInfoProto::rows("points_to_come", MAX_PLAYERS),
        ],
    };
    let value = serde_json::to_string(about).expect("metadata are plain values");
    let model = ModelProto {
        ir_version: 7,
        producer_name: "azulejo".to_owned(),
        producer_version: env!("CARGO_PKG_VERSION").to_owned(),
        graph: Some(graph),
        opset_import: vec![OperatorSetIdProto { version: 13 }],
        metadata_props: vec![StringStringEntryProto { key: METADATA_KEY.to_owned(), value }],
    };
    model.encode_to_vec()
}

/// The operations, in the order in which they are carried out.
fn nodes(blocks: usize) -> Vec<NodeProto> {
    let hidden = |layer: usize| format!("hidden.{layer}");
    let mut nodes = vec![
        NodeProto::gemm("features", Tensor::Features, Tensor::FeaturesBias, "sums"),
        NodeProto::new("Relu", &["sums"], &hidden(0)),
    ];
    for block in 0..blocks {
        let (sums, gates) = (format!("blocks.{block}.sums"), format!("blocks.{block}.gates"));
        let (before, after) = (hidden(block), hidden(block + 1));
        nodes.push(NodeProto::gemm(&before, Tensor::Block(block), Tensor::BlockBias(block), &sums));
        nodes.push(NodeProto::new("Relu", &[&sums], &gates));
        nodes.push(NodeProto::new("Add", &[&before, &gates], &after));
    }
    let last = hidden(blocks);
    // The heads' matrices have a row for each output.
    let head = |rows, bias, name, attributes: &[AttributeProto]| {
        let mut node = NodeProto::gemm(&last, rows, bias, name);
        node.attribute.push(AttributeProto::integer("transB", 1));
        node.attribute.extend_from_slice(attributes);
        node
    };
    let points = [AttributeProto::float("alpha", SCORE_UNIT), AttributeProto::float("beta", SCORE_UNIT)];
    nodes.push(head(Tensor::Parts, Tensor::PartsBias, "part_logits", &[]));
    nodes.push(head(Tensor::Wins, Tensor::WinsBias, "win_logits", &[]));
    nodes.push(head(Tensor::Scores, Tensor::ScoresBias, "points_to_come", &points));
    nodes
}

/// `FLOAT` among the types of tensors' elements.
const FLOAT: i32 = 1;

#[derive(Clone, PartialEq, Message)]
struct ModelProto {
    #[prost(int64, tag = "1")]
    ir_version: i64,
    #[prost(string, tag = "2")]
    producer_name: String,
    #[prost(string, tag = "3")]
    producer_version: String,
    #[prost(message, optional, tag = "7")]
    graph: Option<GraphProto>,
    #[prost(message, repeated, tag = "8")]
    opset_import: Vec<OperatorSetIdProto>,
    #[prost(message, repeated, tag = "14")]
    metadata_props: Vec<StringStringEntryProto>,
}

#[derive(Clone, PartialEq, Message)]
struct OperatorSetIdProto {
    #[prost(int64, tag = "2")]
    version: i64,
}

#[derive(Clone, PartialEq, Message)]
struct StringStringEntryProto {
    #[prost(string, tag = "1")]
    key: String,
    #[prost(string, tag = "2")]
    value: String,
}

#[derive(Clone, PartialEq, Message)]
struct GraphProto {
    #[prost(message, repeated, tag = "1")]
    node: Vec<NodeProto>,
    #[prost(string, tag = "2")]
    name: String,
    #[prost(message, repeated, tag = "5")]
    initializer: Vec<TensorProto>,
    #[prost(message, repeated, tag = "11")]
    input: Vec<ValueInfoProto>,
    #[prost(message, repeated, tag = "12")]
    output: Vec<ValueInfoProto>,
}

#[derive(Clone, PartialEq, Message)]
struct NodeProto {
    #[prost(string, repeated, tag = "1")]
    input: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    output: Vec<String>,
    #[prost(string, tag = "4")]
    op_type: String,
    #[prost(message, repeated, tag = "5")]
    attribute: Vec<AttributeProto>,
}

impl NodeProto {
    fn new(operation: &str, inputs: &[&str], output: &str) -> Self {
        NodeProto {
            input: inputs.iter().map(|&input| input.to_owned()).collect(),
            output: vec![output.to_owned()],
            op_type: operation.to_owned(),
            attribute: Vec::new(),
        }
    }

    /// The product with a matrix plus a bias.
    fn gemm(input: &str, matrix: Tensor, bias: Tensor, output: &str) -> Self {
        NodeProto::new("Gemm", &[input, &matrix.name(), &bias.name()], output)
    }
}

#[derive(Clone, PartialEq, Message)]
struct AttributeProto {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(float, optional, tag = "2")]
    f: Option<f32>,
    #[prost(int64, optional, tag = "3")]
    i: Option<i64>,
    #[prost(int32, tag = "20")]
    r#type: i32,
}

impl AttributeProto {
    fn float(name: &str, value: f32) -> Self {
        AttributeProto { name: name.to_owned(), f: Some(value), i: None, r#type: 1 }
    }

    fn integer(name: &str, value: i64) -> Self {
        AttributeProto { name: name.to_owned(), f: None, i: Some(value), r#type: 2 }
    }
}

#[derive(Clone, PartialEq, Message)]
struct TensorProto {
    #[prost(int64, repeated, tag = "1")]
    dims: Vec<i64>,
    #[prost(int32, tag = "2")]
    data_type: i32,
    #[prost(string, tag = "8")]
    name: String,
    #[prost(bytes = "vec", tag = "9")]
    raw_data: Vec<u8>,
}

impl TensorProto {
    fn new(network: &Network, tensor: Tensor) -> Self {
        TensorProto {
            dims: network.shape().dimensions(tensor).into_iter().map(|size| size as i64).collect(),
            data_type: FLOAT,
            name: tensor.name(),
            raw_data: network.tensor(tensor).iter().flat_map(|weight| weight.to_le_bytes()).collect(),
        }
    }
}

#[derive(Clone, PartialEq, Message)]
struct ValueInfoProto {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, optional, tag = "2")]
    r#type: Option<TypeProto>,
}

impl ValueInfoProto {
    /// Any number of rows of so many numbers.
    fn rows(name: &str, columns: usize) -> Self {
        let any = Dimension { dim_value: None, dim_param: Some("batch".to_owned()) };
        let columns = Dimension { dim_value: Some(columns as i64), dim_param: None };
        let shape = Some(TensorShapeProto { dim: vec![any, columns] });
        let tensor_type = Some(TensorTypeProto { elem_type: FLOAT, shape });
        ValueInfoProto { name: name.to_owned(), r#type: Some(TypeProto { tensor_type }) }
    }
}

#[derive(Clone, PartialEq, Message)]
struct TypeProto {
    #[prost(message, optional, tag = "1")]
    tensor_type: Option<TensorTypeProto>,
}

#[derive(Clone, PartialEq, Message)]
struct TensorTypeProto {
    #[prost(int32, tag = "1")]
    elem_type: i32,
    #[prost(message, optional, tag = "2")]
    shape: Option<TensorShapeProto>,
}

#[derive(Clone, PartialEq, Message)]
struct TensorShapeProto {
    #[prost(message, repeated, tag = "1")]
    dim: Vec<Dimension>,
}

#[derive(Clone, PartialEq, Message)]
struct Dimension {
    #[prost(int64, optional, tag = "1")]
    dim_value: Option<i64>,
    #[prost(string, optional, tag = "2")]
    dim_param: Option<String>,
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use azulejo::azul::Azul;
    use azulejo::queens_garden::QueensGarden;
    use azulejo::summer_pavilion::SummerPavilion;
    use azulejo::{Encode, Generator, Parts, Rules, Turn, intern};
    use rand::RngExt;
    use serde::Deserialize;

    use super::*;
    use crate::neural::network::Workspace;
    use crate::neural::shape_of;

    /// What scripts/examples/ask_onnx.py prints of a state.
    #[derive(Deserialize)]
    struct ModelOutput {
        part_logits: Vec<f32>,
        win_logits: Vec<f32>,
        points_to_come: Vec<f32>,
    }

    /// The answers of onnxruntime to rows of active features.
    fn ask(model: &[u8], rows: &[Vec<u16>]) -> Vec<ModelOutput> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("net.onnx");
        std::fs::write(&path, model).unwrap();
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/examples/ask_onnx.py");
        let pipes = (Stdio::piped(), Stdio::piped());
        let mut python =
            Command::new("python3").arg(script).arg(&path).stdin(pipes.0).stdout(pipes.1).spawn().unwrap();
        let text: String =
            rows.iter().map(|row| format!("{}\n", serde_json::to_string(row).unwrap())).collect();
        python.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = python.wait_with_output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn close(a: &[f32], b: &[f32], tolerance: f32) {
        assert_eq!(a.len(), b.len());
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < tolerance), "{a:?} {b:?}");
    }

    fn compare<G: Encode>() {
        let mut network = Network::untrained(shape_of::<G>(40, 2), 3);
        // Biases that are not 0, and heads that say something.
        let mut rng = Generator::new(4);
        network
            .weights_mut()
            .iter_mut()
            .for_each(|weight| *weight += 0.2 * (rng.random::<f64>() as f32 - 0.5));
        let rules = intern(G::Rules::variants().swap_remove(0));
        let (mut state, mut legal, mut rows) = (G::new(rules, 3), Vec::new(), Vec::new());
        while state.turn() != Turn::Over {
            let mut features = Vec::new();
            state.encode(&mut features);
            rows.push(features);
            state.play_random(&mut rng, &mut legal);
        }
        let about = About::new::<G>(network.shape(), 0, Vec::new());
        let answers = ask(&to_onnx(&network, &about), &rows);
        assert_eq!(answers.len(), rows.len());
        let every_part: Vec<Parts> = (0..G::PARTS).map(Parts::one).collect();
        let (mut workspace, mut logits) = (Workspace::new(network.shape()), Vec::new());
        for (row, mut answer) in rows.iter().zip(answers) {
            network.look(row, &mut workspace);
            network.logits(&every_part, &mut workspace, &mut logits);
            close(&logits, &answer.part_logits, 1e-4);
            crate::neural::softmax(&mut answer.win_logits[..3]);
            close(&network.wins(3, &workspace)[..3], &answer.win_logits[..3], 1e-4);
            close(&network.points_to_come(&workspace), &answer.points_to_come, 1e-4 * SCORE_UNIT);
        }
    }

    #[test]
    fn onnxruntime_says_the_same() {
        let import = Command::new("python3").args(["-c", "import numpy, onnxruntime"]).output();
        if !import.is_ok_and(|output| output.status.success()) {
            eprintln!(
                "python3 with onnxruntime is not here: ONNX models are not tried (pip install onnxruntime)"
            );
            return;
        }
        compare::<Azul>();
        compare::<SummerPavilion>();
        compare::<QueensGarden>();
    }
}
