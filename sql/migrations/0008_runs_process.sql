ALTER TABLE weir.runs ADD COLUMN IF NOT EXISTS process String;
