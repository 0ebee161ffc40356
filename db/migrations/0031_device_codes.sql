ALTER TABLE "connection_attempts" ADD COLUMN "poll_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "connection_attempts" ADD COLUMN "poll_seconds" integer;