-- Converts a database of version 0.1, with all of its 58 migrations, to migrations/0000_baseline.sql. Processes of version 0.1
-- do not work on the result.
drop function receive_replies(json, boolean);
drop function place_replies(json, boolean);
drop function callback_place(bigint, integer);
alter table compactions
  drop column turn_id,
  drop column message_id,
  drop column from_id,
  drop column tokens,
  drop column summary_before,
  drop column summary,
  drop column put_back_at;
