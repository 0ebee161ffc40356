ALTER TABLE "sessions" ADD COLUMN "parent_key" bigint;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "parent_generation" integer;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "parent_call_id" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "root_key" bigint;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "depth" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "reports" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_by_parent" ON "sessions" USING btree ("parent_key","parent_generation","parent_call_id") WHERE parent_key is not null;--> statement-breakpoint
CREATE INDEX "sessions_by_root" ON "sessions" USING btree ("root_key") WHERE root_key is not null;--> statement-breakpoint
CREATE INDEX "sessions_reporting" ON "sessions" USING btree ("key") WHERE reports;