CREATE TABLE "used_links" (
	"id" text PRIMARY KEY NOT NULL,
	"ends_at" timestamp with time zone NOT NULL
);
