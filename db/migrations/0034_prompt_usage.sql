ALTER TABLE "context" ADD COLUMN "result_tokens" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "context" ADD COLUMN "usage" jsonb;