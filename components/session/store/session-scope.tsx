'use client'
import type { Session } from '@waystation/protocol/session/session-view.ts'
import { type ReactNode, useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import { readDraft, writeDraft } from '#components/browser/drafts.ts'
import type { SessionLocation } from '#components/session/wording/session-path.ts'
import { type ClientHandlers, useClientTools } from './client-tools.ts'
import { createRowHighlight, MarkContext } from './row-highlight.ts'
import {
  allCapabilities,
  type Capabilities,
  type Me,
  type SessionAgent,
  SessionContext,
  type SessionUse
} from './session-context.ts'
import type { SessionStore } from './session-store.ts'

type SessionScopeProps = {
  sessionId: string
  store: SessionStore
  agent: SessionAgent
  me: Me
  agentHref?: string | undefined
  sessionHref?: ((sessionId: string) => string) | undefined
  onBranched?: ((sessionId: string) => void) | undefined
  branchedFrom?: Session['branchedFrom']
  /** Default: all. */
  can?: Capabilities | undefined
  /** The browser tools that this page runs without the user. */
  handlers?: ClientHandlers | undefined
  go: (location: SessionLocation) => void
  children: ReactNode
}

const everything = { send: true, answer: true }
const noHandlers: ClientHandlers = {}

/** Provides the context that all components of a session need, in the playground and in other products. */
export function SessionScope({
  sessionId,
  store,
  agent,
  me,
  agentHref,
  sessionHref,
  onBranched,
  branchedFrom,
  can = allCapabilities,
  handlers = noHandlers,
  go,
  children
}: SessionScopeProps) {
  const may = me.may ?? everything
  const [mark] = useState(createRowHighlight)
  const calls = () => store.getState().transcript.calls
  useClientTools(store, useSyncExternalStore(store.subscribe, calls, calls), handlers, may.answer)

  const suggest = useCallback(
    (text: string) => {
      const begun = readDraft<{ text: string }>(sessionId, 'composer')?.text ?? ''
      if (begun.trim() === '') writeDraft(sessionId, 'composer', { text })
      document.querySelector<HTMLElement>(`[data-composer="${CSS.escape(sessionId)}"]`)?.focus()
    },
    [sessionId]
  )
  const mayKey = `${may.send}${may.answer}${me.may?.edit}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: `me` is a new object at each render
  const use = useMemo<SessionUse>(
    () => ({
      sessionId,
      store,
      agent,
      me,
      may,
      can,
      agentHref,
      sessionHref,
      onBranched,
      branchedFrom,
      go,
      suggest
    }),
    [
      sessionId,
      store,
      agent,
      me.name,
      me.id,
      me.role,
      me.approvers,
      mayKey,
      can,
      agentHref,
      sessionHref,
      onBranched,
      branchedFrom?.sessionId,
      go,
      suggest
    ]
  )
  return (
    <SessionContext.Provider value={use}>
      <MarkContext.Provider value={mark}>{children}</MarkContext.Provider>
    </SessionContext.Provider>
  )
}
