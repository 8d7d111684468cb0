ALTER TABLE weir.processes ADD COLUMN IF NOT EXISTS release String;
