ALTER TABLE "context" ADD COLUMN "declared_by" jsonb;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "kept_askers" jsonb;