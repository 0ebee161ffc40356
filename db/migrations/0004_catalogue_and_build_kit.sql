CREATE TABLE "catalogue_entries" (
	"workspace_id" text NOT NULL,
	"slug" text NOT NULL,
	"version" integer NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"data" jsonb NOT NULL,
	"saved_by" text NOT NULL,
	"saved_at" timestamp with time zone NOT NULL,
	"archived_at" timestamp with time zone,
	CONSTRAINT "catalogue_entries_workspace_id_slug_version_pk" PRIMARY KEY("workspace_id","slug","version")
);
--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "build_kit" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "catalogue_entries" ADD CONSTRAINT "catalogue_entries_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;