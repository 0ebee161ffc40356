import { expect, test } from 'vitest'
import { readArguments } from '#scripts/setup/test-arguments.mjs'

test('words, a title, a shard and a number of runs can be combined', () => {
  expect(readArguments(['calls', '-t', 'a late answer', '--shard', '1/2', '--repeat=3'])).toEqual({
    mode: 'all',
    words: ['calls'],
    title: 'a late answer',
    shard: '1/2',
    repeat: 3,
    changed: undefined
  })
})

test('--changed compares with the last commit, or with a named commit', () => {
  expect(readArguments(['--changed']).changed).toBe('HEAD')
  expect(readArguments(['--changed', 'main', '--quick'])).toMatchObject({ changed: 'main', mode: 'quick' })
})

test.each([[['--shard', '3/2']], [['--shard', 'half']], [['--repeat', '0']], [['-t']], [['--watch']]])(
  '%j is refused with advice',
  args => {
    expect(() => readArguments(args)).toThrow(/--shard|--repeat|-t/)
  }
)
