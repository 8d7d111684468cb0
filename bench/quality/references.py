"""Trains the references on the cases of a list, and prints a line of JSON each: references.py <list>.

The list is JSON: [{"case", "kind": "classes" | "numbers" | "rare" | "clusters" | "texts" | "entities", "training", "unseen", "words", "only"}].
A line: {"case", "reference", "score", "error", "loss", "seconds"}. `error` is the standard error of the score, by the unseen rows;
`loss` the log loss where there is one; `seconds` the CPU time of reading the texts and of the fit.
"""

import csv
import json
import re
import sys
import time
import warnings

import numpy as np
import pycrfsuite
from lightgbm import LGBMClassifier, LGBMRegressor
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import average_precision_score, log_loss
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

warnings.filterwarnings("ignore")


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    return [row[:-1] for row in rows], np.array([row[-1] for row in rows])


def number(cell):
    return float(cell) if cell != "" else np.nan


class Table:
    """The columns of the training part decide how both parts are encoded."""

    def __init__(self, rows, words):
        self.words = words
        self.numbers = [j for j in range(len(rows[0])) if j not in words]
        values = self.raw(rows)
        self.means = np.nan_to_num(np.nanmean(values, axis=0)) if self.numbers else np.zeros(0)
        self.scaler = StandardScaler().fit(self.filled(values)) if self.numbers else None
        self.places = {}
        for j in words:
            known = {}
            for row in rows:
                known.setdefault(row[j], len(known))
            self.places[j] = known

    def raw(self, rows):
        return np.array([[number(row[j]) for j in self.numbers] for row in rows], dtype=float).reshape(len(rows), -1)

    def filled(self, values):
        return np.where(np.isnan(values), self.means, values)

    def standard(self, rows):
        """Standardized numbers, and a column a word."""
        parts = [sparse.csr_matrix(self.scaler.transform(self.filled(self.raw(rows))))] if self.numbers else []
        for j in self.words:
            known = self.places[j]
            pairs = [(i, known[row[j]]) for i, row in enumerate(rows) if row[j] in known]
            at = ([i for i, _ in pairs], [place for _, place in pairs])
            parts.append(sparse.csr_matrix((np.ones(len(pairs)), at), shape=(len(rows), len(known))))
        all = sparse.hstack(parts).tocsr()
        return all.toarray() if all.shape[1] < 1000 else all

    def coded(self, rows):
        """Numbers with NaN for missing, and a code a word."""
        codes = [[self.places[j].get(row[j], np.nan) for j in self.words] for row in rows]
        return np.hstack([self.raw(rows), np.array(codes, dtype=float).reshape(len(rows), -1)])

    def coded_words(self):
        return list(range(len(self.numbers), len(self.numbers) + len(self.words)))


def report(case, reference, score, error=0.0, loss=None, seconds=0.0):
    line = {"case": case, "reference": reference, "score": float(score), "error": float(error), "seconds": seconds}
    if loss is not None:
        line["loss"] = float(loss)
    print(json.dumps(line), flush=True)


def judge(case, reference, model, unseen, truth, seconds):
    predicted = model.predict(unseen)
    if truth.dtype.kind == "f":
        squares = (truth - predicted) ** 2
        variance = truth.var()
        report(case, reference, 1 - squares.mean() / variance, squares.std() / len(truth) ** 0.5 / variance, None, seconds)
        return
    share = (predicted == truth).mean()
    loss = None
    if hasattr(model, "predict_proba"):
        known = np.isin(truth, model.classes_)
        loss = log_loss(truth[known], model.predict_proba(unseen)[known], labels=model.classes_)
    report(case, reference, share, (share * (1 - share) / len(truth)) ** 0.5, loss, seconds)


def fitted(model, *args, **more):
    began = time.process_time()
    model.fit(*args, **more)
    return time.process_time() - began


