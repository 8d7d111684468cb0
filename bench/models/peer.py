"""Trains a model by scikit-learn's LIBSVM or LIBLINEAR for each line of standard input: peer.py <svm|lin> <training csv> <unseen csv>. Prints JSON."""

import json
import sys
import time

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

kind, training, unseen = sys.argv[1:]
rows = np.loadtxt(training, delimiter=",")
x, y = np.ascontiguousarray(rows[:, :-1]), rows[:, -1].astype(int)
others = np.loadtxt(unseen, delimiter=",")[:, : x.shape[1]]
for _ in sys.stdin:
    model = (
        SVC(C=1, kernel="rbf", gamma=1 / x.shape[1], cache_size=100, tol=1e-3)
        if kind == "svm"
        else LogisticRegression(C=1, solver="liblinear", tol=1e-2)
    )
    began = time.perf_counter()
    model.fit(x, y)
    seconds = time.perf_counter() - began
    labels = model.predict(others)
    vectors = int(model.n_support_.sum()) if kind == "svm" else 0
    print(json.dumps({"seconds": seconds, "vectors": vectors, "labels": labels.tolist()}), flush=True)
