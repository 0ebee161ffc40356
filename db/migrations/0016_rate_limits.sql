-- How often somebody asked in the minute that runs (lib/limits/rate-limits.ts): the columns are those of
-- rate-limiter-flexible. Not worth a log on disk: a crash empties it, and everybody begins anew.
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
