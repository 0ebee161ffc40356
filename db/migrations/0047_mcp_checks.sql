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
ALTER TABLE "mcp_checks" ADD CONSTRAINT "mcp_checks_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;