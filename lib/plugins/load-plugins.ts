import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { BadSettings } from '#lib/kernel/settings/env.ts'
import type { Plugin } from './plugin.ts'

/** The plugins of a server by their names, as agents' configurations name them. */
export type Plugins = ReadonlyMap<string, Plugin>

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
  )
})

/**
 * The server's own plugins, and those in a folder of the operator's own (WAYSTATION_PLUGINS): each module in it (`.js`, `.mjs`, `.ts`) has one as its
 * default export; a name of the server's own is taken. They run in the server's process, with all that it may do. Throws `BadSettings` for one that cannot be
 * loaded, so that no server runs without what it was told to do.
 *
 * @param folder absolute; undefined: there is none
 */
export async function loadPlugins(folder: string | undefined, own: readonly Plugin[] = []): Promise<Plugins> {
  const plugins = new Map(own.map(plugin => [plugin.name, plugin]))
  if (folder === undefined) return plugins
  const fault = (what: string) => new BadSettings([`WAYSTATION_PLUGINS ${what}`])
  const names = await readdir(folder).catch(error => {
    throw fault(`points to ${folder}, which cannot be read: ${error.message}`)
  })
  for (const file of names
    .filter(name => /\.(js|mjs|ts)$/.test(name) && !/\.(test|d)\.ts$/.test(name))
    .sort()) {
    const module = await import(pathToFileURL(join(folder, file)).href).catch(error => {
      throw fault(
        `contains ${file}, which cannot be loaded: ${error instanceof Error ? error.message : String(error)}`
      )
    })
    const shape = Shape.safeParse(module.default)
    if (!shape.success) {
      const [issue] = shape.error.issues
      throw fault(
        `contains ${file}, whose default export is not a plugin: ${issue?.path.join('.') || 'it'} ${issue?.message ?? ''}`
      )
    }
    // What was exported, not what was parsed of it: `hooks` may use `this`.
    const plugin = module.default as Plugin
    if (own.some(({ name }) => name === plugin.name))
      throw fault(
        `contains ${file}, whose plugin has the name of the built-in plugin "${plugin.name}". Use another name.`
      )
    if (plugins.has(plugin.name))
      throw fault(`contains two plugins named "${plugin.name}". The second one is ${file}.`)
    plugins.set(plugin.name, plugin)
  }
  return plugins
}
