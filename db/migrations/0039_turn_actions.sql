ALTER TABLE "sessions" ADD COLUMN "context_cuts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "branched_from" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "branched_at" text;