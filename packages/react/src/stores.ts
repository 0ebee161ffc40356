import type { ClientTool, SessionView, WaystationClient } from '@waystation/client'
import { createErrorReporter } from './errors.ts'
import { createObservers, createSessionStore, type InitialSession, type SessionStore } from './playground.ts'

/** The sessions that a page follows. All components that show a session share one store. */
export type Stores = {
  /** `initial` is used only if the page does not have the session yet. */
  of: (sessionId: string, initial?: SessionView) => SessionStore
  /** Follows a session until every caller has called the function that it returned. */
  hold: (sessionId: string) => () => void
  /** Returns the sessions that are followed now. */
  held: () => ReadonlyMap<string, SessionStore>
  /** Calls the listener when a session changes, or the set of followed sessions. */
  subscribe: (listener: () => void) => () => void
}

type Options = {
  clientTools: readonly ClientTool[] | undefined
  onError: (error: Error, session: { sessionId: string }) => void
}

type Held = { store: SessionStore; holders: number; stop?: () => void }

export function createStores(client: WaystationClient, { clientTools, onError }: Options): Stores {
  const all = new Map<string, Held>()
  const { subscribe, announce } = createObservers()
  let held: ReadonlyMap<string, SessionStore> = new Map()
  const recount = () => {
    held = new Map(
      [...all].flatMap(([id, { store, holders }]) => (holders > 0 ? [[id, store] as const] : []))
    )
    announce()
  }
  const entry = (sessionId: string, initial?: SessionView): Held => {
    const known = all.get(sessionId)
    if (known !== undefined) return known
    const store = createSessionStore({
      sessionId,
      client,
      // With a cookie, the user can belong to several workspaces. An HTTP request can select one, a WebSocket
      // cannot.
      socket: client.credential !== 'cookie',
      members: false,
      initial: initial as InitialSession | undefined,
      clientTools: clientTools?.map(tool => ({ description: '', ...tool }))
    })
    store.subscribe(announce)
    const report = createErrorReporter(error => onError(error, { sessionId }))
    store.subscribe(() => report(store.getState()))
    const made = { store, holders: 0 }
    all.set(sessionId, made)
    return made
  }
  return {
    of: (sessionId, initial) => entry(sessionId, initial).store,
    hold(sessionId) {
      const one = entry(sessionId)
      one.holders++
      one.stop ??= one.store.start()
      recount()
      return () => {
        one.holders--
        if (one.holders === 0) {
          one.stop?.()
          delete one.stop
        }
        recount()
      }
    },
    held: () => held,
    subscribe
  }
}
