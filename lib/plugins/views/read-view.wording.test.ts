import { expect, test } from 'vitest'
import { readView } from './read-view.ts'

test.each([
  ['text "a" {}', '1:1: unknown block "text" in this text: use "component"'],
  ['component {}', '1:1: a component needs one name: write component "name" {'],
  ['component "a" "b" {}', '1:15: a component needs one name: write component "name" {'],
  ['component "a" {}', '1:1: component "a" needs a type: write type = "text"'],
  ['component "a" {\n  type = 1\n}', '2:3: component "a" needs a type: write type = "text"'],
  [
    'component "a" {\n  type = "section"\n  component "a" { type = "text" }\n}',
    '3:13: component "a" is already defined at 1:11: use another name'
  ],
  [
    'component "a" {\n  type = "form"\n  field "f" {\n    component "b" { type = "text" }\n  }\n}',
    '4:5: a component cannot be inside "field": move it into a component'
  ],
  [
    'component "a" {\n  type = "text"\n  content = user.name\n}',
    '3:13: unknown name "user" (none are known): put strings in double quotes'
  ]
])('003-12: an invalid view is rejected with the position of the error: %j', (text, message) => {
  expect(() => readView(text)).toThrow(expect.objectContaining({ message }))
})
