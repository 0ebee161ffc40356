import { log } from '@waystation/base/log.ts'
import { watchFolder } from '@waystation/base/watch-folder.ts'
import { BadSettings } from '#lib/kernel/settings/env.ts'
import type { Tool } from '#lib/tools/tool.ts'
import { inTool } from './contain.ts'
import { listModules, loadModule } from './load-modules.ts'
import { type DefinedTool, readTools } from './read-tools.ts'
import { toTool } from './to-tool.ts'

const setting = 'WAYSTATION_TOOLS'

type AnyTool = Tool<never, unknown>
type Tools = ReadonlyMap<string, AnyTool>

/** All tools that agents can have by name. A reload replaces `tools` by a new map. */
export type LoadedTools = { tools: Tools; stop: () => void }

/**
 * Adds the operator's tools to the built-in ones: those of in-process plugins, and those in the folder
 * (WAYSTATION_TOOLS). They run in the server's process with all its permissions. With `reload`, changed files are
 * loaded again. Throws `BadSettings` if a tool cannot be loaded or its name is already used, so that no server runs
 * without a configured tool.
 *
 * @param folder an absolute path; undefined: no folder
 */
export async function loadTools(
  folder: string | undefined,
  builtIn: Tools,
  plugins: Iterable<{ name: string; tools?: readonly DefinedTool[] }>,
  { reload = false } = {}
): Promise<LoadedTools> {
  const fixed = new Map(builtIn)
  for (const plugin of plugins)
    for (const tool of plugin.tools ?? [])
      add(fixed, toTool(tool, `plugin ${plugin.name}`), 'WAYSTATION_PLUGINS')
  let files = new Map<string, readonly AnyTool[]>()
  const loadedTools: LoadedTools = { tools: fixed, stop: () => undefined }
  const load = async (at: string, version: number) => {
    const loaded = new Map<string, readonly AnyTool[]>()
    for (const file of await listModules(setting, at))
      try {
        loaded.set(file, await loadFile(at, file, version))
      } catch (error) {
        const before = files.get(file)
        if (version === 0) throw error
        log('error', 'A changed tool cannot be loaded. The previous version stays.', { file, error })
        if (before !== undefined) loaded.set(file, before)
      }
    const all = new Map(fixed)
    for (const tool of [...loaded.values()].flat()) add(all, tool, setting)
    files = loaded
    loadedTools.tools = all
  }
  if (folder !== undefined) await load(folder, 0)
  if (folder !== undefined && reload)
    loadedTools.stop = reloadChanged(folder, version => load(folder, version))
  return loadedTools
}

async function loadFile(folder: string, file: string, version: number): Promise<readonly AnyTool[]> {
  const read = readTools(await inTool(file, () => loadModule(setting, folder, file, version)))
  if (typeof read === 'string')
    throw new BadSettings([`${setting} contains ${file}, whose default export is not a tool: ${read}`])
  return read.map(tool => toTool(tool, file))
}

function add(tools: Map<string, AnyTool>, tool: AnyTool, from: string): void {
  const { name, source } = tool
  const other = tools.get(name)
  if (other !== undefined && other.source === undefined)
    throw new BadSettings([
      `${from} contains ${source}, whose tool has the name of the built-in tool "${name}". Use another name.`
    ])
  if (other !== undefined)
    throw new BadSettings([
      `${from} contains two tools named "${name}". The first one is in ${other.source}, the second one in ${source}.`
    ])
  tools.set(name, tool)
}

/** Calls `load` with a new number after each change below a folder, one call at a time. */
function reloadChanged(folder: string, load: (version: number) => Promise<void>): () => void {
  let version = 0
  let loading = Promise.resolve()
  return watchFolder(folder, () => {
    loading = loading
      .then(() => load(++version))
      .then(() => log('info', 'The changed tools are loaded.'))
      .catch(error => log('error', 'The changed tools cannot be loaded. The previous ones stay.', { error }))
  })
}
