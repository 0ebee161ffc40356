import { WaystationError } from '@waystation/client'
import type { WaitingCall } from '@waystation/protocol/call/waiting-call.ts'
import type { HeldMessage } from '@waystation/protocol/out-of-band/held-message.ts'
import type { ListedSession } from '@waystation/protocol/session/listed-session.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createListStore, type ListClient } from './list-store.ts'
import { arranged } from './listed.ts'

const row = (id: string, activeAt: string, more: Partial<ListedSession> = {}): ListedSession => ({
  id,
  agentId: 'guide',
  agentName: 'Guide',
  title: id,
  status: 'idle',
  waitingFor: [],
  snippet: 'words',
  activeAt,
  ...more
})

/** A server that a test can change. It responds to the search "tea" only after `held` has resolved. */
function server(rows: ListedSession[], pageSize = 50) {
  const state = {
    rows,
    down: false,
    calls: [] as WaitingCall[],
    messages: [] as HeldMessage[],
    page: 500,
    held: Promise.resolve(),
    asked: [] as string[]
  }
  const down = () => new WaystationError(0, { error: 'No response.', code: 'UNREACHABLE' })
  const client: ListClient = {
    async waiting({ mine } = {}) {
      if (state.down) throw down()
      state.asked.push(`waiting mine=${mine}`)
      const calls = state.calls.filter(call => call.mine || mine === undefined)
      return {
        calls: structuredClone(calls.slice(0, state.page)),
        held: structuredClone(state.messages.filter(message => message.mine || mine === undefined)),
        nextCursor: calls.length > state.page ? 'x' : null
      }
    },
    async sessions({ q = '', cursor = '0' } = {}) {
      if (state.down) throw down()
      state.asked.push(`sessions q=${q}`)
      if (q === 'tea') await state.held
      const from = Number(cursor)
      const found = state.rows.filter(({ title }) => title.includes(q))
      const sessions = structuredClone(found.slice(from, from + pageSize))
      return { sessions, nextCursor: from + pageSize < found.length ? String(from + pageSize) : null }
    }
  }
  const first = {
    page: {
      sessions: structuredClone(rows.slice(0, pageSize)),
      nextCursor: rows.length > pageSize ? String(pageSize) : null
    },
    waiting: 0
  }
  return { state, store: createListStore(client, first) }
}

test('a refresh without changes causes no re-render', async () => {
  const { store } = server([row('a', '2'), row('b', '1')])
  const before = store.get()
  let redrawn = 0
  store.subscribe(() => redrawn++)
  await store.refresh()
  expect(redrawn).toBe(0)
  expect(store.get()).toBe(before)
})

test('when one session changes, the rows of the others keep their identity', async () => {
  const { state, store } = server([row('a', '2'), row('b', '1')])
  const [, b] = store.get().rows
  state.rows = [row('a', '3', { snippet: 'new' }), row('b', '1')]
  await store.refresh()
  expect(store.get().rows[0]?.snippet).toBe('new')
  expect(store.get().rows[1]).toBe(b)
})

test('loaded pages stay below a refreshed first page, in order and without duplicates', async () => {
  const rows = Array.from({ length: 7 }, (_, index) => row(`s${index}`, String(9 - index)))
  const { state, store } = server(rows, 3)
  await store.more()
  state.rows = [row('new', '99'), ...rows]
  await store.refresh()
  expect(store.get().rows.map(({ id }) => id)).toEqual(['new', 's0', 's1', 's2', 's3', 's4', 's5'])
  expect(store.get().next).toBe('6')
})

test('a refresh removes a deleted session from the first page', async () => {
  const { state, store } = server([row('a', '2'), row('b', '1')])
  state.rows = [row('b', '1')]
  await store.refresh()
  expect(store.get().rows.map(({ id }) => id)).toEqual(['b'])
})

test('a response to an earlier search is ignored', async () => {
  const { state, store } = server([row('tea', '2'), row('coffee', '1')])
  const held = Promise.withResolvers<void>()
  state.held = held.promise
  store.setQuery('tea')
  const late = store.refresh()
  store.setQuery('coffee')
  await store.refresh()
  held.resolve()
  await late
  expect(store.get().rows.map(({ id }) => id)).toEqual(['coffee'])
})

test('typing sends one request for sessions and none for pending calls, once it pauses', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { state, store } = server([row('tea', '2'), row('coffee', '1')])
  for (const query of ['c', 'co', 'coffee']) store.setQuery(query)
  expect(state.asked).toEqual([])
  await vi.advanceTimersByTimeAsync(1000)
  expect(state.asked).toEqual([expect.stringContaining('q=coffee')])
  expect(store.get().rows.map(({ id }) => id)).toEqual(['coffee'])
})

test('while the server is unreachable, the rows stay and a message is shown', async () => {
  const { state, store } = server([row('a', '1')])
  state.down = true
  await store.refresh()
  expect(store.get()).toMatchObject({ offline: true, rows: [{ id: 'a' }] })
  state.down = false
  await store.refresh()
  expect(store.get().offline).toBe(false)
})

