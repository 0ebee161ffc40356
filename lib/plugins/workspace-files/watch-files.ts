import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { log } from '@waystation/base/log.ts'
import { BadSettings } from '#lib/kernel/settings/env.ts'
import { parseWorkspaces, readTexts } from './read-files.ts'
import type { Environment, WorkspaceFile } from './read-workspace.ts'

/** How often the files are read, in milliseconds. */
const intervalMs = 2000

/** The sources of workspaces: the folder of their files (undefined: no files), and what `env` and `vault` return. */
export type FileSources = {
  folder: string | undefined
  environment: Environment
  secrets: () => Promise<ReadonlyMap<string, Environment>>
}

/**
 * Reads the files and applies them. Applies them again whenever a file changes or
 * `mark` returns another value. Invalid files at the start throw `BadSettings`. Later, the error is logged and the
 * previous files stay in use. If the database fails, it tries again. `stop` resolves once polling has ended.
 */
export async function watchFiles(
  { folder, environment, secrets }: FileSources,
  mark: () => Promise<unknown>,
  apply: (workspaces: readonly WorkspaceFile[]) => Promise<void>
): Promise<{ stop: () => Promise<void> }> {
  const stopping = new AbortController()
  const read = async () => (folder === undefined ? new Map<string, string>() : readTexts(folder))
  let appliedTexts = await read()
  let appliedMark = await mark()
  /**
   * The last invalid texts, to log them only once. An apply that failed (for example without a database) is
   * retried.
   */
  let invalidTexts: typeof appliedTexts | undefined
  await apply(parseWorkspaces(appliedTexts, environment, await secrets()))
  const poll = async () => {
    for (;;) {
      await pause(intervalMs, undefined, { signal: stopping.signal, ref: false })
      try {
        const currentMark = await mark()
        const currentTexts = await read()
        const isSame =
          isDeepStrictEqual(currentTexts, appliedTexts) || isDeepStrictEqual(currentTexts, invalidTexts)
        if (isSame && currentMark === appliedMark) continue
        const currentSecrets = await secrets()
        if (isSame) {
          await apply(parseWorkspaces(appliedTexts, environment, currentSecrets))
          appliedMark = currentMark
          continue
        }
        invalidTexts = currentTexts
        const workspaces = parseWorkspaces(currentTexts, environment, currentSecrets)
        await apply(workspaces)
        invalidTexts = undefined
        appliedTexts = currentTexts
        appliedMark = currentMark
        log('info', 'workspace files were reloaded', { folder })
      } catch (error) {
        if (!(error instanceof BadSettings)) invalidTexts = undefined
        const because = error instanceof Error ? error.message : String(error)
        if (folder === undefined)
          log('warn', 'plugins could not be updated; the server tries again', { because })
        else log('error', 'workspace files are invalid; the previous ones stay in use', { because })
      }
    }
  }
  const polling = poll().catch(() => undefined)
  return {
    async stop() {
      stopping.abort()
      await polling
    }
  }
}
