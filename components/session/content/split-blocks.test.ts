import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitBlocks } from './split-blocks.ts'

const line = fc.constantFrom(
  '',
  '',
  'words',
  '# title',
  '- item',
  '  more of it',
  '1. one',
  '```',
  '```js',
  '~~~',
  '    code',
  '> said',
  '| a | b |',
  '[x]: https://e.org'
)
const markdown = fc.array(line, { maxLength: 30 }).map(lines => lines.join('\n'))

test('the joined blocks equal the text', () => {
  fc.assert(
    fc.property(markdown, text => {
      expect(splitBlocks(text).join('')).toBe(text)
    })
  )
})

test('while text is added, a block that is followed by another one never changes', () => {
  const withoutDefinitions = markdown.filter(text => !text.includes('[x]:'))
  fc.assert(
    fc.property(withoutDefinitions, withoutDefinitions, (before, added) => {
      const finished = splitBlocks(before).slice(0, -1)
      expect(splitBlocks(before + added).slice(0, finished.length)).toEqual(finished)
    })
  )
})

test('blank lines do not split a code fence or a list', () => {
  expect(splitBlocks('a\n\n```\nx\n\ny\n```\n\nb')).toEqual(['a\n\n', '```\nx\n\ny\n```\n\n', 'b'])
  expect(splitBlocks('1. a\n\n2. b\n\nc')).toEqual(['1. a\n\n2. b\n\n', 'c'])
})
