import type { WaitingCall, WaitingPage } from '@waystation/protocol/call/waiting-call.ts'
import type { ListedSession } from '@waystation/protocol/session/listed-session.ts'
import type { Http } from '#components/browser/http.ts'
import type { Filter } from './listed.ts'

/** What the list knows. A new object only when something changed; a row that did not change keeps its identity. */
export type ListState = {
  rows: readonly ListedSession[]
  /** Where the next page begins; undefined: these are all. */
  next: string | undefined
  /** How many calls wait for me, in any session of the workspace. */
  waiting: number
  /** Those calls, nearest deadline first; undefined until they were asked for. */
  mine: readonly WaitingCall[] | undefined
  /** Every open call of the workspace, and whether more wait behind them; asked for while somebody looks at them. */
  all: { calls: readonly WaitingCall[]; more: boolean } | undefined
  /** Another text once an agent of the workspace is not what it was. */
  agentsVersion: string | undefined
  filter: Filter
  query: string
  /** The rows are being asked for and those shown are another question's. */
  loading: boolean
  offline: boolean
}

export type ListStore = ReturnType<typeof createListStore>

/** Sessions of a page, and what a refresh may cost. */
const pageSize = 50
const everyMs = 3000

type Page = { sessions: ListedSession[]; nextCursor?: string | null; agentsVersion?: string }

/**
 * The list of sessions, kept fresh by a light poll while the page is looked at and at once when it is looked at again.
 * Only the first page is asked for again; older pages stay as they were read.
 */
export function createListStore(http: Http, first: { page: Page; waiting: number }) {
  let state: ListState = {
    rows: first.page.sessions,
    next: first.page.nextCursor ?? undefined,
    waiting: first.waiting,
    mine: first.waiting === 0 ? [] : undefined,
    all: undefined,
    agentsVersion: first.page.agentsVersion,
    filter: 'all',
    query: '',
    loading: false,
    offline: false
  }
  const listeners = new Set<() => void>()
  let asked = 0
  let askedWaiting = 0
  const watchers = { all: 0, hidden: 0 }

  function change(next: Partial<ListState>) {
    const changed = Object.entries(next).some(([name, value]) => state[name as keyof ListState] !== value)
    if (!changed) return
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }

  const address = (cursor?: string) => {
    const query = new URLSearchParams({ limit: String(pageSize) })
    if (state.query.trim() !== '') query.set('q', state.query.trim())
    if (state.filter === 'you') query.set('status', 'parked')
    if (state.filter === 'failed') query.set('trouble', 'true')
    if (cursor !== undefined) query.set('cursor', cursor)
    return `/api/sessions?${query}`
  }

  /** Asks again. An answer to a question that was since replaced is dropped. */
  async function refresh() {
    const mine = ++asked
    const [list, waits] = await Promise.all([http<Page>('GET', address()), lookAtWaiting()])
    if (mine !== asked) return
    if (!list.ok || !waits) return change({ offline: true, loading: false })
    const rows = merged(state.loading ? [] : state.rows, list.body, state.rows)
    const older = rows.length > list.body.sessions.length
    change({
      rows,
      next: older ? state.next : (list.body.nextCursor ?? undefined),
      agentsVersion: list.body.agentsVersion,
      loading: false,
      offline: false
    })
  }

  /**
   * Asks what waits: the one source of the badge, the notices and the page of all that waits. Everything says what is mine as
   * well, unless it does not fit into one page. False: no answer.
   */
  async function lookAtWaiting(): Promise<boolean> {
    const ours = ++askedWaiting
    const askFor = (query: string) => http<WaitingPage>('GET', `/api/waiting${query}`)
    const everything = watchers.all > 0 ? await askFor('') : undefined
    const whole = everything?.ok && everything.body.nextCursor === null
    const my = whole ? undefined : await askFor('?mine=true')
    if (ours !== askedWaiting) return true
    if (everything?.ok === false || my?.ok === false) return false
    const calls = my?.ok
      ? my.body.calls
      : (everything?.ok ? everything.body.calls : []).filter(call => call.mine)
    const all = everything?.ok
      ? { calls: kept(state.all?.calls, everything.body.calls), more: !whole }
      : undefined
    change({
      mine: kept(state.mine, calls),
      waiting: calls.length,
      all: all?.calls === state.all?.calls && all?.more === state.all?.more ? state.all : all
    })
    return true
  }

  async function more() {
    if (state.next === undefined || state.loading) return
    const cursor = state.next
    const page = await http<Page>('GET', address(cursor))
    if (!page.ok || state.next !== cursor) return
    const known = new Set(state.rows.map(({ id }) => id))
    change({
      rows: [...state.rows, ...page.body.sessions.filter(({ id }) => !known.has(id))],
      next: page.body.nextCursor ?? undefined
    })
  }

  const ask = (question: Partial<Pick<ListState, 'filter' | 'query'>>) => {
    change({ ...question, loading: true })
    void refresh()
  }

  return {
    get: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    refresh,
    more,
    setFilter: (filter: Filter) => ask({ filter }),
    setQuery: (query: string) => ask({ query }),
    /** Takes a row out before the next poll says so. */
    forget: (id: string) => change({ rows: state.rows.filter(row => row.id !== id) }),
    /** Asks for everything that waits until the returned function is called. */
    watchAll() {
      watchers.all++
      void refresh()
      return () => void watchers.all--
    },
    /** Asks what waits also while nobody looks at the page, until the returned function is called. */
    watchHidden() {
      watchers.hidden++
      return () => void watchers.hidden--
    },
    /** Keeps the list fresh until the returned function is called. */
    start() {
      const look = () => {
        if (document.visibilityState === 'visible') void refresh()
        else if (watchers.hidden > 0) void lookAtWaiting()
      }
      const timer = setInterval(look, everyMs)
      window.addEventListener('focus', look)
      document.addEventListener('visibilitychange', look)
      look()
      return () => {
        clearInterval(timer)
        window.removeEventListener('focus', look)
        document.removeEventListener('visibilitychange', look)
      }
    }
  }
}

/**
 * The new first page over the rows there were: equal rows keep their identity, and rows of older pages stay below it
 * unless the page, having no next one, says that it is all.
 */
function merged(
  shown: readonly ListedSession[],
  page: Page,
  known: readonly ListedSession[]
): readonly ListedSession[] {
  const before = new Map(known.map(row => [row.id, row]))
  const fresh = page.sessions.map(row => {
    const old = before.get(row.id)
    return old !== undefined && JSON.stringify(old) === JSON.stringify(row) ? old : row
  })
  const ids = new Set(fresh.map(({ id }) => id))
  const oldest = fresh.at(-1)?.activeAt ?? ''
  const older = page.nextCursor ? shown.filter(row => !ids.has(row.id) && row.activeAt <= oldest) : []
  const rows = [...fresh, ...older]
  return rows.length === known.length && rows.every((row, index) => row === known[index]) ? known : rows
}

/** The calls there were, when nothing about them has changed; else the new ones, of which equal ones keep their identity. */
function kept(
  before: readonly WaitingCall[] | undefined,
  now: readonly WaitingCall[]
): readonly WaitingCall[] {
  if (before === undefined) return now
  const known = new Map(before.map(call => [keyOf(call), call]))
  const calls = now.map(call => {
    const old = known.get(keyOf(call))
    return old !== undefined && JSON.stringify(old) === JSON.stringify(call) ? old : call
  })
  return calls.length === before.length && calls.every((call, index) => call === before[index])
    ? before
    : calls
}

const keyOf = ({ sessionId, toolCallId }: WaitingCall) => `${sessionId} ${toolCallId}`
