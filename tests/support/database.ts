import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { inject } from 'vitest'

export type TestDatabase = {
  /** `postgres://…` of a migrated database without rows that no other test uses. */
  url: string
  /** Ends its connections and removes it. */
  drop(): Promise<void>
}

type Place = { spares: Promise<string>[]; maintenance?: postgres.Sql }

/** One per worker process. Files of a worker share it, so that a file finds the spare databases of the one before. */
const key = Symbol.for('waystation.tests.databases')
const place: Place = ((globalThis as { [key]?: Place })[key] ??= { spares: [] })

/** Databases that are copied ahead, so that a test does not wait for the copy. */
const spareCount = 2

/**
 * A database of a test's own on this run's Postgres, copied from the migrated template. Call it in a test or a hook.
 * The run removes whatever was not dropped. `bare`: without our schema.
 */
export async function createDatabase({ bare = false } = {}): Promise<TestDatabase> {
  const name = await (bare ? copy('template0') : takeSpare())
  return {
    url: at(inject('postgres').url, name),
    drop: () =>
      maintain(sql => sql`drop database if exists ${sql(name)} with (force)`).then(() => undefined)
  }
}

function takeSpare(): Promise<string> {
  const { template } = inject('postgres')
  while (place.spares.length <= spareCount) {
    const spare = copy(template)
    // Whoever takes it sees the failure.
    spare.catch(() => undefined)
    place.spares.push(spare)
  }
  return place.spares.shift() as Promise<string>
}

async function copy(template: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await maintain(sql => sql`create database ${sql(name)} template ${sql(template)} strategy file_copy`)
  return name
}

/** Runs a statement on the server's maintenance database, over one connection that closes when it is idle. */
function maintain<T>(work: (sql: postgres.Sql) => PromiseLike<T>): PromiseLike<T> {
  place.maintenance ??= postgres(at(inject('postgres').url, 'postgres'), {
    max: 2,
    idle_timeout: 1,
    onnotice: () => undefined
  })
  return work(place.maintenance)
}

function at(url: string, database: string) {
  const there = new URL(url)
  there.pathname = `/${database}`
  return there.href
}
