'use client'
import type { AttachmentLimits } from '@waystation/protocol/session/file.ts'
import type { Session } from '@waystation/protocol/session/session-view.ts'
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { SessionState } from './session-state.ts'
import type { SessionStore } from './session-store.ts'

/** The agent of a session, as its page knows it. */
export type SessionAgent = {
  agentId: string
  displayName: string
  /** The revision that `config` is of, and the one that is published. */
  revision?: number
  published?: number
  /** Another system, which replies when it likes. */
  external?: boolean
  /** What may be attached to a message; where the page does not know, the session says it. */
  attaching?: AttachmentLimits | undefined
  /** For the prompts of an empty session. */
  tools?: ReadonlyArray<{ name: string; where?: string }>
  /** Prompts that win over those drawn from the tools. */
  starters?: ReadonlyArray<{ label: string; text: string }>
  /** Shown as JSON; secrets are already `••••`. */
  config?: unknown
}

/** Who looks at a session and what he may do in it; everything, if it is not said. */
export type Me = {
  name: string
  /** As a call's policy names them; absent: an end user, by a session token. */
  id?: string
  role?: string | undefined
  may?: { send: boolean; answer: boolean; edit?: boolean }
  /** Who may answer when this person may not: "an owner of this workspace". */
  approvers?: string
}

/** The inspector's tabs, in their order. */
export const inspectTabs = [
  'events',
  'calls',
  'timeline',
  'deliveries',
  'context',
  'prompt',
  'config'
] as const
export type InspectTab = (typeof inspectTabs)[number]

/** What of a session its URL addresses: `?inspect=events&seq=42`, `?call=…`, `?oob=…`; `prompt`: the round whose
 * prompt is shown; `wide`: the timeline at full width. */
export type SessionLocation = {
  inspect?: InspectTab
  seq?: number
  call?: string
  oob?: string
  prompt?: number
  wide?: true
}

/** What every part of a session's page may use. All of it keeps its identity, so that nothing is redrawn for it. */
export type SessionUse = {
  sessionId: string
  baseUrl: string
  store: SessionStore
  agent: SessionAgent
  me: Me
  may: { send: boolean; answer: boolean }
  /** It stands in a page that is not the playground's: no inspector, no shortcuts, nothing that is for the workspace's
   * people only. */
  embedded?: boolean | undefined
  agentHref?: string | undefined
  /** Where sessions are, for a link to another one. */
  sessionsHref?: string | undefined
  /** Goes to the session that was made of this one; absent: none is offered. */
  onBranched?: ((sessionId: string) => void) | undefined
  branchedFrom?: Session['branchedFrom']
  go: (location: SessionLocation) => void
  /** Puts words into the composer, for the person to finish: never over something begun. */
  suggest: (text: string) => void
}

export const SessionContext = createContext<SessionUse | null>(null)

export function useSessionContext(): SessionUse {
  const use = useContext(SessionContext)
  if (use === null) throw new Error('Parts of a session must be inside <SessionView>')
  return use
}

/** One thing of the session's state; redraws only when that changes. `select` gives the same value for the same state. */
export function useSessionState<T>(select: (state: SessionState) => T): T {
  const { store } = useSessionContext()
  const get = () => select(store.getState())
  return useSyncExternalStore(store.subscribe, get, get)
}
