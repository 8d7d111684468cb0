CREATE TABLE IF NOT EXISTS weir.geo_indexes (
  graph String,
  label String,
  name String,
  latitude String,
  longitude String,
  state LowCardinality(String),
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (graph, label);

CREATE TABLE IF NOT EXISTS weir.graph_merges (
  graph String,
  primary_label String,
  primary_name String,
  secondary_label String,
  secondary_name String,
  state LowCardinality(String),
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (graph, primary_label, primary_name, secondary_label, secondary_name);
