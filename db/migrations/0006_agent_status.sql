ALTER TABLE "sessions" ADD COLUMN "agent_status" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "agent_status_until" timestamp with time zone;