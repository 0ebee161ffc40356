-- Room on each page for the next versions of a head, so that an append stays a HOT update.
alter table heads set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);
--> statement-breakpoint
alter table inbox set (autovacuum_vacuum_scale_factor = 0.05);
--> statement-breakpoint
alter table calls set (fillfactor = 80);
--> statement-breakpoint
alter table messages set (fillfactor = 80);
