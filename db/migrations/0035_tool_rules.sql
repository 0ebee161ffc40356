ALTER TABLE "audit" ADD COLUMN "tool_call_id" text;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "tool_name" text;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "pattern" text;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "tool_rules" jsonb DEFAULT '[]'::jsonb NOT NULL;