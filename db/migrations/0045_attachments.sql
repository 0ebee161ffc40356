CREATE TABLE "files" (
	"session_key" bigint NOT NULL,
	"id" text NOT NULL,
	"workspace_id" text NOT NULL,
	"generation" integer NOT NULL,
	"message_id" text,
	"name" text NOT NULL,
	"media_type" text NOT NULL,
	"size" integer NOT NULL,
	"digest" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	"created_by" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "files_session_key_id_pk" PRIMARY KEY("session_key","id")
);
--> statement-breakpoint
CREATE INDEX "files_unsent" ON "files" USING btree ("created_at") WHERE message_id is null;