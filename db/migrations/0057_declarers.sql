-- `declaredBy` of a client's tool holds identities now (`person:…`, `key:…`), as every other column does.
UPDATE "sessions" SET "client_tools" = (
  SELECT jsonb_agg(CASE WHEN tool ? 'declaredBy' THEN jsonb_set(tool, '{declaredBy}', (
    SELECT coalesce(jsonb_agg(CASE
      WHEN EXISTS (SELECT FROM "users" WHERE "id" = by) THEN 'person:' || by
      WHEN EXISTS (SELECT FROM "api_keys" WHERE "id" = by) OR by = 'environment' THEN 'key:' || by
      ELSE by END ORDER BY place), '[]')
    FROM jsonb_array_elements_text(tool -> 'declaredBy') WITH ORDINALITY AS declared (by, place))) ELSE tool END ORDER BY at)
  FROM jsonb_array_elements("client_tools") WITH ORDINALITY AS tools (tool, at))
WHERE "client_tools" <> '[]';
