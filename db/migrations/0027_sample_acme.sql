CREATE TABLE "sample_acme" (
	"model" text NOT NULL,
	"id" text NOT NULL,
	"sealed" text NOT NULL,
	"grant_id" text,
	"user_code" text,
	"uid" text,
	"account" text,
	"consumed_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	CONSTRAINT "sample_acme_model_id_pk" PRIMARY KEY("model","id")
);
--> statement-breakpoint
CREATE INDEX "sample_acme_by_grant" ON "sample_acme" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "sample_acme_by_user_code" ON "sample_acme" USING btree ("user_code");--> statement-breakpoint
CREATE INDEX "sample_acme_by_uid" ON "sample_acme" USING btree ("uid");--> statement-breakpoint
CREATE INDEX "sample_acme_by_account" ON "sample_acme" USING btree ("account","model");--> statement-breakpoint
CREATE INDEX "sample_acme_by_expiry" ON "sample_acme" USING btree ("expires_at");