import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { dial } from './dial.ts'
import * as schema from './schema/index.ts'

/** Plain SQL, prepared and pipelined: what the engine speaks. Inside a transaction it is that transaction. */
export type Sql = postgres.Sql | postgres.TransactionSql
/** Typed queries over the same connection: what everything else speaks. */
export type Db = PostgresJsDatabase<typeof schema>

/**
 * The pool of a process. A statement waits at most 2 s for a lock (docs/concepts/engine.md#transactions). Timestamps and JSON leave and enter as
 * text in both ways of speaking, since the typed client changes the driver's parsers: use `iso()` and `json()`.
 */
export function connect(url: string, { max = 12, name = 'waystation' } = {}): postgres.Sql {
  const sql = postgres(url, {
    max,
    connection: { application_name: name, lock_timeout: 2000, TimeZone: 'UTC' },
    connect_timeout: 10,
    max_lifetime: null,
    // Seconds. The driver's own grows to 20 with the failures of all connections together: after an outage of a few seconds
    // some would come back only then.
    backoff: () => 0.1 + Math.random() * 0.2,
    onnotice: () => {},
    // The driver hands its parsed options to `socket`; its types do not know these yet. Behind a full pipeline (100
    // statements, by default) it sends `begin` and does not set the connection aside: UNSAFE_TRANSACTION, and what others
    // send there next would be in that transaction. So no pipeline is ever full.
    ...{ socket: dial, max_pipeline: Number.MAX_SAFE_INTEGER },
    // It would ask for the array types on each new connection, and nobody hears when that fails: a database that
    // dies just then would take this process along. These are the ones we send; none is ever read.
    fetch_types: false,
    types: {
      bigint: { to: 20, from: [20], parse: Number, serialize: String },
      bigints: { to: 1016, from: [], parse: String, serialize: arrayLiteral },
      texts: { to: 1009, from: [], parse: String, serialize: arrayLiteral }
    }
  })
  typed(sql)
  return sql
}

/** An array of numbers or strings as Postgres reads it (its manual, 8.15.2). */
const arrayLiteral = (items: readonly (number | string)[]): string =>
  `{${items.map(item => `"${String(item).replace(/["\\]/g, '\\$&')}"`).join(',')}}`

/** Typed queries on a pool, or inside a transaction of it (which borrows its pool's `options`). */
export const typed = (sql: Sql, pool: Sql = sql): Db =>
  drizzle(Object.assign(sql, { options: (pool as postgres.Sql).options }) as postgres.Sql, { schema })

/** A timestamp of the database as ISO 8601; null stays null. */
export const iso = <T extends string | Date | null | undefined>(time: T) =>
  (time === null || time === undefined ? undefined : new Date(time).toISOString()) as T extends string | Date
    ? string
    : string | undefined

/** A value as a JSON parameter: without NUL and lone surrogates, which Postgres refuses. */
export function json(value: unknown): string {
  const text = JSON.stringify(value ?? null)
  return /\\u(0000|d[89a-f])/i.test(text) ? JSON.stringify(storable(value)) : text
}

/** The same value with every string (keys too) well-formed and free of NUL. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd')
  if (Array.isArray(value)) return value.map(storable)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storable(key), storable(item)]))
}
