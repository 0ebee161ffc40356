import type { Call } from '@waystation/protocol/call/call.ts'
import { expect, test } from 'vitest'
import { emptyDock, orderDock } from './dock-order.ts'

const calls = (...ids: string[]) => ids.map(toolCallId => ({ toolCallId }) as Call)

test('the most urgent call is open when the dock opens', () => {
  expect(orderDock(emptyDock, calls('a', 'b'), false)).toEqual({ ids: ['a', 'b'], open: 'a' })
})

test('a more urgent call is added below the open card and never replaces it', () => {
  const dock = orderDock(emptyDock, calls('b', 'c'), false)
  expect(orderDock(dock, calls('a', 'b', 'c'), false)).toEqual({ ids: ['b', 'a', 'c'], open: 'b' })
})

test('while the pointer is over the dock, no call is added or removed', () => {
  const dock = orderDock(emptyDock, calls('a', 'b'), false)
  expect(orderDock(dock, calls('b', 'c'), true)).toBe(dock)
  expect(orderDock(dock, calls('b', 'c'), false)).toEqual({ ids: ['b', 'c'], open: 'b' })
})

test('without pending calls, the dock is empty, even under a pointer', () => {
  expect(orderDock(orderDock(emptyDock, calls('a'), false), [], true)).toEqual(emptyDock)
})
