"""Writes reference.json: what LIBLINEAR itself finds. Run once, by hand; the tests read the file alone.

    python3 -m venv v && v/bin/pip install liblinear-official==2.50.0 numpy && v/bin/python reference.py
"""
import json
import numpy as np
from liblinear.liblinearutil import problem, parameter, train

rng = np.random.default_rng(10)


def rows(count, columns):
    x = np.round(rng.normal(size=(count, columns)), 3)
    x[rng.random((count, columns)) < 0.3] = 0
    return x


def labels(x, classes):
    directions = rng.normal(size=(x.shape[1], classes))
    return (x @ directions + rng.normal(size=(len(x), classes))).argmax(axis=1) + 1


binary = rows(80, 5)
three = rows(90, 4)
numbers = rows(70, 4)
sets = {
    "binary": (binary, labels(binary, 2)),
    "three": (three, labels(three, 3)),
    "numbers": (numbers, np.round(numbers @ [1.5, -2, 0, 0.7] + 3 + 0.3 * rng.normal(size=70), 3)),
}


def weights(name, options):
    x, y = sets[name]
    model = train(problem(y.tolist(), x.tolist(), bias=1), parameter(options + " -q"))
    outputs = 1 if model.nr_class == 2 and "-s 4" not in options else model.nr_class
    size = x.shape[1] + 1
    flat = [model.w[i] for i in range(size * outputs)]
    return [flat[output::outputs] for output in range(outputs)]


cases = []
for name, solvers in {"binary": [0, 1, 2, 3, 4, 5, 6, 7], "three": [0, 1, 2, 3, 4, 5, 6, 7], "numbers": [11, 12, 13]}.items():
    for solver in solvers:
        # With more, the dual solver of the hinge loss runs out of its passes in LIBLINEAR.
        cost = 0.05 if solver == 3 else 0.5
        found = weights(name, f"-s {solver} -c {cost} -p 0.2 -e 1e-9 -B 1")
        cases.append({"data": name, "solver": solver, "C": cost, "p": 0.2, "eps": 1e-9, "weights": found})
for solver in [0, 2]:
    found = weights("binary", f"-s {solver} -c 2 -B 1 -w1 3 -w2 0.5")
    cases.append({"data": "binary", "solver": solver, "C": 2, "p": 0.1, "weight": [3, 0.5], "weights": found})
    found = weights("three", f"-s {solver} -c 2 -B 1 -w2 4")
    cases.append({"data": "three", "solver": solver, "C": 2, "p": 0.1, "weight": [1, 4, 1], "weights": found})
cases.append({"data": "numbers", "solver": 11, "C": 1, "p": 0.1, "weights": weights("numbers", "-s 11 -B 1")})

data = {name: {"x": x.tolist(), "y": y.tolist()} for name, (x, y) in sets.items()}
with open("reference.json", "w") as file:
    json.dump({"data": data, "cases": cases}, file, separators=(",", ":"))
