import { drizzle, type PgRemoteDatabase } from 'drizzle-orm/pg-proxy'
import postgres from 'postgres'
import { dial } from './dial.ts'

/** The parameter types in addition to the driver's own. The driver sends any object as JSON. */
type Types = { json: object }

/** A pool of connections. Statements are prepared and pipelined. */
export type Pool = postgres.Sql<Types>

/** A pool, or a transaction on one of its connections. */
export type Sql = Pool | postgres.TransactionSql<Types>

/** A part of a statement, for use inside another statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

/** Drizzle's query builder on the same connection, for simple reads and writes of single rows. */
export type Db = PgRemoteDatabase

/**
 * Opens the connection pool of a process. A statement waits at most 2 s for a lock
 * (docs/concepts/engine.md#transactions).
 *
 * - Column names in results are in camelCase: the driver returns `session_key` as `sessionKey`.
 * - The driver returns a timestamp as ISO 8601 with milliseconds, `2026-11-26T12:00:00.123Z`. Postgres stores
 *   microseconds. If you compare a value with its column again, such as in a cursor, select it as text.
 * - Pass objects and arrays as they are for `json` and `jsonb` parameters. `null` is SQL's NULL.
 */
export function connect(url: string, { max = 12, name = 'waystation' } = {}): Pool {
  return postgres(url, {
    max,
    connection: { application_name: name, lock_timeout: 2000, TimeZone: 'UTC' },
    connect_timeout: 10,
    max_lifetime: null,
    // In seconds. The driver's own backoff grows to 20 s with the failures of all connections together. After an
    // outage of a few seconds, some connections would only return after that time.
    backoff: () => 0.1 + Math.random() * 0.2,
    onnotice: () => {},
    // The driver passes its parsed options to `socket`; its types do not include these two yet. Pipelines must
    // never be full (default: 100 statements). If the pipeline is full when the driver sends `begin`, the driver
    // does not reserve the connection (UNSAFE_TRANSACTION). Other callers' statements would then run inside the
    // transaction.
    ...{ socket: dial, max_pipeline: Number.MAX_SAFE_INTEGER },
    // Otherwise the driver queries the array types on each new connection and ignores errors of this query. If the
    // database stops at that moment, the unhandled error ends this process. These are the array types that we send;
    // we never read any.
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

/** Formats an array of numbers or strings as a Postgres array literal (manual, 8.15.2). */
const arrayLiteral = (items: readonly (number | string)[]): string =>
  `{${items.map(item => `"${String(item).replace(/["\\]/g, '\\$&')}"`).join(',')}}`

/** Converts Postgres' format, `2026-11-26 12:00:00.123456+00`, to ISO 8601 with milliseconds. */
const isoTime = (text: string): string => new Date(text).toISOString()

const timeText = (time: Date | string): string => (typeof time === 'string' ? time : time.toISOString())

/**
 * Returns the query builder on a pool or in a transaction. Drizzle passes JSON as text, which the driver would
 * store as a JSON string, so it is parsed first.
 */
export const builderOn = (sql: Sql): Db =>
  drizzle(async (query, params, _method, typings) => {
    const values = params.map((value, i) => (typings?.[i] === 'json' ? JSON.parse(value) : value))
    return { rows: await sql.unsafe(query, values, { prepare: true }).values() }
  })

/** Returns the value as JSON text, without NUL and lone surrogates, which Postgres rejects. */
export function json(value: unknown): string {
  const text = JSON.stringify(value ?? null)
  return /\\u(0000|d[89a-f])/i.test(text) ? JSON.stringify(storable(value)) : text
}

/** Returns the value with all strings, including keys, well-formed and without NUL. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd')
  if (Array.isArray(value)) return value.map(storable)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storable(key), storable(item)]))
}
