CREATE TABLE IF NOT EXISTS weir.graph_gone (
  graph String,
  label String,
  name String,
  until Int64
) ENGINE = ReplacingMergeTree(until)
ORDER BY (graph, label, name);
