import { drizzle, type PgRemoteDatabase } from 'drizzle-orm/pg-proxy'
import postgres from 'postgres'
import { dial } from './dial.ts'

/** What a parameter can be beside the driver's own types: any object is sent as JSON. */
type Types = { json: object }

/** A pool of connections. Statements are prepared and pipelined. */
export type Pool = postgres.Sql<Types>

/** A pool, or a transaction on one of its connections. */
export type Sql = Pool | postgres.TransactionSql<Types>

/** A part of a statement, to be used inside of another one. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

/** Drizzle's query builder on the same connection, for plain reads and writes of single rows. */
export type Db = PgRemoteDatabase

/**
 * Opens the pool of a process. A statement waits at most 2 s for a lock (docs/concepts/engine.md#transactions).
 *
 * - Columns are named in camelCase in results: `session_key` is read as `sessionKey`.
 * - A timestamp is read as ISO 8601 with milliseconds, `2026-11-26T12:00:00.123Z`. Postgres stores microseconds. Where a value is
 *   compared with its column again, such as in a cursor, select it as text.
 * - Objects and arrays are JSON where the parameter is `json` or `jsonb`, and are written as they are. `null` is SQL's NULL.
 */
export function connect(url: string, { max = 12, name = 'waystation' } = {}): Pool {
  return postgres(url, {
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
      json: { to: 114, from: [114, 3802], parse: JSON.parse, serialize: json },
      jsonb: { to: 3802, from: [], parse: JSON.parse, serialize: json },
      time: { to: 1184, from: [1184], parse: isoTime, serialize: timeText },
      bigints: { to: 1016, from: [], parse: String, serialize: arrayLiteral },
      texts: { to: 1009, from: [], parse: String, serialize: arrayLiteral }
    },
    transform: { column: { from: postgres.toCamel } }
  }) as unknown as Pool
}

/** An array of numbers or strings as Postgres reads it (its manual, 8.15.2). */
const arrayLiteral = (items: readonly (number | string)[]): string =>
  `{${items.map(item => `"${String(item).replace(/["\\]/g, '\\$&')}"`).join(',')}}`

/** A timestamp as Postgres writes it, `2026-11-26 12:00:00.123456+00`, as ISO 8601 with milliseconds. */
const isoTime = (text: string): string => new Date(text).toISOString()

const timeText = (time: Date | string): string => (typeof time === 'string' ? time : time.toISOString())

/** The query builder on a pool or in a transaction. It has its own text for JSON, which the driver would write as a string. */
export const builderOn = (sql: Sql): Db =>
  drizzle(async (query, params, _method, typings) => {
    const values = params.map((value, i) => (typings?.[i] === 'json' ? JSON.parse(value) : value))
    return { rows: await sql.unsafe(query, values, { prepare: true }).values() }
  })

/** A value as JSON text, without NUL and lone surrogates, which Postgres refuses. */
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
