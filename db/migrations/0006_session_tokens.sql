CREATE TABLE "session_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"workspace_id" text NOT NULL,
	"session_key" bigint NOT NULL,
	"generation" integer NOT NULL,
	"subject" text NOT NULL,
	"scopes" jsonb NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "session_tokens_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "allowed_origins" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "session_tokens_by_session" ON "session_tokens" USING btree ("session_key","created_at");