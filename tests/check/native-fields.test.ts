import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('only components/ui uses native fields, so that all fields look and work alike', () => {
  const files = globSync('{app,components,packages/react/src}/**/*.tsx', {
    exclude: ['**/node_modules/**', 'components/ui/**']
  })
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter(file => /<(input|select|textarea)\b/.test(readFileSync(file, 'utf8')))).toEqual([])
})
