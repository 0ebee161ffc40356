import { registerHooks } from 'node:module'

/** Returns the number of the copy in a module URL, if it names one. */
const copyIn = (url = '') => /\?copy=(\d+)$/.exec(url)?.[1]

let copies = 0
let isHooked = false

/**
 * Imports a new copy of a module and of each project module that it imports, with the current content of the files.
 * Use it only in development: copies are never freed. State that exists once per process is on `globalThis`, which
 * also serves the copies in Next's bundle (docs/concepts/engine.md#processes).
 */
export function loadAgain<Module>(url: string): Promise<Module> {
  if (!isHooked) hook()
  isHooked = true
  copies += 1
  return import(`${url}?copy=${copies}`)
}

/** Makes each module that a copy imports a copy too. */
function hook() {
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      const copy = copyIn(context.parentURL)
      if (copy === undefined || !resolved.url.startsWith('file:') || resolved.url.includes('/node_modules/'))
        return resolved
      return { ...resolved, url: `${resolved.url}?copy=${copy}` }
    }
  })
}
