import { registerHooks } from 'node:module'

/** Which copy of a module an address names. */
const copyIn = (url = '') => /\?copy=(\d+)$/.exec(url)?.[1]

let copies = 0
let isHooked = false

/**
 * Imports a new copy of a module, and of each module of this project that it imports, with the content that the files have
 * now. For development: no copy is ever freed. State that exists once per process is on `globalThis`, as it is for the copies
 * in Next's bundle (docs/concepts/engine.md#processes).
 */
export function loadAgain<Module>(url: string): Promise<Module> {
  if (!isHooked) hook()
  isHooked = true
  copies += 1
  return import(`${url}?copy=${copies}`)
}

/** A module that a copy imports is a copy too. */
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
