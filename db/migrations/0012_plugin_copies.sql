CREATE TABLE "plugin_processes" (
	"id" text PRIMARY KEY NOT NULL,
	"copy_index" integer NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "plugin_processes_copy_index_unique" UNIQUE("copy_index")
);
--> statement-breakpoint
CREATE TABLE "plugin_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"process_id" text NOT NULL,
	"workspace_id" text NOT NULL,
	"plugin" text NOT NULL,
	"request" jsonb NOT NULL,
	"response" jsonb,
	"taken" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plugin_streams" (
	"id" text PRIMARY KEY NOT NULL,
	"process_id" text NOT NULL,
	"workspace_id" text NOT NULL,
	"plugin" text NOT NULL,
	"user_id" text NOT NULL,
	"opened_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "plugin_requests" ADD CONSTRAINT "plugin_requests_process_id_plugin_processes_id_fk" FOREIGN KEY ("process_id") REFERENCES "public"."plugin_processes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plugin_streams" ADD CONSTRAINT "plugin_streams_process_id_plugin_processes_id_fk" FOREIGN KEY ("process_id") REFERENCES "public"."plugin_processes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "plugin_requests_of_process" ON "plugin_requests" USING btree ("process_id");--> statement-breakpoint
CREATE INDEX "plugin_streams_of_user" ON "plugin_streams" USING btree ("workspace_id","plugin","user_id");