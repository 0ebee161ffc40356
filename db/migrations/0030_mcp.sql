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
CREATE TABLE "mcp_tool_lists" (
	"workspace_id" text NOT NULL,
	"integration" text NOT NULL,
	"url" text NOT NULL,
	"tools" jsonb NOT NULL,
	"listed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "mcp_tool_lists_workspace_id_integration_pk" PRIMARY KEY("workspace_id","integration")
);
--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "authority" jsonb;--> statement-breakpoint
ALTER TABLE "integration_clients" ADD CONSTRAINT "integration_clients_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_tool_lists" ADD CONSTRAINT "mcp_tool_lists_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;