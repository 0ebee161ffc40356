CREATE TABLE "compactions" (
	"session_key" bigint NOT NULL,
	"id" text NOT NULL,
	"n" bigint GENERATED ALWAYS AS IDENTITY (sequence name "compactions_n_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"turn_id" text NOT NULL,
	"message_id" text NOT NULL,
	"from_id" bigint NOT NULL,
	"to_id" bigint NOT NULL,
	"entries" integer NOT NULL,
	"tokens" integer NOT NULL,
	"summary_before" text NOT NULL,
	"summary" text NOT NULL,
	"made_by" text NOT NULL,
	"input_tokens" integer DEFAULT 0 NOT NULL,
	"output_tokens" integer DEFAULT 0 NOT NULL,
	"usd" double precision DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"put_back_at" timestamp with time zone,
	CONSTRAINT "compactions_session_key_id_pk" PRIMARY KEY("session_key","id")
);
--> statement-breakpoint
CREATE INDEX "compactions_by_order" ON "compactions" USING btree ("session_key","n");