import { globSync, readFileSync } from 'node:fs'
import { type CallExpression, type NewExpression, parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

/** Globals that send requests. */
const senders = ['fetch', 'XMLHttpRequest', 'EventSource']

/** Returns each path of the API and each sender in a program: "file:offset text". */
function requestsIn(file: string, text: string): string[] {
  const found: string[] = []
  const report = (start: number, what: string) => found.push(`${file}:${start} ${what}`)
  const checkText = (start: number, value: unknown) => {
    if (typeof value === 'string' && value.includes('/api/')) report(start, value)
  }
  const checkSender = ({ callee, start }: CallExpression | NewExpression) => {
    if (callee.type === 'Identifier' && senders.includes(callee.name)) report(start, callee.name)
  }
  new Visitor({
    Literal: ({ start, value }) => checkText(start, value),
    TemplateElement: ({ start, value }) => checkText(start, value.cooked),
    JSXText: ({ start, value }) => checkText(start, value),
    CallExpression: checkSender,
    NewExpression: checkSender
  }).visit(parseSync(file, text).program)
  return found
}

test('components name operations of the client instead of paths of the API', () => {
  const files = globSync('components/**/*.{ts,tsx}', { exclude: ['**/*.test.{ts,tsx}'] })
  expect(files.length).toBeGreaterThan(300)
  expect(files.flatMap(file => requestsIn(file, readFileSync(file, 'utf8')))).toEqual([])
})

test('a path in a string, a template or a text is found, and so is a request without the client', () => {
  const found = (text: string) => requestsIn('x.tsx', text).map(line => line.replace(/^\S+ /, ''))
  expect(found("get('/api/agents')")).toEqual(['/api/agents'])
  expect(found('get(`/api/agents/$' + '{id}/draft`)')).toEqual(['/api/agents/'])
  expect(found('<a href="/api/x">/api/y</a>')).toEqual(['/api/x', '/api/y'])
  expect(found('fetch(url); new EventSource(url); client.fetch(url)')).toEqual(['fetch', 'EventSource'])
  expect(found('// A comment about /api/agents\nfoo()')).toEqual([])
})
