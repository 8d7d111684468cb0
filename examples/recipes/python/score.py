# Trains a model on what the desk has judged, asks it, and has each payment scored as it comes.
import json
from pathlib import Path

from weir_client import Weir

weir = Weir()
weir.bucket("ml_bucket_info").put("fraud__score__verdicts.csv", Path("training/verdicts.csv").read_bytes())
weir.models.train(json.loads(Path("training/fraud.json").read_text()))
for state in weir.models.states("score", "fraud"):
    pass
payment = {"amount": 900, "hour": 3, "foreign": 1}
answer = weir.models.predict({"schema-name": "score", "model_name": "fraud", "data": payment})
print(json.dumps({"verdict": answer["predict_labels"]}))
weir.stream("score", "payments").send_many(open("fixtures/score.payments.ndjson"))
for row in weir.query("select * from score.suspects"):
    print(json.dumps({"payment": row["payment"], "verdict": row["verdict"]}))
