CREATE TABLE "agent_revisions" (
	"workspace_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"revision" integer NOT NULL,
	"config" jsonb NOT NULL,
	"saved_by" text NOT NULL,
	"saved_at" timestamp with time zone DEFAULT now() NOT NULL,
	"note" text,
	"source" text DEFAULT 'edit' NOT NULL,
	CONSTRAINT "agent_revisions_workspace_id_agent_id_revision_pk" PRIMARY KEY("workspace_id","agent_id","revision")
);
--> statement-breakpoint
CREATE TABLE "agents" (
	"workspace_id" text NOT NULL,
	"id" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"config" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"draft" jsonb,
	"draft_base" integer,
	"draft_version" integer DEFAULT 0 NOT NULL,
	"draft_by" text,
	"draft_at" timestamp with time zone,
	CONSTRAINT "agents_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
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
CREATE TABLE "audit" (
	"workspace_id" text NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"session_id" text NOT NULL,
	"action" text NOT NULL,
	"actor" text NOT NULL,
	"credential" text NOT NULL,
	"message_id" text NOT NULL,
	"tool_call_id" text,
	"tool_name" text,
	"pattern" text,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "audit_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
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
	"deadline_seconds" integer,
	"answerers" jsonb,
	"account_of" jsonb,
	"cap" jsonb,
	"output_schema" jsonb,
	"input_schema" jsonb,
	"duration" integer,
	"elicited" jsonb,
	"tool_digest" text,
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
	"answerer" jsonb,
	"said_by" jsonb,
	"via" text,
	"reason" text,
	"answer_digest" text,
	CONSTRAINT "calls_session_key_tool_call_id_pk" PRIMARY KEY("session_key","tool_call_id")
);
--> statement-breakpoint
CREATE TABLE "compactions" (
	"session_key" bigint NOT NULL,
	"id" text NOT NULL,
	"n" bigint GENERATED ALWAYS AS IDENTITY (sequence name "compactions_n_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"to_id" bigint NOT NULL,
	"entries" integer NOT NULL,
	"made_by" text NOT NULL,
	"input_tokens" integer DEFAULT 0 NOT NULL,
	"output_tokens" integer DEFAULT 0 NOT NULL,
	"usd" double precision DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "compactions_session_key_id_pk" PRIMARY KEY("session_key","id")
);
--> statement-breakpoint
CREATE TABLE "connection_attempts" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"integration" text NOT NULL,
	"slug" text NOT NULL,
	"mode" text NOT NULL,
	"sharing" text NOT NULL,
	"owner" text NOT NULL,
	"owner_name" text NOT NULL,
	"session_key" bigint,
	"generation" integer,
	"tool_call_id" text,
	"scopes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"begun_by" text NOT NULL,
	"begun_by_id" text NOT NULL,
	"opener" text NOT NULL,
	"ticket_hash" text NOT NULL,
	"browser_hash" text,
	"state_hash" text,
	"sealed" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"poll_at" timestamp with time zone,
	"poll_seconds" integer,
	"outcome" jsonb,
	CONSTRAINT "connection_attempts_ticket_hash_unique" UNIQUE("ticket_hash"),
	CONSTRAINT "connection_attempts_state_hash_unique" UNIQUE("state_hash")
);
--> statement-breakpoint
CREATE TABLE "connection_uses" (
	"connection_id" text NOT NULL,
	"session_key" bigint NOT NULL,
	"used_at" timestamp with time zone NOT NULL,
	CONSTRAINT "connection_uses_connection_id_session_key_pk" PRIMARY KEY("connection_id","session_key")
);
--> statement-breakpoint
CREATE TABLE "connections" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"integration" text NOT NULL,
	"slug" text NOT NULL,
	"sharing" text NOT NULL,
	"owner" text NOT NULL,
	"owner_name" text NOT NULL,
	"mode" text NOT NULL,
	"state" text NOT NULL,
	"account" text,
	"scopes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"secrets" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"expires_at" timestamp with time zone,
	"refreshing_until" timestamp with time zone,
	"fault" text,
	"authority" jsonb,
	"connected_by" text NOT NULL,
	"connected_by_id" text,
	"connected_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "connections_of" UNIQUE("workspace_id","integration","slug","sharing","owner")
);
--> statement-breakpoint
CREATE TABLE "integration_clients" (
	"workspace_id" text NOT NULL,
	"integration" text NOT NULL,
	"issuer" text NOT NULL,
	"client_id" text,
	"client_secret" text,
	"client_auth" text,
	"redirect_uri" text NOT NULL,
	"expires_at" timestamp with time zone,
	"registering_until" timestamp with time zone,
	CONSTRAINT "integration_clients_workspace_id_integration_issuer_pk" PRIMARY KEY("workspace_id","integration","issuer")
);
--> statement-breakpoint
CREATE TABLE "integrations" (
	"workspace_id" text NOT NULL,
	"id" text NOT NULL,
	"config" jsonb NOT NULL,
	"client_secret" text,
	"saved_by" text NOT NULL,
	"saved_at" timestamp with time zone NOT NULL,
	CONSTRAINT "integrations_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "mcp_checks" (
	"workspace_id" text NOT NULL,
	"integration" text NOT NULL,
	"url" text NOT NULL,
	"state" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"took_ms" integer NOT NULL,
	"error" text,
	CONSTRAINT "mcp_checks_workspace_id_integration_pk" PRIMARY KEY("workspace_id","integration")
);
--> statement-breakpoint
CREATE TABLE "mcp_tool_lists" (
	"workspace_id" text NOT NULL,
	"integration" text NOT NULL,
	"url" text NOT NULL,
	"tools" jsonb NOT NULL,
	"listed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "mcp_tool_lists_workspace_id_integration_pk" PRIMARY KEY("workspace_id","integration")
);
--> statement-breakpoint
CREATE TABLE "mcp_tool_versions" (
	"workspace_id" text NOT NULL,
	"integration" text NOT NULL,
	"name" text NOT NULL,
	"digest" text NOT NULL,
	"definition" jsonb NOT NULL,
	"accepted_at" timestamp with time zone,
	"accepted_by" text,
	CONSTRAINT "mcp_tool_versions_workspace_id_integration_name_digest_pk" PRIMARY KEY("workspace_id","integration","name","digest")
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"session_key" bigint NOT NULL,
	"tool_call_id" text,
	"message_id" text,
	"webhook_id" text,
	"kind" text NOT NULL,
	"url" text NOT NULL,
	"body" jsonb NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"retries" integer DEFAULT 0 NOT NULL,
	"attempts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"next_at" timestamp with time zone,
	"claimed_until" timestamp with time zone
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
	"session_key" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "context_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"turn_id" text NOT NULL,
	"message_id" text,
	"tool_call_id" text,
	"payload" jsonb NOT NULL,
	"tokens" integer NOT NULL,
	"result_tokens" integer DEFAULT 0 NOT NULL,
	"usage" jsonb,
	CONSTRAINT "context_session_key_id_pk" PRIMARY KEY("session_key","id")
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"session_key" bigint NOT NULL,
	"id" text NOT NULL,
	"pos" bigint NOT NULL,
	"role" text NOT NULL,
	"message" jsonb NOT NULL,
	"sender" jsonb,
	"folded_seq" bigint NOT NULL,
	"done" boolean DEFAULT false NOT NULL,
	"done_at" timestamp with time zone,
	"compacted_at" timestamp with time zone,
	CONSTRAINT "messages_session_key_id_pk" PRIMARY KEY("session_key","id"),
	CONSTRAINT "messages_by_pos" UNIQUE("session_key","pos")
);
--> statement-breakpoint
CREATE TABLE "session_authors" (
	"session_key" bigint NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "session_authors_session_key_id_pk" PRIMARY KEY("session_key","id")
);
--> statement-breakpoint
CREATE TABLE "out_of_band" (
	"id" text PRIMARY KEY NOT NULL,
	"session_key" bigint NOT NULL,
	"source" text NOT NULL,
	"source_id" text NOT NULL,
	"sender" jsonb,
	"priority" text NOT NULL,
	"content" text NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"status" text DEFAULT 'visible' NOT NULL,
	"queued_at" timestamp with time zone NOT NULL,
	"visible_at" timestamp with time zone DEFAULT clock_timestamp(),
	"approved_by" text,
	"injected_at" timestamp with time zone,
	"acknowledged_at" timestamp with time zone,
	"cancelled_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"effect" text,
	"from_key" bigint,
	"chain" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"hops" integer DEFAULT 0 NOT NULL,
	"message_id" text
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" text NOT NULL,
	"provider" text NOT NULL,
	"label" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "identities_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "invites" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"hash" text NOT NULL,
	"role" text NOT NULL,
	"claim" boolean DEFAULT false NOT NULL,
	"created_by" text NOT NULL,
	"creator_id" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"used_at" timestamp with time zone,
	"used_by" text,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "invites_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "sign_ins" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"email" text,
	"user_agent" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "used_links" (
	"id" text PRIMARY KEY NOT NULL,
	"ends_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plugin_settings" (
	"workspace_id" text NOT NULL,
	"plugin" text NOT NULL,
	"settings" jsonb NOT NULL,
	"saved_by" text NOT NULL,
	"saved_at" timestamp with time zone NOT NULL,
	CONSTRAINT "plugin_settings_workspace_id_plugin_pk" PRIMARY KEY("workspace_id","plugin")
);
--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE "sample_acme" (
	"model" text NOT NULL,
	"id" text NOT NULL,
	"sealed" text NOT NULL,
	"grant_id" text,
	"user_code" text,
	"uid" text,
	"account" text,
	"consumed_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	CONSTRAINT "sample_acme_model_id_pk" PRIMARY KEY("model","id")
);
--> statement-breakpoint
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
CREATE TABLE "heads" (
	"session_key" bigint PRIMARY KEY NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL,
	"generation" integer DEFAULT 1 NOT NULL,
	"epoch" integer DEFAULT 0 NOT NULL,
	"owner" text,
	"has_work" integer DEFAULT 0 NOT NULL,
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
	"external" boolean DEFAULT false NOT NULL,
	"title" text DEFAULT '' NOT NULL,
	"status" text DEFAULT 'idle' NOT NULL,
	"error" jsonb,
	"retry_at" timestamp with time zone,
	"snippet" text DEFAULT '' NOT NULL,
	"oob_policy" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"pinned_revision" integer,
	"overlay" jsonb,
	"handed_to" text,
	"handed" jsonb,
	"parent_key" bigint,
	"parent_generation" integer,
	"parent_call_id" text,
	"root_key" bigint,
	"depth" integer DEFAULT 0 NOT NULL,
	"reports" boolean DEFAULT false NOT NULL,
	"client_tools" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"context_start" bigint DEFAULT 0 NOT NULL,
	"context_tokens" integer DEFAULT 0 NOT NULL,
	"oob_start" bigint DEFAULT 0 NOT NULL,
	"summary" text DEFAULT '' NOT NULL,
	"context_cuts" integer DEFAULT 0 NOT NULL,
	"branched_from" text,
	"branched_at" text,
	"floor" bigint DEFAULT 0 NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"active_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	"expired_at" timestamp with time zone,
	CONSTRAINT "sessions_workspace_id" UNIQUE("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "workers" (
	"id" text PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"pool_id" text,
	"backend" integer,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"heartbeat_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signing_secrets" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"owner" text NOT NULL,
	"sealed" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"retires_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "spend_grants" (
	"workspace_id" text NOT NULL,
	"scope" text NOT NULL,
	"about" text NOT NULL,
	"period" date NOT NULL,
	"level" integer NOT NULL,
	"usd" double precision NOT NULL,
	"session_key" bigint NOT NULL,
	"tool_call_id" text NOT NULL,
	"granted_by" text NOT NULL,
	"granted_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "spend_grants_workspace_id_scope_about_period_level_pk" PRIMARY KEY("workspace_id","scope","about","period","level")
);
--> statement-breakpoint
CREATE TABLE "spending" (
	"workspace_id" text NOT NULL,
	"session_key" bigint NOT NULL,
	"day" date NOT NULL,
	"generation" integer NOT NULL,
	"subject" text,
	"usd" double precision NOT NULL,
	CONSTRAINT "spending_workspace_id_session_key_day_generation_pk" PRIMARY KEY("workspace_id","session_key","day","generation")
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
	"crashes" integer DEFAULT 0 NOT NULL,
	"begun" integer DEFAULT 0 NOT NULL,
	"committed" integer DEFAULT 0 NOT NULL,
	"began_at" timestamp with time zone,
	"ran_on" jsonb,
	"revisions" integer[] DEFAULT '{}' NOT NULL,
	"run_rounds" integer DEFAULT 0 NOT NULL,
	"run_from" bigint,
	"budget_steps" integer DEFAULT 0 NOT NULL,
	"budget_usd" double precision DEFAULT 0 NOT NULL,
	"budget_since" timestamp with time zone,
	"input_tokens" bigint DEFAULT 0 NOT NULL,
	"output_tokens" bigint DEFAULT 0 NOT NULL,
	"usd" double precision DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"workspace_id" text NOT NULL,
	"id" text NOT NULL,
	"url" text NOT NULL,
	"events" jsonb NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "webhooks_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "tiddlers" (
	"workspace_id" text NOT NULL,
	"wiki" text NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"type" text NOT NULL,
	"tags" jsonb NOT NULL,
	"fields" jsonb NOT NULL,
	"created" timestamp with time zone,
	"modified" timestamp with time zone,
	"revision" bigint NOT NULL,
	CONSTRAINT "tiddlers_workspace_id_wiki_title_pk" PRIMARY KEY("workspace_id","wiki","title")
);
--> statement-breakpoint
CREATE TABLE "wikis" (
	"workspace_id" text NOT NULL,
	"name" text NOT NULL,
	"id" text NOT NULL,
	"revision" bigint DEFAULT 0 NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "wikis_workspace_id_name_pk" PRIMARY KEY("workspace_id","name"),
	CONSTRAINT "wikis_id_unique" UNIQUE("id")
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
	"allowed_origins" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"spend_caps" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"tool_rules" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"tool_settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"out_of_band" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"retention_days" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_uses" ADD CONSTRAINT "connection_uses_connection_id_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integration_clients" ADD CONSTRAINT "integration_clients_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_checks" ADD CONSTRAINT "mcp_checks_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_tool_lists" ADD CONSTRAINT "mcp_tool_lists_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_tool_versions" ADD CONSTRAINT "mcp_tool_versions_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invites" ADD CONSTRAINT "invites_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plugin_settings" ADD CONSTRAINT "plugin_settings_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "heads" ADD CONSTRAINT "heads_session_key_sessions_key_fk" FOREIGN KEY ("session_key") REFERENCES "public"."sessions"("key") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signing_secrets" ADD CONSTRAINT "signing_secrets_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spend_grants" ADD CONSTRAINT "spend_grants_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spending" ADD CONSTRAINT "spending_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tiddlers" ADD CONSTRAINT "tiddlers_workspace_id_wiki_wikis_workspace_id_name_fk" FOREIGN KEY ("workspace_id","wiki") REFERENCES "public"."wikis"("workspace_id","name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wikis" ADD CONSTRAINT "wikis_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alarms_due" ON "alarms" USING btree ("next_at") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "audit_by_session" ON "audit" USING btree ("workspace_id","session_id","id");--> statement-breakpoint
CREATE INDEX "calls_waiting" ON "calls" USING btree ("workspace_id","deadline") WHERE state = 'open' and kind <> 'server';--> statement-breakpoint
CREATE INDEX "calls_by_message" ON "calls" USING btree ("session_key","message_id");--> statement-breakpoint
CREATE INDEX "calls_by_step" ON "calls" USING btree ("context_id");--> statement-breakpoint
CREATE INDEX "calls_due" ON "calls" USING btree ("deadline") WHERE state = 'open' and kind <> 'server';--> statement-breakpoint
CREATE INDEX "calls_unfinished" ON "calls" USING btree ("session_key") WHERE result is null;--> statement-breakpoint
CREATE INDEX "compactions_by_order" ON "compactions" USING btree ("session_key","n");--> statement-breakpoint
CREATE INDEX "connection_attempts_by_age" ON "connection_attempts" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "connection_uses_by_session" ON "connection_uses" USING btree ("session_key");--> statement-breakpoint
CREATE INDEX "deliveries_pending" ON "deliveries" USING btree ("created_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "deliveries_dead" ON "deliveries" USING btree ("created_at") WHERE state = 'failed';--> statement-breakpoint
CREATE INDEX "deliveries_by_session" ON "deliveries" USING btree ("session_key","created_at");--> statement-breakpoint
CREATE INDEX "files_unsent" ON "files" USING btree ("created_at") WHERE message_id is null;--> statement-breakpoint
CREATE INDEX "grants_of_tool" ON "grants" USING btree ("workspace_id","tool_name");--> statement-breakpoint
CREATE INDEX "grants_of_session" ON "grants" USING btree ("session_key");--> statement-breakpoint
CREATE INDEX "inbox_open" ON "inbox" USING btree ("session_key","id") WHERE consumed_at is null;--> statement-breakpoint
CREATE INDEX "messages_open" ON "messages" USING btree ("session_key") WHERE role = 'assistant' and not done;--> statement-breakpoint
CREATE INDEX "messages_to_compact" ON "messages" USING btree ("done_at") WHERE role = 'assistant' and done and compacted_at is null;--> statement-breakpoint
CREATE INDEX "session_authors_of" ON "session_authors" USING btree ("id");--> statement-breakpoint
CREATE INDEX "out_of_band_by_session" ON "out_of_band" USING btree ("session_key","queued_at");--> statement-breakpoint
CREATE INDEX "out_of_band_waiting" ON "out_of_band" USING btree ("expires_at") WHERE status in ('visible', 'held');--> statement-breakpoint
CREATE INDEX "identities_by_user" ON "identities" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "invites_by_workspace" ON "invites" USING btree ("workspace_id","created_at");--> statement-breakpoint
CREATE INDEX "sign_ins_by_user" ON "sign_ins" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sample_acme_by_grant" ON "sample_acme" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "sample_acme_by_user_code" ON "sample_acme" USING btree ("user_code");--> statement-breakpoint
CREATE INDEX "sample_acme_by_uid" ON "sample_acme" USING btree ("uid");--> statement-breakpoint
CREATE INDEX "sample_acme_by_account" ON "sample_acme" USING btree ("account","model");--> statement-breakpoint
CREATE INDEX "sample_acme_by_expiry" ON "sample_acme" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "session_tokens_by_session" ON "session_tokens" USING btree ("session_key","created_at");--> statement-breakpoint
CREATE INDEX "session_tokens_by_subject" ON "session_tokens" USING btree ("workspace_id","subject");--> statement-breakpoint
CREATE INDEX "heads_owned" ON "heads" USING btree ("owner") WHERE owner is not null;--> statement-breakpoint
CREATE INDEX "heads_has_work" ON "heads" USING btree ("session_key") WHERE has_work > 0 and owner is null;--> statement-breakpoint
CREATE INDEX "sessions_by_activity" ON "sessions" USING btree ("workspace_id","active_at","key") WHERE deleted_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_by_parent" ON "sessions" USING btree ("parent_key","parent_generation","parent_call_id") WHERE parent_key is not null;--> statement-breakpoint
CREATE INDEX "sessions_by_root" ON "sessions" USING btree ("root_key") WHERE root_key is not null;--> statement-breakpoint
CREATE INDEX "sessions_reporting" ON "sessions" USING btree ("key") WHERE reports;--> statement-breakpoint
CREATE INDEX "sessions_by_subject" ON "sessions" USING btree ("workspace_id","subject") WHERE subject is not null;--> statement-breakpoint
CREATE INDEX "signing_secrets_by_owner" ON "signing_secrets" USING btree ("workspace_id","owner","created_at");--> statement-breakpoint
CREATE INDEX "spending_by_subject" ON "spending" USING btree ("workspace_id","subject","day") WHERE subject is not null;--> statement-breakpoint
CREATE INDEX "spending_by_day" ON "spending" USING btree ("workspace_id","day");--> statement-breakpoint
CREATE INDEX "turns_by_session" ON "turns" USING btree ("session_key","started_at");--> statement-breakpoint
CREATE INDEX "turns_to_retry" ON "turns" USING btree ("retry_at") WHERE retry_at is not null;--> statement-breakpoint
CREATE INDEX "tiddlers_by_modified" ON "tiddlers" USING btree ("workspace_id","wiki","modified");
--> statement-breakpoint
-- Room on each page for the next versions of a row, so that an append stays a HOT update.
alter table heads set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);
--> statement-breakpoint
alter table inbox set (autovacuum_vacuum_scale_factor = 0.05);
--> statement-breakpoint
alter table calls set (fillfactor = 80);
--> statement-breakpoint
alter table messages set (fillfactor = 80);
--> statement-breakpoint
alter table spending set (fillfactor = 80);
--> statement-breakpoint
-- Requests in the current minute (lib/infra/rate-limits.ts), with the columns of rate-limiter-flexible. After a crash the
-- table is empty, and all counts start again.
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
--> statement-breakpoint
-- Takes a session for a worker if it has work and no living worker has it. First the lock, then the decision: each statement
-- of a volatile function sees what was committed before that statement began. A single statement would decide by the row as it
-- was before it waited for the lock. `claims`: a former owner left calls that are claimed and have no result. `adopting`: the
-- caller's transaction adds the work, so its commit must last. Otherwise lib/engine/worker/lease.ts says why it need not.
-- Older processes keep calling this function. To change what it does, add one with another name.
create function take_session(
  session bigint, worker text, newest_format integer, dead_after double precision, adopting boolean
) returns table (epoch integer, claims boolean) language plpgsql volatile as $$
begin
  if not adopting then
    set local synchronous_commit = off;
  end if;
  perform from heads where session_key = session for update;
  return query
    update heads h set owner = worker, epoch = h.epoch + 1, has_work = 1
    where h.session_key = session and h.format <= newest_format and (adopting or h.has_work > 0)
      and exists (select from workers w where w.id = worker)
      and not exists (select from workers w where w.id = h.owner
        and w.heartbeat_at > clock_timestamp() - make_interval(secs => dead_after))
    returning h.epoch, exists (
      select from calls c where c.session_key = session and c.result is null and c.claimed_epoch is not null);
end
$$;
--> statement-breakpoint
-- A revision never changes: sessions are pinned to it, and turns name it. It is deleted only with its workspace.
create function keep_agent_revision() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (select from workspaces where id = old.workspace_id) then
    return old;
  end if;
  raise exception 'Revision % of agent "%" never changes: publish another one.', old.revision, old.agent_id
    using errcode = 'restrict_violation';
end
$$;
--> statement-breakpoint
create trigger agent_revisions_stay before update or delete on agent_revisions
  for each row execute function keep_agent_revision();
