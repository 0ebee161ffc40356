ALTER TABLE "calls" ADD COLUMN "answerers" jsonb;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "sender" jsonb;