import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { log } from '#lib/kernel/log.ts'
import { textsIn, workspacesOf } from './read-files.ts'
import type { WorkspaceFile } from './read-workspace.ts'

/** How often the files are looked at, in milliseconds. */
const often = 2000

/**
 * Reads the files of a folder, has what they say applied, and again whenever one of them is another, or `mark` says another thing. At the start a fault is thrown
 * (`BadSettings`); later it is logged, and what was there stays. `stop` resolves when nothing of it runs any more.
 */
export async function followFiles(
  folder: string,
  mark: () => Promise<unknown>,
  apply: (workspaces: readonly WorkspaceFile[]) => Promise<void>
): Promise<{ stop: () => Promise<void> }> {
  const over = new AbortController()
  let texts = await textsIn(folder)
  let marked = await mark()
  /** What cannot be used is told once. What could not be applied (the database was away) is tried again. */
  let unusable: typeof texts | undefined
  await apply(workspacesOf(texts))
  const follow = async () => {
    for (;;) {
      await pause(often, undefined, { signal: over.signal, ref: false })
      try {
        const found = await mark()
        const now = await textsIn(folder)
        const isSame = isDeepStrictEqual(now, texts) || isDeepStrictEqual(now, unusable)
        if (isSame && found === marked) continue
        if (isSame) {
          await apply(workspacesOf(texts))
          marked = found
          continue
        }
        unusable = now
        const workspaces = workspacesOf(now)
        unusable = undefined
        await apply(workspaces)
        texts = now
        marked = found
        log('info', 'workspace files were reloaded', { folder })
      } catch (error) {
        log('error', 'workspace files are invalid; the previous ones stay in use', {
          because: error instanceof Error ? error.message : String(error)
        })
      }
    }
  }
  const done = follow().catch(() => undefined)
  return {
    async stop() {
      over.abort()
      await done
    }
  }
}
