import { expect, test } from 'vitest'
import { piecesOf } from './hidden-characters.ts'

test('001-20: zx-script: invisible, direction-changing and space-like characters are shown by their code points', () => {
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

test('001-20: zx-script: text of letters, line breaks and tabs is one piece in every writing system', () => {
  for (const text of ['if (a) {\n\tb("ü €")\n}', 'console.log("日本語 😀 שלום")'])
    expect(piecesOf(text)).toEqual([{ words: text }])
  expect(piecesOf('')).toEqual([])
})
