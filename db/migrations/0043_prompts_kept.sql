CREATE TABLE "prompt_parts" (
	"session_key" bigint NOT NULL,
	"digest" text NOT NULL,
	"content" json NOT NULL,
	CONSTRAINT "prompt_parts_session_key_digest_pk" PRIMARY KEY("session_key","digest")
);
--> statement-breakpoint
CREATE TABLE "prompts" (
	"session_key" bigint NOT NULL,
	"id" bigint NOT NULL,
	"base" bigint,
	"skipped" integer NOT NULL,
	"kept" integer NOT NULL,
	"rest" json NOT NULL,
	"turn_id" text NOT NULL,
	"message_id" text NOT NULL,
	"round" integer NOT NULL,
	"messages" integer NOT NULL,
	"tokens" integer NOT NULL,
	"estimated" integer NOT NULL,
	"instructions" text NOT NULL,
	"tools" text NOT NULL,
	"states" json NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "prompts_session_key_id_pk" PRIMARY KEY("session_key","id")
);
