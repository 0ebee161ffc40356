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
	"connected_by" text NOT NULL,
	"connected_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "connections_of" UNIQUE("workspace_id","integration","slug","sharing","owner")
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
ALTER TABLE "connection_uses" ADD CONSTRAINT "connection_uses_connection_id_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "connection_attempts_by_age" ON "connection_attempts" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "connection_uses_by_session" ON "connection_uses" USING btree ("session_key");