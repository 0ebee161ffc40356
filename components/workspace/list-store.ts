import type { WaystationClient } from '@waystation/client'
import type { WaitingCall } from '@waystation/protocol/call/waiting-call.ts'
import type { HeldMessage } from '@waystation/protocol/out-of-band/held-message.ts'
import type { ListedSession } from '@waystation/protocol/session/listed-session.ts'
import { createObservers } from '#components/browser/observers.ts'
import { replyTo } from '#components/browser/reply.ts'
import type { Filter } from './listed.ts'

/** The state of the list. It is a new object only after a change, and unchanged rows keep their identity. */
export type ListState = {
  rows: readonly ListedSession[]
  /** While the list is filtered, the workspace's newest sessions. Refreshed only during `watchHidden`. */
  newest: readonly ListedSession[] | undefined
  /** The cursor of the next page. Undefined: all rows are loaded. */
  next: string | undefined
  /** The number of calls and held messages that wait for this user, in all sessions of the workspace. */
  waiting: number
  /** These calls, nearest deadline first. Undefined until they are loaded. */
  mine: readonly WaitingCall[] | undefined
  /** The workspace's held out-of-band messages, oldest first. Undefined until they are loaded. */
  held: readonly HeldMessage[] | undefined
  /** The pending calls of the workspace, and whether there are more. Loaded only during `watchAll`. */
  all: { calls: readonly WaitingCall[]; more: boolean } | undefined
  /** Changes when an agent of the workspace changes. */
  agentsVersion: string | undefined
  filter: Filter
  query: string
  /** The rows are still those of an earlier search or filter. */
  loading: boolean
  offline: boolean
}

export type ListStore = ReturnType<typeof createListStore>

const pageSize = 50
/** Interval between refreshes, in ms. */
const everyMs = 3000
/** How long typing must pause before the search starts, in ms. */
const typingMs = 150

/** The functions of a client that the list uses. */
export type ListClient = {
  waiting: WaystationClient['waiting']
  sessions: WaystationClient['sessions']['list']
}
type Page = { sessions: ListedSession[]; nextCursor?: string | null; agentsVersion?: string }

/**
 * Creates the list of sessions. It polls while the page is visible, and refreshes at once when the page
 * becomes visible or gets the focus. It refreshes only the first page of sessions.
 */
