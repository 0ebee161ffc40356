import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Patterns that `connect` of db/client.ts makes unnecessary, and those that only it can contain. */
const NEVER = {
  'a JSON parameter is cast through text': /::text::jsonb/,
  'a time is converted by hand': /\biso\(/,
  'a column is renamed to camelCase': / as "[a-z]+[A-Z]/,
  'a query builder of its own is made': /drizzle-orm\/postgres-js['"]/
}

const files = globSync('{lib,db,app,scripts,bench,packages/sample-acme}/**/*.{ts,tsx}').filter(
  file => !/node_modules|\.test\.tsx?$|generated/.test(file) && file !== 'db/migrate.ts'
)

test.each(Object.entries(NEVER))('no source file contains: %s', (_, pattern) => {
  expect(files.length).toBeGreaterThan(700)
  const matches = files.filter(file => pattern.test(readFileSync(file, 'utf8')))
  expect(matches).toEqual([])
})
