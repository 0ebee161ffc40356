DROP INDEX "out_of_band_waiting";--> statement-breakpoint
ALTER TABLE "out_of_band" ALTER COLUMN "visible_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "out_of_band" ADD COLUMN "approved_by" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "oob_policy" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "out_of_band_waiting" ON "out_of_band" USING btree ("expires_at") WHERE status in ('visible', 'held');