def table_case(item):
    rows, y = read(item["training"])
    others, truth = read(item["unseen"])
    is_numbers = item["kind"] == "numbers"
    if is_numbers:
        y, truth = y.astype(float), truth.astype(float)
    words = item["words"]
    table = Table(rows, words)
    coded, coded_others = table.coded(rows), table.coded(others)
    only = item.get("only")

    def run(name, model, training, unseen, **more):
        if only is not None and name not in only:
            return
        seconds = fitted(model, training, y, **more)
        if item["kind"] == "rare":
            score = average_precision_score(truth == "yes", model.predict_proba(unseen)[:, list(model.classes_).index("yes")])
            report(item["case"], name, score, 0, log_loss(truth, model.predict_proba(unseen)), seconds)
        else:
            judge(item["case"], name, model, unseen, truth, seconds)

    lgbm = (LGBMRegressor if is_numbers else LGBMClassifier)(verbose=-1, n_jobs=1, random_state=1)
    run("LightGBM", lgbm, coded, coded_others, categorical_feature=table.coded_words() or "auto")
    hgb = HistGradientBoostingRegressor if is_numbers else HistGradientBoostingClassifier
    few = [j for j, word in zip(table.coded_words(), words) if len(table.places[word]) < 250]
    run("HistGradientBoosting", hgb(random_state=1, categorical_features=few or None), coded, coded_others)
    if only is not None and not {"SVC", "SVR", "LogisticRegression", "Ridge"} & set(only):
        return
    standard, standard_others = table.standard(rows), table.standard(others)
    if is_numbers:
        run("SVR", SVR(), standard, standard_others)
        run("Ridge", Ridge(), standard, standard_others)
    else:
        run("SVC", SVC(), standard, standard_others)
        run("LogisticRegression", LogisticRegression(max_iter=1000), standard, standard_others)


def clusters_case(item):
    rows, _ = read(item["training"])
    values = np.array(rows, dtype=float)
    model = KMeans(n_clusters=item["clusters"], n_init=10, random_state=1)
    seconds = fitted(model, values)
    report(item["case"], "KMeans, 10 restarts", model.inertia_, 0, None, seconds)


def texts_case(item):
    training, y = read(item["training"])
    unseen, truth = read(item["unseen"])
    for name, vectorizer in (
        ("TF-IDF of characters + LogisticRegression", TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True)),
        ("TF-IDF of words + LogisticRegression", TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)),
    ):
        model = LogisticRegression(C=10, max_iter=1000)
        began = time.process_time()
        model.fit(vectorizer.fit_transform([row[0] for row in training]), y)
        seconds = time.process_time() - began
        judge(item["case"], name, model, vectorizer.transform([row[0] for row in unseen]), truth, seconds)


def token_features(tokens, at):
    def of(prefix, place):
        if not 0 <= place < len(tokens):
            return [prefix + "edge"]
        word = tokens[place]
        shape = re.sub(r"\d", "0", re.sub(r"[a-z]", "x", re.sub(r"[A-Z]", "X", word)))
        return [f"{prefix}w={word.lower()}", f"{prefix}s={shape}", f"{prefix}p={word[:3]}", f"{prefix}f={word[-3:]}"]

    return ["bias", *of("0:", at), *of("-1:", at - 1), *of("+1:", at + 1), *of("-2:", at - 2), *of("+2:", at + 2)]


def tagged(path):
    """Tokens, their features, and tags of each sentence."""
    found = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            spans = [(match.start(), match.end()) for match in re.finditer(r"\w+|[^\w\s]", row["text"])]
            tags = ["O"] * len(spans)
            for entity in row["entities"]:
                begun = False
                for at, (start, end) in enumerate(spans):
                    if start >= entity["start"] and end <= entity["end"]:
                        tags[at] = ("I-" if begun else "B-") + entity["label"]
                        begun = True
            tokens = [row["text"][start:end] for start, end in spans]
            found.append(([token_features(tokens, at) for at in range(len(tokens))], tags))
    return found


def entities_of(tags):
    found, start = set(), None
    for at, tag in enumerate([*tags, "O"]):
        if start is not None and not tag.startswith("I-"):
            found.add((start, at, tags[start][2:]))
            start = None
        if tag.startswith("B-") or (tag.startswith("I-") and start is None):
            start = at
    return found


def entities_case(item):
    training, unseen = tagged(item["training"]), tagged(item["unseen"])
    began = time.process_time()
    trainer = pycrfsuite.Trainer(verbose=False)
    for features, tags in training:
        trainer.append(features, tags)
    trainer.set_params({"c1": 0.1, "c2": 0.1, "max_iterations": 100, "feature.possible_transitions": True})
    path = item["training"] + ".crf"
    trainer.train(path)
    seconds = time.process_time() - began
    tagger = pycrfsuite.Tagger()
    tagger.open(path)
    hits = known = found = 0
    for features, tags in unseen:
        truth, guess = entities_of(tags), entities_of(tagger.tag(features))
        hits, known, found = hits + len(truth & guess), known + len(truth), found + len(guess)
    report(item["case"], "CRFsuite", 2 * hits / max(1, known + found), 0, None, seconds)


cases = {"clusters": clusters_case, "texts": texts_case, "entities": entities_case}
with open(sys.argv[1], encoding="utf-8") as list_file:
    for each in json.load(list_file):
        cases.get(each["kind"], table_case)(each)
