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
ALTER TABLE "tiddlers" ADD CONSTRAINT "tiddlers_workspace_id_wiki_wikis_workspace_id_name_fk" FOREIGN KEY ("workspace_id","wiki") REFERENCES "public"."wikis"("workspace_id","name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wikis" ADD CONSTRAINT "wikis_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tiddlers_by_modified" ON "tiddlers" USING btree ("workspace_id","wiki","modified");