CREATE TABLE "spend_grants" (
	"workspace_id" text NOT NULL,
	"scope" text NOT NULL,
	"about" text NOT NULL,
	"period" date NOT NULL,
	"level" integer NOT NULL,
	"usd" double precision NOT NULL,
	"session_key" bigint NOT NULL,
	"tool_call_id" text NOT NULL,
	"granted_by" text NOT NULL,
	"granted_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "spend_grants_workspace_id_scope_about_period_level_pk" PRIMARY KEY("workspace_id","scope","about","period","level")
);
--> statement-breakpoint
CREATE TABLE "spending" (
	"workspace_id" text NOT NULL,
	"session_key" bigint NOT NULL,
	"day" date NOT NULL,
	"generation" integer NOT NULL,
	"subject" text,
	"usd" double precision NOT NULL,
	CONSTRAINT "spending_workspace_id_session_key_day_generation_pk" PRIMARY KEY("workspace_id","session_key","day","generation")
);
--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "cap" jsonb;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "spend_caps" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "spend_grants" ADD CONSTRAINT "spend_grants_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spending" ADD CONSTRAINT "spending_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "spending_by_subject" ON "spending" USING btree ("workspace_id","subject","day") WHERE subject is not null;--> statement-breakpoint
CREATE INDEX "spending_by_day" ON "spending" USING btree ("workspace_id","day");--> statement-breakpoint
ALTER TABLE "spending" SET (fillfactor = 80);
