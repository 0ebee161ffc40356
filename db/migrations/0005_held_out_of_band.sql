ALTER TABLE "out_of_band" ADD COLUMN "cancelled_by" text;--> statement-breakpoint
CREATE INDEX "out_of_band_held" ON "out_of_band" USING btree ("queued_at") WHERE status = 'held';