ALTER TABLE "out_of_band" ADD COLUMN "sender" jsonb;--> statement-breakpoint
ALTER TABLE "out_of_band" ADD COLUMN "hops" integer DEFAULT 0 NOT NULL;