CREATE TABLE "session_reads" (
	"session_key" bigint NOT NULL,
	"reader" text NOT NULL,
	"read_pos" bigint NOT NULL,
	CONSTRAINT "session_reads_session_key_reader_pk" PRIMARY KEY("session_key","reader")
);
--> statement-breakpoint
CREATE INDEX "session_reads_of" ON "session_reads" USING btree ("reader");