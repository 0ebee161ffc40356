ALTER TABLE "sessions" ADD COLUMN "handed_to" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "handed" jsonb;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "ran_on" jsonb;