ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_once";--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "message_id" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "external" boolean DEFAULT false NOT NULL;