import { expect, test } from 'vitest'
import { canDisconnect, canReconnect } from './permissions.ts'

const viewer = { mayAnswer: false, mayEdit: false, mayOwn: false }
const operator = { ...viewer, mayAnswer: true }
const editor = { ...operator, mayEdit: true }
const owner = { ...editor, mayOwn: true }
const everybody = [viewer, operator, editor, owner]

const own = { sharing: 'user', mine: true } as const
const anothers = { sharing: 'user', mine: false } as const
const workspaces = { sharing: 'workspace', mine: false } as const
const sessions = { sharing: 'session', mine: false } as const

test('operators can disconnect their own accounts, editors also those of the workspace and of sessions, owners all accounts', () => {
  const offered = (one: typeof own | typeof anothers | typeof workspaces | typeof sessions) =>
    everybody.map(me => canDisconnect(me, one))
  expect(offered(own)).toEqual([false, true, true, true])
  expect(offered(anothers)).toEqual([false, false, false, true])
  expect(offered(workspaces)).toEqual([false, false, true, true])
  expect(offered(sessions)).toEqual([false, false, true, true])
})

test('operators can reconnect their own accounts, editors also those of the workspace, and other accounts cannot be reconnected', () => {
  const github = { modes: ['api_key' as const] }
  const offered = (one: Parameters<typeof canReconnect>[1]) =>
    everybody.map(me => canReconnect(me, one, github))
  expect(offered(own)).toEqual([false, true, true, true])
  expect(offered(workspaces)).toEqual([false, false, true, true])
  expect(offered(anothers)).toEqual([false, false, false, false])
  expect(offered(sessions)).toEqual([false, false, false, false])
  expect(canReconnect(owner, own, undefined)).toBe(false)
  expect(canReconnect(owner, own, { modes: [] })).toBe(false)
})
