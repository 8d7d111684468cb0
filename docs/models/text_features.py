"""How to use a text model of Weir (IE) without Weir: what happens to a text before the ONNX graph, and after it.

    python3 text_features.py scheme.json < texts.jsonl     one JSON string a line in, one JSON value a line out

`scheme.json` is what the model's metadata hold under "weir.text"; with the onnxruntime package it is
`session.get_modelmeta().custom_metadata_map["weir.text"]`. Nothing beside Python's own library is needed here.

Classes:   {"buckets": [...], "counts": [...]}: run the graph with buckets as int32 [1, M] and counts as float32 [1, M];
           outputs are the label, a score and the probabilities. Several texts: fill short rows up with bucket 2^bits, count 1.
Entities:  {"tokens": [[start, end], ...], "buckets": [[...], ...]}: run the graph with buckets as int32 [T, F], and give
           its outputs to `best_path`; offsets count UTF-16 code units.
"""

import json
import sys
import unicodedata

# Writing systems without blanks between words: each character is a token.
ALONE = [
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF),
    (0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
]


def kind_of(character):
    """Characters of one kind, L or N, run together; `A` and `S` stand alone; others separate."""
    if any(first <= ord(character) <= last for first, last in ALONE):
        return "A"
    category = unicodedata.category(character)[0]
    return {"L": "L", "M": "L", "N": "N", "P": "S", "S": "S"}.get(category)


def tokenize(text):
    """(token, start, end) with offsets in UTF-16 code units, end exclusive."""
    tokens, last, at = [], None, 0
    for character in text:
        kind, width = kind_of(character), 2 if ord(character) > 0xFFFF else 1
        if kind is not None and kind == last and kind in "LN":
            word, start, _ = tokens[-1]
            tokens[-1] = (word + character, start, at + width)
        elif kind is not None:
            tokens.append((character, at, at + width))
        last, at = kind, at + width
    return tokens


def bucket(feature, bits):
    """FNV-1a of 32 bits over UTF-8, folded to so many bits."""
    value = 0x811C9DC5
    for byte in feature.encode("utf-8", "surrogatepass"):
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return (value >> bits ^ value) & ((1 << bits) - 1)


def count_features(text, scheme):
    words = [token.lower() for token, _, _ in tokenize(text)]
    features = []
    for length in range(1, scheme["wordNgrams"] + 1):
        features += ["w " + " ".join(words[at:at + length]) for at in range(len(words) - length + 1)]
    for word in words:
        padded = f" {word} "
        for length in range(3, scheme["charNgrams"] + 1):
            features += ["c " + padded[at:at + length] for at in range(len(padded) - length + 1)]
    counts = {}
    for feature in features:
        place = bucket(feature, scheme["bits"])
        counts[place] = counts.get(place, 0) + 1
    buckets = sorted(counts)
    return {"buckets": buckets, "counts": [counts[place] for place in buckets]}


def class_of(character):
    category = unicodedata.category(character)
    if category in ("Lu", "Lt"):
        return "X"
    if category == "Ll":
        return "x"
    return {"L": "o", "N": "9", "M": "m"}.get(category[0], character)


class View:
    """What a token shows to its own features and to those of its neighbours."""

    def __init__(self, token):
        self.word = token.lower()
        shape = [class_of(character) for character in token]
        self.shape = "".join(shape[:8])
        self.brief = "".join(c for at, c in enumerate(shape) if at == 0 or shape[at - 1] != c)


def token_features(text):
    tokens = tokenize(text)
    views = [View("<s>")] * 2 + [View(token) for token, _, _ in tokens] + [View("</s>")] * 2
    for at, (_, start, _) in enumerate(tokens):
        before_last, last, here, after, after_next = views[at:at + 5]
        yield {
            "word": here.word, "word-1": last.word, "word+1": after.word,
            "word-2": before_last.word, "word+2": after_next.word,
            "words-1": f"{last.word} {here.word}", "words+1": f"{here.word} {after.word}",
            "shape": here.shape, "shape-1": last.shape, "shape+1": after.shape,
            "brief": here.brief,
            "briefs-1": f"{last.brief} {here.brief}", "briefs+1": f"{here.brief} {after.brief}",
            "briefs": f"{last.brief} {here.brief} {after.brief}",
            **{f"prefix{n}": here.word[:n] for n in (1, 2, 3, 4)},
            **{f"suffix{n}": here.word[-n:] for n in (1, 2, 3, 4)},
            "suffix-1": last.word[-3:], "suffix+1": after.word[-3:],
            "glued": "1" if at > 0 and tokens[at - 1][2] == start else "0",
        }


def encode_tokens(text, scheme):
    bits, names = scheme["bits"], scheme["features"]
    rows = [[bucket(f"{name} {features[name]}", bits) for name in names] for features in token_features(text)]
    return {"tokens": [[start, end] for _, start, end in tokenize(text)], "buckets": rows}


def best_path(emissions, transitions, starts, ends):
    """The tags with the greatest score, as indexes into the scheme's `tags` (Viterbi)."""
    if len(emissions) == 0:
        return []
    tags = range(len(starts))
    scores, came = [starts[tag] + emissions[0][tag] for tag in tags], []
    for emitted in emissions[1:]:
        best = [max(tags, key=lambda tag: scores[tag] + transitions[tag][following]) for following in tags]
        scores = [scores[best[tag]] + transitions[best[tag]][tag] + emitted[tag] for tag in tags]
        came.append(best)
    path = [max(tags, key=lambda tag: scores[tag] + ends[tag])]
    for best in reversed(came):
        path.append(best[path[-1]])
    return path[::-1]


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        SCHEME = json.load(file)
    ENCODE = {"classes": count_features, "entities": encode_tokens}[SCHEME["kind"]]
    for line in sys.stdin:
        print(json.dumps(ENCODE(json.loads(line), SCHEME)))
