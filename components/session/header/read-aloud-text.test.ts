import { expect, test } from 'vitest'
import { spokenBlocks } from './read-aloud-text.ts'

test('Markdown is read aloud without its syntax, block by block', () => {
  expect(
    spokenBlocks('# Plan\n\nIt is **on** its _way_.\n\n- two `crates`\n- [x] wicks\n\n> And so on')
  ).toEqual(['Plan', 'It is on its way.', 'two crates', 'wicks', 'And so on'])
})

test('code blocks, HTML and URLs are not read aloud', () => {
  expect(
    spokenBlocks('Run:\n\n```sh\nrm -rf /tmp/x\n```\n\nThen <b>look</b> at https://acme.example/a?b=c.')
  ).toEqual(['Run:', expect.not.stringContaining('rm'), 'Then look at acme.example.'])
  expect(
    spokenBlocks('See [the **plan**](https://acme.example) ![a map](https://acme.example/m.png)')
  ).toEqual(['See the plan a map'])
})

test('a table is read aloud row by row', () => {
  expect(spokenBlocks('| a | b |\n|---|---|\n| 1 | 2 |')).toEqual(['a, b', '1, 2'])
})

test('for an empty text, nothing is read aloud', () => {
  expect(spokenBlocks(' \n\n---\n')).toEqual([])
})
