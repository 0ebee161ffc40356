import type { Call } from '@waystation/protocol/call/call.ts'
import { expect, test } from 'vitest'
import { emptyDock, orderDock } from './dock-order.ts'

const calls = (...ids: string[]) => ids.map(toolCallId => ({ toolCallId }) as Call)

test('the most urgent call is open when the dock opens', () => {
  expect(orderDock(emptyDock, calls('a', 'b'), false)).toEqual({ ids: ['a', 'b'], open: 'a' })
})

test('a more urgent call comes below the open card, never in its place', () => {
  const dock = orderDock(emptyDock, calls('b', 'c'), false)
  expect(orderDock(dock, calls('a', 'b', 'c'), false)).toEqual({ ids: ['b', 'a', 'c'], open: 'b' })
})

test('under a pointer nothing comes and nothing goes', () => {
  const dock = orderDock(emptyDock, calls('a', 'b'), false)
  expect(orderDock(dock, calls('b', 'c'), true)).toBe(dock)
  expect(orderDock(dock, calls('b', 'c'), false)).toEqual({ ids: ['b', 'c'], open: 'b' })
})

test('without pending calls the dock is hidden', () => {
  expect(orderDock(orderDock(emptyDock, calls('a'), false), [], true)).toEqual(emptyDock)
})
