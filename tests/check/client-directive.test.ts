import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const directive = /^\s*'use client'$/m

test('“use client” is the first line of each file that has it, since Next ignores it elsewhere', () => {
  const files = globSync('{app,components,packages/react}/**/*.{ts,tsx}', { exclude: ['**/node_modules/**'] })
  const clientFiles = files.filter(file => directive.test(readFileSync(file, 'utf8')))
  expect(clientFiles.filter(file => !readFileSync(file, 'utf8').startsWith("'use client'\n"))).toEqual([])
  expect(clientFiles.length).toBeGreaterThan(20)
})
