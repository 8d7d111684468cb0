"""Does the work of a case for each line of standard input, and prints a line of JSON each time: peer.py <case>.

The case is JSON: {"kind": "trees" | "clusters" | "characters" | "words" | "grid", ...}; `training` and `unseen` are files of
rows x columns float64 and, where it has them, their classes in int32 under the same name with ".y", or of texts in JSON.
A line: {"cpu", "wall", "score"}; `cpu` is that of this process, so that a grid, tried by processes of its own, has `wall` alone.
Each case imports what it needs: all of it takes seconds.
"""

import json
import sys
import time
import warnings

import numpy as np

warnings.filterwarnings("ignore")


def numbers(path, columns):
    return np.fromfile(path).reshape(-1, columns), np.fromfile(path + ".y", dtype=np.int32)


def texts(path):
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)
    return [row["text"] for row in rows], [row["label"] for row in rows]


def trees(case):
    from lightgbm import LGBMClassifier

    x, y = numbers(case["training"], case["columns"])
    others, truth = numbers(case["unseen"], case["columns"])
    model = LGBMClassifier(n_estimators=case["trees"], max_depth=6, num_leaves=64, n_jobs=1, verbose=-1)
    return lambda: model.fit(x, y), lambda: (model.predict(others) == truth).mean()


def clusters(case):
    from sklearn.cluster import KMeans

    x, _ = numbers(case["training"], case["columns"])
    model = KMeans(n_clusters=case["clusters"], random_state=1)
    return lambda: model.fit(x), lambda: model.inertia_ / len(x)


def labels(**options):
    def of(case):
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline

        x, y = texts(case["training"])
        others, truth = texts(case["unseen"])
        model = make_pipeline(TfidfVectorizer(sublinear_tf=True, **options), LogisticRegression(C=10, max_iter=1000))
        return lambda: model.fit(x, y), lambda: (model.predict(others) == np.array(truth)).mean()

    return of


def grid(case):
    from sklearn.model_selection import GridSearchCV, StratifiedKFold
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler
    from sklearn.svm import SVC

    x, y = numbers(case["training"], case["columns"])
    pipeline = make_pipeline(MinMaxScaler((-1, 1)), SVC())
    points = {"svc__C": case["costs"], "svc__gamma": case["gammas"]}
    folds = StratifiedKFold(5, shuffle=True, random_state=1)
    search = GridSearchCV(pipeline, points, cv=folds, n_jobs=case["processes"])
    return lambda: search.fit(x, y), lambda: search.best_score_


kinds = {
    "trees": trees,
    "clusters": clusters,
    "characters": labels(analyzer="char_wb", ngram_range=(3, 5)),
    "words": labels(ngram_range=(1, 2)),
    "grid": grid,
}
case = json.loads(sys.argv[1])
work, score = kinds[case["kind"]](case)
for _ in sys.stdin:
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(json.dumps({"cpu": cpu, "wall": wall, "score": float(score())}), flush=True)
