ALTER TABLE "out_of_band" ADD COLUMN "from_key" bigint;--> statement-breakpoint
ALTER TABLE "out_of_band" ADD COLUMN "chain" jsonb DEFAULT '[]'::jsonb NOT NULL;