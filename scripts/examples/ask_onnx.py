#!/usr/bin/env python3
"""Asks a network that `azulejo export --onnx` wrote, by onnxruntime (pip install onnxruntime).

ask_onnx.py NET.onnx reads states from its input, each a line with the numbers of the active features, [3, 17, 250], and prints
for each a line of JSON with what the network says. `azulejo games --features azul` lists the features.
"""

import json
import sys

import numpy
import onnxruntime

session = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
states = [json.loads(line) for line in sys.stdin]
features = numpy.zeros((len(states), session.get_inputs()[0].shape[1]), dtype=numpy.float32)
for row, active in zip(features, states):
    row[active] = 1
names = [output.name for output in session.get_outputs()]
for answers in zip(*session.run(names, {"features": features})):
    print(json.dumps({name: answer.tolist() for name, answer in zip(names, answers)}))
