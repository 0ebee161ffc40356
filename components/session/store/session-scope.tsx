import { type ReactNode, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { type ClientHandlers, useClientTools } from './client-tools.ts'
import { draftMessage } from './composer-draft.ts'
import { createRowHighlight, MarkContext } from './row-highlight.ts'
import { allCapabilities, type Capabilities, SessionContext, type SessionUse } from './session-context.ts'

type SessionScopeProps = Omit<SessionUse, 'may' | 'can' | 'dock' | 'suggest'> & {
  /** Default: all. */
  can?: Capabilities | undefined
  /** The browser tools that this page runs without the user. */
  handlers?: ClientHandlers | undefined
  children: ReactNode
}

const everything = { send: true, answer: true }
const noHandlers: ClientHandlers = {}

/** Provides the context that all components of a session need, in the playground and in other products. */
export function SessionScope({
  can = allCapabilities,
  handlers = noHandlers,
  children,
  ...given
}: SessionScopeProps) {
  const { sessionId, store, me } = given
  const may = me.may ?? everything
  const [mark] = useState(createRowHighlight)
  const dock = useRef<HTMLElement>(null)
  const calls = () => store.getState().transcript.calls
  useClientTools(store, useSyncExternalStore(store.subscribe, calls, calls), handlers, may.answer)

  const suggest = (text: string) =>
    draftMessage(sessionId, draft => (draft.text.trim() === '' ? { text } : draft))
  // biome-ignore lint/correctness/useExhaustiveDependencies: `me` and `branchedFrom` are new objects at each render
  const use = useMemo<SessionUse>(
    () => ({ ...given, may, can, dock, suggest }),
    [
      sessionId,
      store,
      given.agent,
      JSON.stringify(me),
      can,
      given.agentHref,
      given.sessionHref,
      given.onBranched,
      given.onCompare,
      given.branchedFrom?.sessionId,
      given.go
    ]
  )
  return (
    <SessionContext.Provider value={use}>
      <MarkContext.Provider value={mark}>{children}</MarkContext.Provider>
    </SessionContext.Provider>
  )
}
