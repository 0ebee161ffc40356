import { type FSWatcher, readdirSync, watch } from 'node:fs'
import { join, sep } from 'node:path'
import { log } from './log.ts'

/** How long no file may change before the call, in milliseconds: an editor or a build writes several files. */
const settledMs = 200

/** Files that programs write themselves, and packages. */
const ignored = /^(\..*|__pycache__|node_modules)$/

/**
 * Calls `onChange` after the files below a folder have changed. Returns a function that ends it. Each folder has its
 * own watcher, because on Linux a recursive watcher of Node no longer sees a file after another one replaced it. Many
 * editors replace a file to save it.
 */
export function watchFolder(folder: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const watchers = new Map<string, FSWatcher>()
  const onError = (error: unknown) => log('warn', 'a folder is not watched', { folder, error })

  /** Ends the watchers of a folder that may be another one now, and of those in it. */
  const forget = (path: string) => {
    for (const [known, watcher] of watchers) {
      if (known !== path && !known.startsWith(path + sep)) continue
      watcher.close()
      watchers.delete(known)
    }
  }

  const watchTree = (path: string): void => {
    try {
      if (!watchers.has(path)) {
        const watcher = watch(path, (_, file) => {
          if (file !== null && ignored.test(file)) return
          if (file !== null) forget(join(path, file))
          clearTimeout(timer)
          timer = setTimeout(() => {
            watchTree(folder)
            onChange()
          }, settledMs)
          timer.unref()
        })
        watcher.on('error', onError)
        watcher.unref()
        watchers.set(path, watcher)
      }
      for (const entry of readdirSync(path, { withFileTypes: true }))
        if (entry.isDirectory() && !ignored.test(entry.name)) watchTree(join(path, entry.name))
    } catch (error) {
      const isGone = path !== folder && (error as NodeJS.ErrnoException).code === 'ENOENT'
      if (!isGone) onError(error)
    }
  }

  watchTree(folder)
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers.values()) watcher.close()
  }
}
