CREATE TABLE "plugin_settings" (
	"workspace_id" text NOT NULL,
	"plugin" text NOT NULL,
	"settings" jsonb NOT NULL,
	"saved_by" text NOT NULL,
	"saved_at" timestamp with time zone NOT NULL,
	CONSTRAINT "plugin_settings_workspace_id_plugin_pk" PRIMARY KEY("workspace_id","plugin")
);
--> statement-breakpoint
ALTER TABLE "plugin_settings" ADD CONSTRAINT "plugin_settings_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;