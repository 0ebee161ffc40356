import { readdir, realpath } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BadSettings } from '#lib/kernel/settings/env.ts'

/** Lists the modules in a folder: `.js`, `.mjs` and `.ts` files, but not `.test.ts` and `.d.ts` files. */
export async function listModules(setting: string, folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(error => {
    throw new BadSettings([`${setting} points to ${folder}, which cannot be read: ${error.message}`])
  })
  return names.filter(name => /\.(js|mjs|ts)$/.test(name) && !/\.(test|d)\.ts$/.test(name)).sort()
}

/**
 * Imports a module of the operator's folder and returns its default export. A `version` above 0 imports it, and the
 * modules of the folder that it imports, again with the current content of their files. Old versions are never freed.
 */
export async function loadModule(
  setting: string,
  folder: string,
  file: string,
  version = 0
): Promise<unknown> {
  const at = await realpath(folder)
  lendPackages(`${pathToFileURL(at).href}/`)
  const url = pathToFileURL(join(at, file)).href
  const module = await import(/* @vite-ignore */ version === 0 ? url : `${url}?version=${version}`).catch(
    error => {
      throw new BadSettings([`${setting} contains ${file}, which cannot be loaded: ${reasonOf(error)}`])
    }
  )
  return module.default
}

/** Returns the message of an error. The stack of a wrong TypeScript file starts with its path and line. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [, place] = /^(\/.+:\d+)\n/.exec(error.stack ?? '') ?? []
  return place === undefined ? error.message : `${error.message} (${place})`
}

/** The packages that the modules of a folder can import without installing them. */
const lentPackages = new Set(['zod', '@waystation/tools'])
const folders = new Set<string>()

/** Resolves these packages to the server's copies, for the modules below a folder that does not have them itself. */
function lendPackages(folder: string): void {
  if (folders.size === 0) registerHooks({ resolve: (...args) => resolve(...args) })
  folders.add(folder)
}

const resolve: Parameters<typeof registerHooks>[0]['resolve'] & {} = (specifier, context, next) => {
  const parent = context.parentURL ?? ''
  const folder = [...folders].find(url => parent.startsWith(url))
  if (folder === undefined || parent.slice(folder.length).includes('node_modules/'))
    return next(specifier, context)
  try {
    const resolved = next(specifier, context)
    const version = /\?version=\d+$/.exec(parent)?.[0] ?? ''
    const isOwn = resolved.url.startsWith(folder) && !resolved.url.includes('/node_modules/')
    return isOwn ? { ...resolved, url: resolved.url + version } : resolved
  } catch (error) {
    if (!lentPackages.has(specifier)) throw error
    return next(specifier, { ...context, parentURL: import.meta.url })
  }
}
