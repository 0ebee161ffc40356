import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Env } from '#lib/kernel/settings/env.ts'

/** A file or folder of the server that no sandbox may show. `isCode`: a part of it may be shown, but not changed. */
export type HiddenPath = { path: string; name: string; isCode?: true }

/** A path that a sandbox shows. */
export type BoundPath = { path: string; writable?: true }

type Places = Pick<Env, 'dataDir' | 'mcpStdio' | 'workspaces' | 'plugins' | 'pluginFolder' | 'redact'>

/** What no sandbox of this server may show: its own folder, its data with its keys, and the files that set it up. */
export function hiddenPaths({
  dataDir,
  mcpStdio,
  workspaces,
  plugins,
  pluginFolder,
  redact
}: Places): HiddenPath[] {
  const more = {
    WAYSTATION_MCP_STDIO: mcpStdio,
    WAYSTATION_WORKSPACES: workspaces,
    WAYSTATION_PLUGINS: plugins,
    WAYSTATION_PLUGIN_FOLDER: pluginFolder,
    WAYSTATION_REDACT: redact
  }
  return [
    { path: resolve(import.meta.dirname, '../../..'), name: 'the folder of the server', isCode: true },
    { path: dataDir, name: 'the data directory (WAYSTATION_DATA_DIR)' },
    { path: resolve('.env'), name: 'the file .env' },
    ...Object.entries(more).flatMap(([name, path]) => (path === undefined ? [] : [{ path, name }]))
  ]
}

/** Why these paths may not be shown, as a sentence; undefined: they may. */
export function exposureOf(
  bound: readonly BoundPath[],
  hidden: readonly HiddenPath[] = []
): string | undefined {
  for (const { path, writable } of bound)
    for (const { path: own, name, isCode } of hidden)
      try {
        if (isWithin(own, path) || ((writable || !isCode) && isWithin(path, own)))
          return `${path}, which the sandbox can read, overlaps with ${name}. Move one of them.`
      } catch (error) {
        return `the server could not check whether ${path} overlaps with ${name}: ${(error as Error).message}.`
      }
  return undefined
}

/** Whether a path is a folder or lies in it, by whatever links and mounts either is reached. */
function isWithin(path: string, folder: string): boolean {
  const top = statSync(folder, { throwIfNoEntry: false })
  if (top === undefined) return false
  for (let at = real(path); ; at = dirname(at)) {
    const found = statSync(at, { throwIfNoEntry: false })
    if (found?.ino === top.ino && found.dev === top.dev) return true
    if (at === dirname(at)) return false
  }
}

/** Without links, also where the end of the path is not there. */
function real(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || path === dirname(path)) throw error
    return join(real(dirname(path)), basename(path))
  }
}
