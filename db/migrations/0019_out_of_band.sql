CREATE TABLE "out_of_band" (
	"id" text PRIMARY KEY NOT NULL,
	"session_key" bigint NOT NULL,
	"source" text NOT NULL,
	"source_id" text NOT NULL,
	"priority" text NOT NULL,
	"content" text NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"status" text DEFAULT 'visible' NOT NULL,
	"queued_at" timestamp with time zone NOT NULL,
	"visible_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"injected_at" timestamp with time zone,
	"acknowledged_at" timestamp with time zone,
	"cancelled_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"effect" text,
	"message_id" text
);
--> statement-breakpoint
CREATE INDEX "out_of_band_by_session" ON "out_of_band" USING btree ("session_key","queued_at");--> statement-breakpoint
CREATE INDEX "out_of_band_waiting" ON "out_of_band" USING btree ("expires_at") WHERE status = 'visible';