import { type FSWatcher, watch } from 'node:fs'
import { sep } from 'node:path'
import { log } from '@waystation/base/log.ts'

/** How long no file may change before the restart, in milliseconds: an editor or a build writes several files. */
const settledMs = 200

/** Files that programs write themselves, and packages. */
const ignored = /^(\..*|__pycache__|node_modules)$/

/** Calls `onChange` after the files below a folder have changed. Returns a function that ends it. */
export function watchProgram(folder: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const onError = (error: unknown) => log('warn', 'a plugin folder is not watched', { folder, error })
  let watcher: FSWatcher
  try {
    watcher = watch(folder, { recursive: true }, (_, file) => {
      if (file?.split(sep).some(name => ignored.test(name))) return
      clearTimeout(timer)
      timer = setTimeout(onChange, settledMs)
      timer.unref()
    })
  } catch (error) {
    onError(error)
    return () => undefined
  }
  watcher.on('error', onError)
  watcher.unref()
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}
