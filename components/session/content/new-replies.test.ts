import type { Message } from '@waystation/protocol/session/message.ts'
import { expect, test } from 'vitest'
import { newReplies } from './new-replies.ts'

const of = (role: Message['role'], id: string, ...parts: Message['parts']) => ({
  message: { id, role, parts }
})
const text = (words: string, state?: 'streaming' | 'done') => ({
  type: 'text' as const,
  text: words,
  ...(state && { state })
})
const old = of('assistant', 'a1', text('Old.'))

test('initial messages are not new, and a later message is new once, as soon as it is complete', () => {
  const take = newReplies([old])
  const said = of('user', 'u1', text('Hello?'))
  expect(take([old, said, of('assistant', 'a2', text('Hel', 'streaming'))])).toEqual([])
  const whole = [old, said, of('assistant', 'a2', text('Hello.', 'done'))]
  expect(take(whole)).toEqual(['Hello.'])
  expect(take(whole)).toEqual([])
})

test('in a message that continues, only the added text is new', () => {
  const take = newReplies([old])
  expect(take([of('assistant', 'a1', text('Old.'), text('More.', 'done'))])).toEqual(['More.'])
})

test('a page of earlier messages is not new', () => {
  const take = newReplies([old])
  const earlier = of('assistant', 'a0', text('Earlier.'))
  expect(take([earlier, old])).toEqual([])
  expect(take([earlier, old, of('assistant', 'a2', text('New.'))])).toEqual(['New.'])
})

test('in a session that was empty at first, every message is new', () => {
  expect(newReplies([])([old])).toEqual(['Old.'])
})
