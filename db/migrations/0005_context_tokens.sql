DROP INDEX "context_by_session";--> statement-breakpoint
ALTER TABLE "context" DROP CONSTRAINT "context_pkey";--> statement-breakpoint
ALTER TABLE "context" ADD CONSTRAINT "context_session_key_id_pk" PRIMARY KEY("session_key","id");--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "context_tokens" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "sessions" s SET "context_tokens" = coalesce((
	SELECT sum("tokens") FROM "context" c WHERE c."session_key" = s."key" AND c."id" > s."context_start"
), 0);
