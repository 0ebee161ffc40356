ALTER TABLE "turns" ADD COLUMN "run_rounds" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "run_from" bigint;