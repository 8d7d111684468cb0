CREATE TABLE IF NOT EXISTS weir.settings (
  name String,
  value String,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY name;
