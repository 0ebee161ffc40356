import type { Http } from '#components/session/http.ts'
import type { ListedSession } from '#lib/protocol/listed-session.ts'
import type { Filter } from './listed.ts'

/** What the list knows. A new object only when something changed; a row that did not change keeps its identity. */
export type ListState = {
  rows: readonly ListedSession[]
  /** Where the next page begins; undefined: these are all. */
  next: string | undefined
  /** How many calls wait for me, in any session of the workspace. */
  waiting: number
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

type Page = { sessions: ListedSession[]; nextCursor?: string | null }

/**
 * The list of sessions, kept fresh by a light poll while the page is looked at and at once when it is looked at again.
 * Only the first page is asked for again; older pages stay as they were read.
 */
export function createListStore(http: Http, first: { page: Page; waiting: number }) {
  let state: ListState = {
    rows: first.page.sessions,
    next: first.page.nextCursor ?? undefined,
    waiting: first.waiting,
    filter: 'all',
    query: '',
    loading: false,
    offline: false
  }
  const listeners = new Set<() => void>()
  let asked = 0

  function change(next: Partial<ListState>) {
    const changed = Object.entries(next).some(([name, value]) => state[name as keyof ListState] !== value)
    if (!changed) return
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }

  const address = (cursor?: string) => {
    const query = new URLSearchParams({ limit: String(pageSize) })
    if (state.query.trim() !== '') query.set('q', state.query.trim())
    if (state.filter !== 'all') query.set('status', state.filter === 'failed' ? 'failed' : 'parked')
    if (cursor !== undefined) query.set('cursor', cursor)
    return `/api/sessions?${query}`
  }

  /** Asks again. An answer to a question that was since replaced is dropped. */
  async function refresh() {
    const mine = ++asked
    const [list, waiting] = await Promise.all([
      http<Page>('GET', address()),
      http<{ calls: unknown[] }>('GET', '/api/waiting?mine=true')
    ])
    if (mine !== asked) return
    if (!list.ok || !waiting.ok) return change({ offline: true, loading: false })
    const rows = merged(state.loading ? [] : state.rows, list.body, state.rows)
    const older = rows.length > list.body.sessions.length
    change({
      rows,
      next: older ? state.next : (list.body.nextCursor ?? undefined),
      waiting: waiting.body.calls.length,
      loading: false,
      offline: false
    })
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
    /** Keeps the list fresh until the returned function is called. */
    start() {
      const look = () => document.visibilityState === 'visible' && void refresh()
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
