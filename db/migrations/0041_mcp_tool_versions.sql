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
ALTER TABLE "mcp_tool_versions" ADD CONSTRAINT "mcp_tool_versions_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;