ALTER TABLE weir.usage ADD COLUMN IF NOT EXISTS _applied SimpleAggregateFunction(maxMap, Map(UInt64, Int64));

ALTER TABLE weir.usage MODIFY SETTING deduplicate_merge_projection_mode = 'rebuild';

ALTER TABLE weir.usage ADD PROJECTION IF NOT EXISTS _watermark (SELECT maxMap(_applied));
