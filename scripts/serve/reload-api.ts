import { watch } from 'node:fs'
import { join } from 'node:path'
import { log } from '#lib/kernel/log.ts'
import type { Dispatch } from './api.ts'
import { loadAgain } from './load-again.ts'

/** How long no file has changed before the API is loaded again: an editor or Git writes several at once. Milliseconds. */
const settledMs = 100

/** The folders whose changes reach the API without a restart. */
const folders = ['lib', 'db']

/**
 * In development, loads the API again after each change of its code. Requests get the newest copy that could be loaded. The
 * worker, `/ws` and the server itself keep the code that they started with.
 */
export function reloadApi(first: Dispatch): () => Dispatch {
  let current = first
  let timer: NodeJS.Timeout | undefined
  let loads = 0
  const load = async () => {
    const began = performance.now()
    const own = ++loads
    try {
      const loaded = await loadAgain<Dispatch>(import.meta.resolve('#lib/api/dispatch.ts'))
      // A change during the load has started another one, which can end first.
      if (own !== loads) return
      current = loaded
      log('info', 'The changed code of the API is loaded.', { ms: Math.round(performance.now() - began) })
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
