import { expect, test } from 'vitest'
import { shapeOf } from './shape-of.ts'

test('objects in a list are a table with at most eight columns', () => {
  const wide = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`c${n}`, n]))
  expect(shapeOf([{ a: 1 }, { b: 2 }])).toMatchObject({ kind: 'table', columns: ['a', 'b'], hidden: 0 })
  expect(shapeOf([wide])).toMatchObject({ kind: 'table', hidden: 2 })
})

test('a text that contains JSON, also of an MCP server, has the shape of its value', () => {
  expect(shapeOf('[{"a":1}]')).toMatchObject({ kind: 'table' })
  expect(shapeOf({ content: [{ type: 'text', text: '{"a":1}' }] })).toEqual({
    kind: 'fields',
    fields: [['a', 1]]
  })
  expect(shapeOf('{not JSON}')).toEqual({ kind: 'text', text: '{not JSON}' })
})

test('a page is its text', () => {
  const page = {
    url: 'https://a.example/',
    status: 404,
    title: '',
    contentType: 'text/html',
    text: '<b>No</b>'
  }
  expect(shapeOf(page)).toMatchObject({ kind: 'page', text: '<b>No</b>', facts: '404 · text/html' })
})

test.each([
  [null, { kind: 'text', text: 'null' }],
  [true, { kind: 'text', text: 'true' }],
  [[], { kind: 'list', items: [] }],
  [[1, { a: 1 }], { kind: 'list', items: [1, { a: 1 }] }]
])('other values are text or a list: %j', (value, shape) => {
  expect(shapeOf(value)).toEqual(shape)
})
