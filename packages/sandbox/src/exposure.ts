import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * A file or folder of the server that sandboxes must not expose. `isCode`: parts of it can be exposed
 * read-only.
 */
export type HiddenPath = { path: string; name: string; isCode?: true }

/** A path that a sandbox exposes. */
export type BoundPath = { path: string; writable?: true }

/** Returns a sentence that says why these paths must not be exposed, or undefined if they can be. */
export function exposureOf(
  bound: readonly BoundPath[],
  hidden: readonly HiddenPath[] = []
): string | undefined {
  for (const { path, writable } of bound)
    for (const { path: hiddenPath, name, isCode } of hidden)
      try {
        if (isWithin(hiddenPath, path) || ((writable || !isCode) && isWithin(path, hiddenPath)))
          return `${path}, which the sandbox can read, overlaps with ${name}. Move one of them.`
      } catch (error) {
        return `the server could not check whether ${path} overlaps with ${name}: ${(error as Error).message}.`
      }
  return undefined
}

/**
 * Returns whether a path is a folder or is inside it. Compares inodes, so that links and mounts do not matter.
 */
function isWithin(path: string, folder: string): boolean {
  const folderStats = statSync(folder, { throwIfNoEntry: false })
  if (folderStats === undefined) return false
  for (let current = real(path); ; current = dirname(current)) {
    const stats = statSync(current, { throwIfNoEntry: false })
    if (stats?.ino === folderStats.ino && stats.dev === folderStats.dev) return true
    if (current === dirname(current)) return false
  }
}

/** Resolves links, even if the end of the path does not exist. */
function real(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || path === dirname(path)) throw error
    return join(real(dirname(path)), basename(path))
  }
}
