import { expect, test } from 'vitest'
import { storageIn } from './storage.ts'

/** Storage of a browser that is full from the second write on. */
function fullStorage(): Storage {
  const items = new Map<string, string>()
  let writes = 0
  return {
    get length() {
      return items.size
    },
    key: index => [...items.keys()][index] ?? null,
    getItem: key => items.get(key) ?? null,
    setItem: (key, value) => {
      if (++writes > 1) throw new DOMException('full', 'QuotaExceededError')
      items.set(key, value)
    },
    removeItem: key => void items.delete(key),
    clear: () => items.clear()
  }
}

test('if the browser is full, the page keeps the newest value and not the stored one', () => {
  const storage = storageIn(fullStorage())
  storage.set('draft', 'Hel')
  storage.set('draft', 'Hello')
  expect(storage.get('draft')).toBe('Hello')
  expect(storage.keys('dra')).toEqual(['draft'])
  storage.remove('draft')
  expect(storage.get('draft')).toBeUndefined()
})

test('without storage, values stay in the page', () => {
  const storage = storageIn(undefined)
  storage.set('draft', { text: 'Hello' })
  expect(storage.get('draft')).toEqual({ text: 'Hello' })
})