test('up to five sessions that wait for the user are at the top, the nearest deadline first, and none is listed twice', () => {
  const call = { state: 'open', kind: 'approval', where: 'server' } as ListedSession['waitingFor'][number]
  const waiting = Array.from({ length: 7 }, (_, index) =>
    row(`w${index}`, '1', { status: 'parked', waitingFor: [call] })
  )
  const external = row('x', '9', {
    status: 'parked',
    waitingFor: [{ ...call, kind: 'external', where: 'external' }]
  })
  const { pinned, hidden, rest } = arranged([external, ...waiting], 'all')
  expect(pinned.map(({ id }) => id)).toEqual(['w0', 'w1', 'w2', 'w3', 'w4'])
  expect(hidden).toBe(2)
  expect(rest.map(({ id }) => id)).toEqual(['x', 'w5', 'w6'])
  expect(arranged([external, ...waiting], 'you').rest.map(({ id }) => id)).not.toContain('x')
  const soon = row('soon', '1', {
    status: 'parked',
    waitingFor: [{ ...call, deadline: '2026-03-01T00:00:00.000Z' }]
  })
  const later = row('later', '2', {
    status: 'parked',
    waitingFor: [{ ...call, deadline: '2026-03-02T00:00:00.000Z' }]
  })
  expect(arranged([waiting[0] ?? soon, later, soon], 'all').pinned.map(({ id }) => id)).toEqual([
    'soon',
    'later',
    'w0'
  ])
})

const call = (toolCallId: string, mine: boolean) =>
  ({ sessionId: 's', toolCallId, mine, state: 'open' }) as WaitingCall

test('the badge, the notifications and the page share one request for pending calls', async () => {
  const { state, store } = server([row('a', '1')])
  state.calls = [call('m', true), call('o', false)]
  await store.refresh()
  expect(store.get()).toMatchObject({ waiting: 1, mine: [{ toolCallId: 'm' }], all: undefined })
  const stop = store.watchAll()
  await store.refresh()
  expect(store.get()).toMatchObject({ waiting: 1, mine: [{ toolCallId: 'm' }], all: { more: false } })
  expect(store.get().all?.calls).toHaveLength(2)
  stop()
  state.asked.length = 0
  await store.refresh()
  expect(state.asked.filter(asked => asked.startsWith('waiting'))).toEqual(['waiting mine=true'])
  expect(store.get().all).toBeUndefined()
})

test('held messages count, and unchanged ones cause no re-render', async () => {
  const { state, store } = server([row('a', '1')])
  const held = (id: string, mine: boolean) => ({ id, sessionId: 's', mine, content: 'x' }) as HeldMessage
  state.calls = [call('m', true)]
  state.messages = [held('oob_1', true)]
  await store.refresh()
  expect(store.get()).toMatchObject({ waiting: 2, held: [{ id: 'oob_1' }] })
  let redrawn = 0
  store.subscribe(() => redrawn++)
  await store.refresh()
  expect(redrawn).toBe(0)
  state.messages = [held('oob_1', false)]
  store.watchAll()
  await store.refresh()
  expect(store.get()).toMatchObject({ waiting: 1, held: [{ id: 'oob_1' }] })
})

test('a session with a held message is among those that wait for the user', () => {
  const session = row('h', '1', { outOfBand: { waiting: 0, held: 1 } })
  expect(arranged([session, row('w', '2', { outOfBand: { waiting: 1, held: 0 } })], 'all').pinned).toEqual([
    session
  ])
})

test('unchanged calls keep their identity and cause no re-render', async () => {
  const { state, store } = server([row('a', '1')])
  state.calls = [call('m', true), call('o', false)]
  store.watchAll()
  await store.refresh()
  const { all, mine } = store.get()
  let redrawn = 0
  store.subscribe(() => redrawn++)
  await store.refresh()
  expect(redrawn).toBe(0)
  state.calls = [...state.calls, call('n', true)]
  await store.refresh()
  expect(store.get().all?.calls[0]).toBe(all?.calls[0])
  expect(store.get().mine?.[0]).toBe(mine?.[0])
})

test('if more calls are pending than fit into a page, the user’s calls are requested separately and completely', async () => {
  const { state, store } = server([row('a', '1')])
  state.page = 3
  state.calls = [call('1', false), call('2', false), call('3', false), call('m', true)]
  store.watchAll()
  await store.refresh()
  expect(store.get()).toMatchObject({ waiting: 1, mine: [{ toolCallId: 'm' }], all: { more: true } })
})

test('a session whose policy permits only other users to answer does not wait for this user', () => {
  const waits = {
    state: 'open',
    kind: 'approval',
    where: 'server',
    answerers: { roles: ['owner'], links: false }
  }
  const session = row('w', '1', {
    status: 'parked',
    waitingFor: [waits as ListedSession['waitingFor'][number]]
  })
  expect(arranged([session], 'all', { id: 'person:o', role: 'operator' }).pinned).toEqual([])
  expect(arranged([session], 'all', { id: 'person:o', role: 'owner' }).pinned).toEqual([session])
})
