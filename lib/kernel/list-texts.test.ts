import { expect, test } from 'vitest'
import { previewFrom, titleFrom } from './list-texts.ts'

test.each([
  ['use web-fetch {"url":"http://localhost/samples/page"}', 'web-fetch samples/page'],
  [
    'use web-fetch {\n  "url": "https://ann:secret@a.example/b?token=c#d"\n}\nthen say hi',
    'web-fetch a.example/b'
  ],
  ['fetch localhost:3000/samples/page', 'fetch samples/page'],
  ['say # Heading\n\nHello **world**', 'say Heading'],
  ['# Deploy _now_\nplease', 'Deploy now'],
  ['```json\n{"order": 7, "item": "lamp"}\n```', 'order: 7, item: lamp'],
  ['- [ ] call [Ann](https://a.example)', 'call Ann'],
  ['Look at https://a.example/, please.', 'Look at a.example, please.'],
  ['fix #5 in snake_case_name: 2 * 3 {broken', 'fix #5 in snake_case_name: 2 * 3 {broken'],
  ['\n\n  Tidy  up, please', 'Tidy up, please'],
  ['***', ''],
  ['', '']
])('the title of a session that starts with %j is %j', (text, title) => {
  expect(titleFrom(text)).toBe(title)
})

test('a long title ends at a word, and never within a character', () => {
  expect(titleFrom('word '.repeat(40))).toBe(`${'word '.repeat(14)}word…`)
  expect(titleFrom('😀'.repeat(60))).toBe(`${'😀'.repeat(39)}…`)
})

test.each([
  ['Here is **the page**. It says:\n\n- a\n- b', 'Here is the page.'],
  ['## Heading\n\nHello', 'Heading'],
  ['Two lines\nof one sentence! And more.', 'Two lines of one sentence!'],
  ['Version 1.5 of a.b is out', 'Version 1.5 of a.b is out'],
  ['| a | b |\n| - | - |\n| 1 | 2 |', 'a | b 1 | 2'],
  ['They are **here**.', 'They are here.'],
  ['notes.txt', 'notes.txt']
])('the preview of %j is %j', (text, preview) => {
  expect(previewFrom(text)).toBe(preview)
})
