CREATE TABLE "mcp_sessions" (
	"session_key" bigint NOT NULL,
	"generation" integer NOT NULL,
	"workspace_id" text NOT NULL,
	"integration" text NOT NULL,
	"url" text NOT NULL,
	"connection_id" text NOT NULL,
	"secret" text NOT NULL,
	"protocol_version" text NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	CONSTRAINT "mcp_sessions_pk" PRIMARY KEY("session_key","generation","integration","connection_id")
);
--> statement-breakpoint
ALTER TABLE "mcp_sessions" ADD CONSTRAINT "mcp_sessions_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;