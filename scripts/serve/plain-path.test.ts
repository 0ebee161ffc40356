import { expect, test } from 'vitest'
import { isPlainPath } from '#scripts/serve/plain-path.ts'

test.each([
  '/x/../answer/a',
  '/./connect/a',
  '/x/%2E%2e/answer/a',
  '/x/.%2e/a',
  '/a/..',
  '/a/%2e',
  '/a\\..\\b',
  '/%zz'
])('22 X2: %s is no plain path', path => expect(isPlainPath(path)).toBe(false))

test.each([
  '/',
  '/sessions',
  '/api/sessions/a%2Fb',
  '/api/agents/v1.2',
  '/a/...',
  '/a/..b',
  '/a/%2e%2e%2f',
  '/über'
])('22 X2: %s is a plain path', path => expect(isPlainPath(path)).toBe(true))
