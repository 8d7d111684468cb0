ALTER TABLE weir.notification_templates ADD COLUMN IF NOT EXISTS endpoints_off String DEFAULT '[]';
