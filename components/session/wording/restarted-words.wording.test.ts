import { expect, test } from 'vitest'
import { restartedWords } from './restarted-words.ts'

test('a restart is shown with its length, if it is known', () => {
  expect(restartedWords(12_000)).toBe('The server restarted (12 s). Nothing was lost.')
  expect(restartedWords(0)).toBe('The server restarted. Nothing was lost.')
})
