import { expect, test } from 'vitest'
import { listFailure } from './list-failure.ts'

test('the HTML of a server is left out of its error', () => {
  const [sentence, details] = listFailure(new Error('<style>a{}</style><h1>Not here</h1>')).split('\n')
  expect(sentence).not.toBe('')
  expect(details).toBe('Not here')
})

test.each(['<', '<script>', '<style '])('a long error of %s takes hardly any time', part => {
  const text = part.repeat(2_000_000 / part.length)
  const before = process.cpuUsage().user
  listFailure(new Error(text))
  expect((process.cpuUsage().user - before) / 1000).toBeLessThan(1000)
})
