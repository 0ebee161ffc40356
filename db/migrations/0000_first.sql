CREATE TABLE "agent_revisions" (
	"workspace_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"revision" integer NOT NULL,
	"config" jsonb NOT NULL,
	"saved_by" text NOT NULL,
	"saved_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agent_revisions_workspace_id_agent_id_revision_pk" PRIMARY KEY("workspace_id","agent_id","revision")
);
--> statement-breakpoint
CREATE TABLE "agents" (
	"workspace_id" text NOT NULL,
	"id" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"config" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agents_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "calls" (
	"session_key" bigint NOT NULL,
	"tool_call_id" text NOT NULL,
	"workspace_id" text NOT NULL,
	"generation" integer NOT NULL,
	"tool_name" text NOT NULL,
	"kind" text NOT NULL,
	"where" text NOT NULL,
	"title" text,
	"message_id" text NOT NULL,
	"turn_id" text NOT NULL,
	"context_id" bigint,
	"input" jsonb,
	"edited_input" jsonb,
	"render" jsonb,
	"target" jsonb,
	"output_schema" jsonb,
	"input_schema" jsonb,
	"state" text DEFAULT 'open' NOT NULL,
	"result" jsonb,
	"since" timestamp with time zone NOT NULL,
	"deadline" timestamp with time zone NOT NULL,
	"on_deadline" text NOT NULL,
	"warned_at" timestamp with time zone,
	"deferred_at" timestamp with time zone,
	"claimed_at" timestamp with time zone,
	"claimed_epoch" integer,
	"settled_at" timestamp with time zone,
	"ran_at" timestamp with time zone,
	"answered_by" text,
	"via" text,
	"reason" text,
	"answer_digest" text,
	CONSTRAINT "calls_session_key_tool_call_id_pk" PRIMARY KEY("session_key","tool_call_id")
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"session_key" bigint NOT NULL,
	"tool_call_id" text,
	"kind" text NOT NULL,
	"url" text NOT NULL,
	"body" jsonb NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"retries" integer DEFAULT 0 NOT NULL,
	"attempts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"next_at" timestamp with time zone,
	CONSTRAINT "deliveries_once" UNIQUE("session_key","tool_call_id","kind")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"session_key" bigint NOT NULL,
	"seq" bigint NOT NULL,
	"type" text NOT NULL,
	"message_id" text,
	"turn_id" text,
	"from_seq" bigint,
	"payload" json NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "events_session_key_seq_pk" PRIMARY KEY("session_key","seq")
);
--> statement-breakpoint
CREATE TABLE "inbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "inbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"session_key" bigint NOT NULL,
	"item_id" text NOT NULL,
	"kind" text NOT NULL,
	"mode" text,
	"message_id" text,
	"tool_call_id" text,
	"payload" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"consumed_at" timestamp with time zone,
	CONSTRAINT "inbox_item_id_unique" UNIQUE("item_id")
);
--> statement-breakpoint
CREATE TABLE "receipts" (
	"session_key" bigint NOT NULL,
	"generation" integer NOT NULL,
	"verb" text NOT NULL,
	"key" text NOT NULL,
	"digest" text NOT NULL,
	"receipt" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "receipts_session_key_generation_verb_key_pk" PRIMARY KEY("session_key","generation","verb","key")
);
--> statement-breakpoint
CREATE TABLE "context" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "context_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"session_key" bigint NOT NULL,
	"kind" text NOT NULL,
	"turn_id" text NOT NULL,
	"message_id" text,
	"tool_call_id" text,
	"payload" jsonb NOT NULL,
	"tokens" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"session_key" bigint NOT NULL,
	"id" text NOT NULL,
	"pos" bigint NOT NULL,
	"role" text NOT NULL,
	"message" jsonb NOT NULL,
	"folded_seq" bigint NOT NULL,
	"done" boolean DEFAULT false NOT NULL,
	"done_at" timestamp with time zone,
	"compacted_at" timestamp with time zone,
	CONSTRAINT "messages_session_key_id_pk" PRIMARY KEY("session_key","id"),
	CONSTRAINT "messages_by_pos" UNIQUE("session_key","pos")
);
--> statement-breakpoint
CREATE TABLE "heads" (
	"session_key" bigint PRIMARY KEY NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL,
	"generation" integer DEFAULT 1 NOT NULL,
	"epoch" integer DEFAULT 0 NOT NULL,
	"owner" text,
	"owed" integer DEFAULT 0 NOT NULL,
	"turn_id" text,
	"cancel_requested" text,
	"format" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"key" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sessions_key_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"workspace_id" text NOT NULL,
	"id" text NOT NULL,
	"agent_id" text NOT NULL,
	"subject" text,
	"title" text DEFAULT '' NOT NULL,
	"status" text DEFAULT 'idle' NOT NULL,
	"error" jsonb,
	"retry_at" timestamp with time zone,
	"snippet" text DEFAULT '' NOT NULL,
	"client_tools" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"context_start" bigint DEFAULT 0 NOT NULL,
	"summary" text DEFAULT '' NOT NULL,
	"floor" bigint DEFAULT 0 NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"active_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "sessions_workspace_id" UNIQUE("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "workers" (
	"id" text PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"pool_id" text,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"beat_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "turns" (
	"id" text PRIMARY KEY NOT NULL,
	"session_key" bigint NOT NULL,
	"message_id" text,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"outcome" text,
	"error" jsonb,
	"retry_at" timestamp with time zone,
	"attempt" integer DEFAULT 0 NOT NULL,
	"begun" integer DEFAULT 0 NOT NULL,
	"committed" integer DEFAULT 0 NOT NULL,
	"began_at" timestamp with time zone,
	"budget_steps" integer DEFAULT 0 NOT NULL,
	"budget_usd" double precision DEFAULT 0 NOT NULL,
	"input_tokens" bigint DEFAULT 0 NOT NULL,
	"output_tokens" bigint DEFAULT 0 NOT NULL,
	"usd" double precision DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"prefix" text NOT NULL,
	"role" text DEFAULT 'editor' NOT NULL,
	"created_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "members" (
	"workspace_id" text NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "members_workspace_id_user_id_pk" PRIMARY KEY("workspace_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"image" text,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"link_secret" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "heads" ADD CONSTRAINT "heads_session_key_sessions_key_fk" FOREIGN KEY ("session_key") REFERENCES "public"."sessions"("key") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "calls_waiting" ON "calls" USING btree ("workspace_id","deadline") WHERE state = 'open' and kind <> 'server';--> statement-breakpoint
CREATE INDEX "calls_by_message" ON "calls" USING btree ("session_key","message_id");--> statement-breakpoint
CREATE INDEX "calls_by_step" ON "calls" USING btree ("context_id");--> statement-breakpoint
CREATE INDEX "calls_due" ON "calls" USING btree ("deadline") WHERE state = 'open' and kind <> 'server';--> statement-breakpoint
CREATE INDEX "calls_unfinished" ON "calls" USING btree ("session_key") WHERE result is null;--> statement-breakpoint
CREATE INDEX "deliveries_pending" ON "deliveries" USING btree ("created_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "deliveries_by_session" ON "deliveries" USING btree ("session_key","created_at");--> statement-breakpoint
CREATE INDEX "inbox_open" ON "inbox" USING btree ("session_key","id") WHERE consumed_at is null;--> statement-breakpoint
CREATE INDEX "context_by_session" ON "context" USING btree ("session_key","id");--> statement-breakpoint
CREATE INDEX "messages_to_compact" ON "messages" USING btree ("done_at") WHERE role = 'assistant' and done and compacted_at is null;--> statement-breakpoint
CREATE INDEX "heads_owned" ON "heads" USING btree ("owner") WHERE owner is not null;--> statement-breakpoint
CREATE INDEX "heads_owed" ON "heads" USING btree ("session_key") WHERE owed > 0 and owner is null;--> statement-breakpoint
CREATE INDEX "sessions_by_activity" ON "sessions" USING btree ("workspace_id","active_at" DESC NULLS LAST) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "turns_by_session" ON "turns" USING btree ("session_key","started_at");--> statement-breakpoint
CREATE INDEX "turns_to_retry" ON "turns" USING btree ("retry_at") WHERE retry_at is not null;