import DataLoader from 'dataloader'

/**
 * Batches a lookup: all keys requested in the same tick go into one call of `find`. It helps when the open streams of a
 * process check their credentials. `find` returns one result for each key, in the same order.
 */
export function batchLookup<Key, Found>(
  find: (keys: readonly Key[]) => Promise<readonly Found[]>
): (key: Key) => Promise<Found> {
  const loader = new DataLoader<Key, Found>(find, {
    cache: false,
    maxBatchSize: 500,
    batchScheduleFn: setImmediate
  })
  return key => loader.load(key)
}
