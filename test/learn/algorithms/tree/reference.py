"""Writes reference.json: what scikit-learn's HistGradientBoosting predicts. Run once, by hand; the tests read the file alone.

    python3 -m venv v && v/bin/pip install scikit-learn==1.9.1 && v/bin/python reference.py
"""
import json
import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

rng = np.random.default_rng(10)
x = np.round(rng.normal(size=(240, 4)), 2)
number = np.round(np.where(x[:, 0] > 0, 3 * x[:, 1], x[:, 2] ** 2) + 0.3 * rng.normal(size=240), 3)
label = (number + 0.5 * rng.normal(size=240) > 0.5).astype(int)
x[rng.random((240, 4)) < 0.1] = np.nan
cases = []
for parameters in [
    {"trees": 1, "learning_rate": 1.0, "max_depth": 4, "min_leaf": 1, "lambda": 0.0},
    {"trees": 30, "learning_rate": 0.1, "max_depth": 3, "min_leaf": 10, "lambda": 1.0},
]:
    options = dict(
        max_iter=parameters["trees"],
        learning_rate=parameters["learning_rate"],
        max_depth=parameters["max_depth"],
        min_samples_leaf=parameters["min_leaf"],
        l2_regularization=parameters["lambda"],
        max_leaf_nodes=None,
        early_stopping=False,
    )
    regressor = HistGradientBoostingRegressor(**options).fit(x, number)
    cases.append({"parameters": parameters, "target": "number", "scores": np.round(regressor.predict(x), 6).tolist()})
    classifier = HistGradientBoostingClassifier(**options).fit(x, label)
    cases.append({"parameters": parameters, "target": "label", "scores": np.round(classifier.decision_function(x), 6).tolist()})

rows = [[None if np.isnan(v) else v for v in row] for row in x.tolist()]
with open("reference.json", "w") as file:
    json.dump({"x": rows, "number": number.tolist(), "label": label.tolist(), "cases": cases}, file, separators=(",", ":"))
