CREATE TABLE "grants" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"session_key" bigint,
	"generation" integer,
	"tool_name" text NOT NULL,
	"tool_digest" text NOT NULL,
	"input_digest" text,
	"input" jsonb,
	"granted_by" text NOT NULL,
	"granter_id" text,
	"granter_role" text,
	"session_id" text NOT NULL,
	"message_id" text NOT NULL,
	"tool_call_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "tool_digest" text;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "tool_settings" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "grants_of_tool" ON "grants" USING btree ("workspace_id","tool_name");--> statement-breakpoint
CREATE INDEX "grants_of_session" ON "grants" USING btree ("session_key");