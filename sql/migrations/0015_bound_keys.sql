ALTER TABLE weir.api_keys ADD COLUMN IF NOT EXISTS fixed String;

ALTER TABLE weir.api_keys ADD COLUMN IF NOT EXISTS rate UInt32;
