DROP INDEX "sessions_by_activity";--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "backend" integer;--> statement-breakpoint
CREATE INDEX "sessions_by_activity" ON "sessions" USING btree ("workspace_id","active_at","key") WHERE deleted_at is null;