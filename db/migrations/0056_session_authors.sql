CREATE TABLE "session_authors" (
	"session_key" bigint NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "session_authors_session_key_id_pk" PRIMARY KEY("session_key","id")
);
--> statement-breakpoint
CREATE INDEX "session_authors_of" ON "session_authors" USING btree ("id");--> statement-breakpoint
INSERT INTO "session_authors" ("session_key", "id", "name")
SELECT session_key, author ->> 'id', coalesce(max(author ->> 'name'), author ->> 'id') FROM (
	SELECT session_key, sender AS author FROM messages WHERE role = 'user'
	UNION ALL
	SELECT session_key, jsonb_array_elements(sender -> 'also') FROM messages WHERE role = 'user'
	UNION ALL
	SELECT session_key, jsonb_array_elements(said_by) FROM calls WHERE said_by IS NOT NULL
	UNION ALL
	SELECT session_key, coalesce(sender, CASE WHEN from_key IS NOT NULL
		THEN jsonb_build_object('id', 'session:' || from_key, 'name', 'another agent') END)
	FROM out_of_band WHERE injected_at IS NOT NULL
	UNION ALL
	SELECT key, CASE
		WHEN "by" LIKE 'subject:%' THEN jsonb_build_object('id', "by", 'name', substr("by", 9))
		WHEN u.id IS NOT NULL THEN jsonb_build_object('id', 'person:' || "by", 'name', u.name)
		ELSE jsonb_build_object('id', 'key:' || "by", 'name', "by") END
	FROM sessions, jsonb_array_elements(client_tools) tool, jsonb_array_elements_text(tool -> 'declaredBy') "by"
		LEFT JOIN users u ON u.id = "by"
) words
WHERE author ->> 'id' IS NOT NULL AND author ->> 'id' <> 'system:Alarm clock'
GROUP BY 1, 2;
--> statement-breakpoint
WITH RECURSIVE told AS (
	SELECT p.key AS "from", s.key AS "to" FROM sessions s JOIN sessions p ON p.key = s.parent_key
	WHERE s.deleted_at IS NULL AND p.deleted_at IS NULL
	UNION ALL
	SELECT s.key, p.key FROM sessions s JOIN sessions p ON p.key = s.parent_key
	WHERE s.deleted_at IS NULL AND p.deleted_at IS NULL
	UNION ALL
	SELECT o.key, b.key FROM sessions b JOIN sessions o ON o.workspace_id = b.workspace_id AND o.id = b.branched_from
	WHERE b.deleted_at IS NULL AND o.deleted_at IS NULL
), spread AS (
	SELECT session_key, id, name FROM session_authors WHERE session_key IN (SELECT "from" FROM told)
	UNION
	SELECT told."to", spread.id, spread.name FROM spread JOIN told ON told."from" = spread.session_key
)
INSERT INTO "session_authors" ("session_key", "id", "name")
SELECT DISTINCT ON (session_key, id) session_key, id, name FROM spread WHERE id <> 'session:' || session_key
ON CONFLICT DO NOTHING;
