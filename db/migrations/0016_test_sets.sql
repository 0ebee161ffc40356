CREATE TABLE "test_runs" (
	"workspace_id" text NOT NULL,
	"id" text NOT NULL,
	"test_set_id" text NOT NULL,
	"key" text,
	"variants" jsonb NOT NULL,
	"revisions" jsonb NOT NULL,
	"turns" jsonb NOT NULL,
	"started_by" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "test_runs_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "test_sets" (
	"workspace_id" text NOT NULL,
	"id" text NOT NULL,
	"agent_id" text NOT NULL,
	"name" text NOT NULL,
	"messages" jsonb NOT NULL,
	"saved_by" text NOT NULL,
	"saved_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "test_sets_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
ALTER TABLE "test_runs" ADD CONSTRAINT "test_runs_of_set" FOREIGN KEY ("workspace_id","test_set_id") REFERENCES "public"."test_sets"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_sets" ADD CONSTRAINT "test_sets_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "test_runs_by_set" ON "test_runs" USING btree ("workspace_id","test_set_id","started_at");--> statement-breakpoint
CREATE INDEX "test_sets_by_agent" ON "test_sets" USING btree ("workspace_id","agent_id");