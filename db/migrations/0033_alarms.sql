CREATE TABLE "alarms" (
	"id" text PRIMARY KEY NOT NULL,
	"session_key" bigint NOT NULL,
	"generation" integer NOT NULL,
	"call_id" text NOT NULL,
	"reminder" text,
	"state" text DEFAULT 'open' NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"repeat_minutes" integer,
	"cron" text,
	"time_zone" text,
	"set_at" timestamp with time zone NOT NULL,
	"fired_at" timestamp with time zone,
	"item_id" text,
	CONSTRAINT "alarms_of_call" UNIQUE("session_key","generation","call_id")
);
--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "budget_since" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "alarms_due" ON "alarms" USING btree ("next_at") WHERE state = 'open';