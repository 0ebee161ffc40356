ALTER TABLE "compactions" DROP COLUMN "turn_id";--> statement-breakpoint
ALTER TABLE "compactions" DROP COLUMN "message_id";--> statement-breakpoint
ALTER TABLE "compactions" DROP COLUMN "from_id";--> statement-breakpoint
ALTER TABLE "compactions" DROP COLUMN "tokens";--> statement-breakpoint
ALTER TABLE "compactions" DROP COLUMN "summary_before";--> statement-breakpoint
ALTER TABLE "compactions" DROP COLUMN "summary";--> statement-breakpoint
ALTER TABLE "compactions" DROP COLUMN "put_back_at";