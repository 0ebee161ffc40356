import { inject } from 'vitest'
import {
  copyDatabase,
  databaseAt,
  dropDatabase,
  maintenanceOf
} from '#tests/support/servers/test-postgres.ts'

export type TestDatabase = {
  /** The URL of a migrated database without rows. No other test uses it. */
  url: string
  /** Closes its connections and drops it. */
  drop(): Promise<void>
  /**
   * Drops it when its connections are closed. Use it after `migrate`, which returns before graphile-worker has closed
   * its connection: closing it from this side would be an error.
   */
  dropWhenClosed(): Promise<void>
}

type State = { spares: Promise<string>[]; maintenance?: ReturnType<typeof maintenanceOf> }

/**
 * One per worker process. The test files of a worker share it, so that a file can use the spare databases of the
 * previous one.
 */
const key = Symbol.for('waystation.tests.databases')
const shared = globalThis as { [key]?: State }
shared[key] ??= { spares: [] }
const state = shared[key]

/** The number of databases that are copied in advance, so that tests do not wait for a copy. */
const spareCount = 2

/**
 * Creates a database for one test on this run's Postgres, a copy of the migrated template. Call it in a test or a
 * hook. The end of the run removes databases that were not dropped. `bare` omits our schema.
 */
export async function createDatabase({ bare = false } = {}): Promise<TestDatabase> {
  const name = await (bare ? copyDatabase(maintenance(), 'template0') : takeSpare())
  return {
    url: databaseAt(inject('postgres').url, name),
    drop: () => dropDatabase(maintenance(), name),
    dropWhenClosed: () => dropDatabase(maintenance(), name, { wait: true })
  }
}

function takeSpare(): Promise<string> {
  while (state.spares.length <= spareCount) {
    const spare = copyDatabase(maintenance(), inject('postgres').template)
    // The test that takes this database gets the error.
    spare.catch(() => undefined)
    state.spares.push(spare)
  }
  return state.spares.shift() as Promise<string>
}

function maintenance() {
  state.maintenance ??= maintenanceOf(inject('postgres'))
  return state.maintenance
}
