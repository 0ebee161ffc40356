ALTER TABLE "calls" ADD COLUMN "said_by" jsonb;--> statement-breakpoint
UPDATE "calls" SET "said_by" = jsonb_build_array("answerer")
WHERE "answerer" IS NOT NULL AND "answerer" ->> 'id' NOT LIKE 'system:%' AND "kind" NOT IN ('limit', 'connection') AND (
  "edited_input" IS NOT NULL OR "elicited" IS NOT NULL
  OR ("ran_at" IS NULL AND ("state" IN ('answered', 'failed') OR ("state" IN ('declined', 'denied') AND "reason" IS NOT NULL)))
);