import { inject } from 'vitest'
import { copyDatabase, databaseAt, dropDatabase, maintenanceOf } from '#tests/support/worlds/test-postgres.ts'

export type TestDatabase = {
  /** `postgres://…` of a migrated database without rows that no other test uses. */
  url: string
  /** Ends its connections and removes it. */
  drop(): Promise<void>
}

type Place = { spares: Promise<string>[]; maintenance?: ReturnType<typeof maintenanceOf> }

/** One per worker process. Files of a worker share it, so that a file finds the spare databases of the one before. */
const key = Symbol.for('waystation.tests.databases')
const shared = globalThis as { [key]?: Place }
shared[key] ??= { spares: [] }
const place = shared[key]

/** Databases that are copied ahead, so that a test does not wait for the copy. */
const spareCount = 2

/**
 * A database of a test's own on this run's Postgres, copied from the migrated template. Call it in a test or a hook.
 * The run removes whatever was not dropped. `bare`: without our schema.
 */
export async function createDatabase({ bare = false } = {}): Promise<TestDatabase> {
  const name = await (bare ? copyDatabase(maintenance(), 'template0') : takeSpare())
  return {
    url: databaseAt(inject('postgres').url, name),
    drop: () => dropDatabase(maintenance(), name)
  }
}

function takeSpare(): Promise<string> {
  while (place.spares.length <= spareCount) {
    const spare = copyDatabase(maintenance(), inject('postgres').template)
    // The test that takes it sees the failure.
    spare.catch(() => undefined)
    place.spares.push(spare)
  }
  return place.spares.shift() as Promise<string>
}

function maintenance() {
  place.maintenance ??= maintenanceOf(inject('postgres'))
  return place.maintenance
}
