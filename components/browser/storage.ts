/** A store for values that must survive a reload. */
export type BrowserStorage = {
  get: <T>(key: string) => T | undefined
  set: (key: string, value: unknown) => void
  remove: (key: string) => void
  /** Returns the keys that start with a prefix. */
  keys: (prefix: string) => string[]
}

const namespace = 'waystation:'

/**
 * Stores values in `localStorage`, with a copy in memory. The copy is used on a server, and if the browser
 * forbids `localStorage` or it is full, so that users can always go on typing.
 */
export function storageIn(storage: Storage | undefined): BrowserStorage {
  const memory = new Map<string, string>()
  return {
    get: <T>(key: string) => {
      const text = storage?.getItem(namespace + key) ?? memory.get(namespace + key)
      return text === undefined ? undefined : (JSON.parse(text) as T)
    },
    set: (key, value) => {
      memory.set(namespace + key, JSON.stringify(value))
      try {
        storage?.setItem(namespace + key, JSON.stringify(value))
      } catch (error) {
        // An older value would win over the copy in memory.
        storage?.removeItem(namespace + key)
        console.warn('This browser cannot store drafts, so they are lost when you reload', error)
      }
    },
    remove: key => {
      memory.delete(namespace + key)
      storage?.removeItem(namespace + key)
    },
    keys: prefix => {
      const stored = Array.from({ length: storage?.length ?? 0 }, (_, i) => storage?.key(i) ?? '')
      const all = new Set([...stored, ...memory.keys()])
      return [...all].flatMap(key => (key.startsWith(namespace + prefix) ? key.slice(namespace.length) : []))
    }
  }
}

const storageOfBrowser = (): Storage | undefined => {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}

let kept: BrowserStorage | undefined
/** Returns the store of this page. */
export const browserStorage = (): BrowserStorage => {
  kept ??= storageIn(typeof window === 'undefined' ? undefined : storageOfBrowser())
  return kept
}
