CREATE TABLE "wiki_changes" (
	"workspace_id" text NOT NULL,
	"wiki" text NOT NULL,
	"id" text NOT NULL,
	"revision" bigint NOT NULL,
	"action" text NOT NULL,
	"title" text NOT NULL,
	"new_title" text,
	"tiddlers" jsonb NOT NULL,
	"bytes" integer NOT NULL,
	"agent_id" text NOT NULL,
	"session_key" bigint NOT NULL,
	"generation" integer NOT NULL,
	"session_id" text NOT NULL,
	"message_id" text NOT NULL,
	"tool_call_id" text NOT NULL,
	"tool_name" text NOT NULL,
	"part" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"undone_at" timestamp with time zone,
	"undone_by" text,
	CONSTRAINT "wiki_changes_workspace_id_wiki_revision_pk" PRIMARY KEY("workspace_id","wiki","revision"),
	CONSTRAINT "wiki_changes_id_unique" UNIQUE("id"),
	CONSTRAINT "wiki_changes_of_call" UNIQUE("session_key","generation","tool_call_id","part")
);
--> statement-breakpoint
ALTER TABLE "wiki_changes" ADD CONSTRAINT "wiki_changes_workspace_id_wiki_wikis_workspace_id_name_fk" FOREIGN KEY ("workspace_id","wiki") REFERENCES "public"."wikis"("workspace_id","name") ON DELETE cascade ON UPDATE no action;