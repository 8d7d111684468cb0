# Trains a model on what the desk has judged, asks it, and has each payment scored as it comes.
set -e
curl -sf -T training/verdicts.csv "$WEIR_URL/brs/ml_bucket_info/object/fraud__score__verdicts.csv" >&2
weir train training/fraud.json >&2
weir predict score.fraud '{"amount":900,"hour":3,"foreign":1}' --json | jq -c '{verdict: .predict_labels}'
weir send score.payments fixtures/score.payments.ndjson >&2
weir query 'select * from score.suspects' --json | jq -c '{payment, verdict}'
