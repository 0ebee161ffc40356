ALTER TABLE "sessions" ADD COLUMN "expired_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "retention_days" integer;--> statement-breakpoint
CREATE INDEX "session_tokens_by_subject" ON "session_tokens" USING btree ("workspace_id","subject");--> statement-breakpoint
CREATE INDEX "sessions_by_subject" ON "sessions" USING btree ("workspace_id","subject") WHERE subject is not null;