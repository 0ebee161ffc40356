ALTER TABLE "agent_revisions" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "agent_revisions" ADD COLUMN "source" text DEFAULT 'edit' NOT NULL;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "draft" jsonb;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "draft_base" integer;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "draft_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "draft_by" text;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "draft_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "pinned_revision" integer;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "revisions" integer[] DEFAULT '{}' NOT NULL;