import DataLoader from 'dataloader'

/**
 * A lookup that takes what is asked for in one moment to the database in one statement. Each request asks for its own
 * credential; the open streams of a process ask for theirs together. `find` returns what it found for each key, in their order.
 */
export function together<Key, Found>(
  find: (keys: readonly Key[]) => Promise<readonly Found[]>
): (key: Key) => Promise<Found> {
  const loader = new DataLoader<Key, Found>(find, {
    cache: false,
    maxBatchSize: 500,
    batchScheduleFn: setImmediate
  })
  return key => loader.load(key)
}
