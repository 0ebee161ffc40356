import { watch } from 'node:fs'
import { join } from 'node:path'
import { log } from '@waystation/base/log.ts'
import type { Dispatch } from './api.ts'
import { loadAgain } from './load-again.ts'

/**
 * The delay between the last file change and the reload, in milliseconds: an editor or Git writes several files at
 * once.
 */
const settledMs = 100

/** The folders whose changes reach the API without a restart. */
const folders = ['lib', 'packages', 'db']

/**
 * In development, loads the API again after each change of its code. Requests get the newest copy that loads
 * without an error. The worker, `/ws` and the server itself keep the code that they started with.
 */
export function reloadApi(first: Dispatch): () => Dispatch {
  let current = first
  let timer: NodeJS.Timeout | undefined
  let loads = 0
  const load = async () => {
    const startedAt = performance.now()
    const own = ++loads
    try {
      const loaded = await loadAgain<Dispatch>(import.meta.resolve('#lib/api/dispatch.ts'))
      // Another change during this load has started a newer load, which can finish first.
      if (own !== loads) return
      current = loaded
      log('info', 'The changed code of the API is loaded.', { ms: Math.round(performance.now() - startedAt) })
    } catch (error) {
      log('error', 'The changed code of the API cannot be loaded. The API keeps the previous code.', {
        error
      })
    }
  }
  for (const folder of folders)
    watch(join(import.meta.dirname, '..', '..', folder), { recursive: true }, (_, file) => {
      if (file === null || !/(?<!\.test)\.ts$/.test(file)) return
      clearTimeout(timer)
      timer = setTimeout(load, settledMs)
    })
      .on('error', error => log('warn', 'A folder is not watched for changes any longer.', { folder, error }))
      .unref()
  return () => current
}
