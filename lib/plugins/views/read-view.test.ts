import { expect, test } from 'vitest'
import { readView } from './read-view.ts'

test('003-12: a view is parsed into a tree of components and blocks, in the order of the text, with any types', () => {
  const text = `
component "board" {
  type  = "section"
  title = "Board"
  component "intro" {
    type    = "text"
    content = "Hello"
    style   = "heading"
  }
  component "numbers" {
    type = "stat-group"
    stat "b" {
      label = "Second"
      value = 2
    }
    note { text = "between" }
    stat "a" { label = "First" }
  }
  component "odd" {
    type = "hologram"
    data = { "z" = [1, null, true], "a" = { deep = "x" } }
  }
}
component "new" {
  type   = "form"
  action = "/tasks"
  field "title" {
    option "x" { label = "X" }
  }
}`
  expect(readView(text)).toEqual([
    {
      name: 'board',
      type: 'section',
      attributes: { title: 'Board' },
      blocks: [],
      children: [
        {
          name: 'intro',
          type: 'text',
          attributes: { content: 'Hello', style: 'heading' },
          children: [],
          blocks: []
        },
        {
          name: 'numbers',
          type: 'stat-group',
          attributes: {},
          children: [],
          blocks: [
            { type: 'stat', labels: ['b'], attributes: { label: 'Second', value: 2 }, blocks: [] },
            { type: 'note', labels: [], attributes: { text: 'between' }, blocks: [] },
            { type: 'stat', labels: ['a'], attributes: { label: 'First' }, blocks: [] }
          ]
        },
        {
          name: 'odd',
          type: 'hologram',
          attributes: { data: { z: [1, null, true], a: { deep: 'x' } } },
          children: [],
          blocks: []
        }
      ]
    },
    {
      name: 'new',
      type: 'form',
      attributes: { action: '/tasks' },
      children: [],
      blocks: [
        {
          type: 'field',
          labels: ['title'],
          attributes: {},
          blocks: [{ type: 'option', labels: ['x'], attributes: { label: 'X' }, blocks: [] }]
        }
      ]
    }
  ])
  expect(Object.keys(readView('component "c" {\n type = "x"\n z = 1\n a = 2\n}')[0]!.attributes)).toEqual([
    'z',
    'a'
  ])
})

test('003-12: a view has at most 2,000 components and blocks', () => {
  const view = (parts: number) => `component "a" {\n  type = "form"\n${'  field "f" {}\n'.repeat(parts)}}`
  expect(readView(view(1_999))[0]?.blocks).toHaveLength(1_999)
  expect(() => readView(view(2_000))).toThrow(expect.objectContaining({ line: 2002, column: 3 }))
})
