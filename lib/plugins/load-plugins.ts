import { z } from 'zod'
import { BadSettings } from '#lib/kernel/settings/env.ts'
import { listModules, loadModule } from '#lib/tools/defined/load-modules.ts'
import { readTools } from '#lib/tools/defined/read-tools.ts'
import type { Handler } from './handler.ts'
import type { Plugin } from './plugin.ts'

/** The in-process plugins of a server by name. Agent configurations refer to these names. */
export type Plugins = ReadonlyMap<string, Plugin>

const setting = 'WAYSTATION_PLUGINS'

const Shape = z.object({
  name: z
    .string()
    .regex(
      /^[a-z][a-z0-9-]{0,63}$/,
      'can have only lowercase letters, digits and -, and must start with a letter'
    ),
  description: z.string().max(500).optional(),
  config: z
    .custom<Plugin['config']>(value => typeof value === 'object' && value !== null && '~standard' in value, {
      error: 'must be a schema from zod or another Standard Schema library'
    })
    .optional(),
  hooks: z.custom<Plugin['hooks']>(
    value => typeof value === 'function',
    'must be a function that returns the hooks'
  ),
  handlers: z
    .record(
      z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'must have names of lowercase letters, digits and -'),
      z.custom<Handler>(value => typeof value === 'function', 'must contain only functions')
    )
    .optional(),
  tools: z
    .unknown()
    .superRefine((value, ctx) => {
      const tools = value === undefined ? [] : readTools(value)
      if (typeof tools === 'string') ctx.addIssue(`contain a wrong tool: ${tools}`)
      else if (value !== undefined && !Array.isArray(value)) ctx.addIssue('must be a list')
    })
    .optional()
})

/**
 * Loads the built-in plugins and those in the operator's folder (WAYSTATION_PLUGINS). Each `.js`, `.mjs` or
 * `.ts` module there has a plugin as its default export. Plugins run in the server's process with all its
 * permissions. Throws `BadSettings` if a plugin cannot be loaded or its name is already used, so that no server
 * runs without a configured plugin.
 *
 * @param folder an absolute path; undefined: no folder
 */
export async function loadPlugins(
  folder: string | undefined,
  builtIn: readonly Plugin[] = []
): Promise<Plugins> {
  const plugins = new Map(builtIn.map(plugin => [plugin.name, plugin]))
  if (folder === undefined) return plugins
  const badSettings = (what: string) => new BadSettings([`${setting} ${what}`])
  for (const file of await listModules(setting, folder)) {
    const exported = await loadModule(setting, folder, file)
    const shape = Shape.safeParse(exported)
    if (!shape.success) {
      const [issue] = shape.error.issues
      throw badSettings(
        `contains ${file}, whose default export is not a plugin: ${issue?.path.join('.') || 'it'} ${issue?.message ?? ''}`
      )
    }
    // Use the exported object, not the parsed copy, because `hooks` may use `this`.
    const plugin = exported as Plugin
    if (builtIn.some(({ name }) => name === plugin.name))
      throw badSettings(
        `contains ${file}, whose plugin has the name of the built-in plugin "${plugin.name}". Use another name.`
      )
    if (plugins.has(plugin.name))
      throw badSettings(`contains two plugins named "${plugin.name}". The second one is ${file}.`)
    plugins.set(plugin.name, plugin)
  }
  return plugins
}
