ALTER TABLE "out_of_band" ALTER COLUMN "expires_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "out_of_band" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
UPDATE "out_of_band" SET "expires_at" = NULL WHERE "status" IN ('visible', 'held');