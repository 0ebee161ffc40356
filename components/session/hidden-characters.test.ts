import { expect, test } from 'vitest'
import { piecesOf } from './hidden-characters.ts'

test('001-20: zx-script: what does not show, turns the text around or only looks like a space is told by its number', () => {
  for (const [character, hidden] of [
    ['\u202e', 'U+202E'],
    ['\u2066', 'U+2066'],
    ['\u200b', 'U+200B'],
    ['\u3164', 'U+3164'],
    ['\u{e0061}', 'U+E0061'],
    ['\ufe0f', 'U+FE0F'],
    ['\u00a0', 'U+00A0'],
    ['\u2028', 'U+2028'],
    ['\u001b', 'U+001B'],
    ['\r', 'U+000D']
  ])
    expect(piecesOf(`a${character}b`)).toEqual([{ words: 'a' }, { hidden }, { words: 'b' }])
})

test('001-20: zx-script: a text of letters, line ends and tabs is one piece, in whatever script it is written', () => {
  for (const text of ['if (a) {\n\tb("ü €")\n}', 'console.log("日本語 😀 שלום")'])
    expect(piecesOf(text)).toEqual([{ words: text }])
  expect(piecesOf('')).toEqual([])
})