export function createListStore(client: ListClient, first: { page: Page; waiting: number }) {
  let state: ListState = {
    rows: first.page.sessions,
    newest: undefined,
    next: first.page.nextCursor ?? undefined,
    waiting: first.waiting,
    mine: first.waiting === 0 ? [] : undefined,
    held: first.waiting === 0 ? [] : undefined,
    all: undefined,
    agentsVersion: first.page.agentsVersion,
    filter: 'all',
    query: '',
    loading: false,
    offline: false
  }
  const { subscribe, announce } = createObservers()
  let asked = 0
  let askedWaiting = 0
  const watchers = { all: 0, hidden: 0 }

  function change(next: Partial<ListState>) {
    const changed = Object.entries(next).some(([name, value]) => state[name as keyof ListState] !== value)
    if (!changed) return
    state = { ...state, ...next }
    announce()
  }

  const askForPage = (cursor?: string) =>
    replyTo<Page>(
      client.sessions({
        limit: pageSize,
        q: state.query.trim() || undefined,
        waiting: state.filter === 'you' ? 'true' : undefined,
        trouble: state.filter === 'failed' ? 'true' : undefined,
        cursor
      })
    )

  /** Loads the first page, the pending calls, and the newest sessions for `watchHidden`. */
  async function refresh() {
    const [rows, waiting] = await Promise.all([refreshRows(), lookAtWaiting(), refreshNewest()])
    if (rows !== undefined) change({ offline: !rows || !waiting })
  }

  /** Loads the first page. Returns false if the request failed, and undefined if a later one replaced it. */
  async function refreshRows(): Promise<boolean | undefined> {
    const mine = ++asked
    const list = await askForPage()
    if (mine !== asked) return undefined
    if (!list.ok) {
      change({ loading: false })
      return false
    }
    const rows = merged(state.loading ? [] : state.rows, list.body, state.rows)
    const older = rows.length > list.body.sessions.length
    change({
      rows,
      newest: isFiltered() ? state.newest : undefined,
      next: older ? state.next : (list.body.nextCursor ?? undefined),
      agentsVersion: list.body.agentsVersion,
      loading: false
    })
    return true
  }

  const isFiltered = () => state.filter !== 'all' || state.query.trim() !== ''

  async function refreshNewest() {
    if (watchers.hidden === 0 || !isFiltered()) return
    const page = await replyTo<Page>(client.sessions({ limit: pageSize }))
    if (page.ok && isFiltered()) change({ newest: kept(state.newest, page.body.sessions, ({ id }) => id) })
  }

  /**
   * Loads the pending calls and held messages for the badge, the notifications and the "Waiting" page. If all
   * calls fit into one page, it selects the user's own from them instead of sending a second request. Returns
   * false if a request failed.
   */
  async function lookAtWaiting(): Promise<boolean> {
    const ours = ++askedWaiting
    const everything = watchers.all > 0 ? await replyTo(client.waiting()) : undefined
    const whole = everything?.ok && everything.body.nextCursor === null
    const my = whole ? undefined : await replyTo(client.waiting({ mine: 'true' }))
    if (ours !== askedWaiting) return true
    if (everything?.ok === false || my?.ok === false) return false
    const calls = my?.ok
      ? my.body.calls
      : (everything?.ok ? everything.body.calls : []).filter(call => call.mine)
    const all = everything?.ok
      ? { calls: kept(state.all?.calls, everything.body.calls, keyOf), more: !whole }
      : undefined
    const page = everything ?? my
    const held = page?.ok ? page.body.held : []
    change({
      mine: kept(state.mine, calls, keyOf),
      held: kept(state.held, held, ({ id }) => id),
      waiting: calls.length + held.filter(message => message.mine).length,
      all: all?.calls === state.all?.calls && all?.more === state.all?.more ? state.all : all
    })
    return true
  }

  async function more() {
    if (state.next === undefined || state.loading) return
    const cursor = state.next
    const page = await askForPage(cursor)
    if (!page.ok || state.next !== cursor) return
    const known = new Set(state.rows.map(({ id }) => id))
    change({
      rows: [...state.rows, ...page.body.sessions.filter(({ id }) => !known.has(id))],
      next: page.body.nextCursor ?? undefined
    })
  }

  let typing: ReturnType<typeof setTimeout> | undefined
  const ask = (question: Partial<Pick<ListState, 'filter' | 'query'>>, delayMs: number) => {
    change({ ...question, newest: state.newest ?? state.rows, loading: true })
    clearTimeout(typing)
    typing = setTimeout(() => void refreshRows(), delayMs)
  }

  return {
    get: () => state,
    subscribe,
    refresh,
    more,
    setFilter: (filter: Filter) => ask({ filter }, 0),
    setQuery: (query: string) => ask({ query }, typingMs),
    /** Removes a row without waiting for the next refresh. */
    forget: (id: string) => change({ rows: state.rows.filter(row => row.id !== id) }),
    /** Loads all pending calls of the workspace until the returned function is called. */
    watchAll() {
      watchers.all++
      void refresh()
      return () => void watchers.all--
    },
    /** Refreshes the list even while the page is in the background, until you call the returned function. */
    watchHidden() {
      watchers.hidden++
      return () => void watchers.hidden--
    },
    /** Refreshes the list until the returned function is called. */
    start() {
      const look = () => {
        if (document.visibilityState === 'visible' || watchers.hidden > 0) void refresh()
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
 * Merges a new first page with the known rows. Rows of older pages stay below it, unless the new page has no
 * next page.
 */
function merged(
  shown: readonly ListedSession[],
  page: Page,
  known: readonly ListedSession[]
): readonly ListedSession[] {
  const fresh = page.sessions
  const ids = new Set(fresh.map(({ id }) => id))
  const oldest = fresh.at(-1)?.activeAt ?? ''
  const older = page.nextCursor ? shown.filter(row => !ids.has(row.id) && row.activeAt <= oldest) : []
  return kept(known, [...fresh, ...older], ({ id }) => id)
}

const keyOf = ({ sessionId, toolCallId }: WaitingCall) => `${sessionId} ${toolCallId}`

/**
 * Returns the earlier entries if nothing has changed. Otherwise, returns the new ones, in which equal entries
 * keep their identity.
 */
function kept<T>(
  before: readonly T[] | undefined,
  now: readonly T[],
  keyOf: (entry: T) => string
): readonly T[] {
  const known = new Map(before?.map(entry => [keyOf(entry), entry]))
  const entries = now.map(entry => {
    const old = known.get(keyOf(entry))
    return old !== undefined && JSON.stringify(old) === JSON.stringify(entry) ? old : entry
  })
  const isSame = entries.length === before?.length && entries.every((entry, index) => entry === before[index])
  return isSame ? before : entries
}
