import type { Approval, Call } from '@waystation/protocol/call/call.ts'
import type { AttachmentLimits } from '@waystation/protocol/session/file.ts'
import type { Session } from '@waystation/protocol/session/session-view.ts'
import { type ComponentType, createContext, useContext, useSyncExternalStore } from 'react'
import type { SessionLocation } from '#components/session/wording/session-path.ts'
import type { SessionState } from './session-state.ts'
import type { SessionStore } from './session-store.ts'

/** The agent of a session, as far as the page knows it. */
export type SessionAgent = {
  agentId: string
  displayName: string
  /** The revision that `config` belongs to, and the published one. */
  revision?: number
  published?: number
  /** True for an external agent, which can reply at any time. */
  external?: boolean
  /** The limits for attachments. If undefined, the session's limits apply. */
  attaching?: AttachmentLimits | undefined
  /** Suggests prompts in an empty session. */
  tools?: ReadonlyArray<{
    name: string
    title?: string | undefined
    description?: string | undefined
    /** The wikis that it reads. Absent: all. */
    wikis?: readonly string[] | undefined
  }>
  /** Shown in an empty session. */
  description?: string | undefined
  /** Suggested prompts. They replace the ones derived from `tools`. */
  starters?: ReadonlyArray<{ label: string; text: string }>
  /** Shown as JSON. Secrets are already replaced by `••••`. */
  config?: unknown
}

/** The user who views the session. Without `may`, the user can do everything. */
export type Me = {
  name: string
  /** The user's ID, as in answer policies. Absent for an end user with a session token. */
  id?: string
  role?: string | undefined
  may?: { send: boolean; answer: boolean; edit?: boolean }
  /** The people who can answer if this user cannot: "an owner of this workspace". */
  approvers?: string
}

/** The parts of the playground that a session can have on its page. */
export type Capabilities = {
  /** The session is the main content of its page: single-key shortcuts, link targets, and a first-level heading. */
  ownsPage: boolean
  /** Links to the inspector. */
  inspector: boolean
  /** The data and actions of workspace members, such as policies, deliveries, grants and other people's messages. */
  members: boolean
  /** Out-of-band messages can be sent from the message field. */
  tell: boolean
}
export const allCapabilities: Capabilities = { ownsPage: true, inspector: true, members: true, tell: true }
/** The capabilities of a session in another product's page. */
export const noCapabilities: Capabilities = { ownsPage: false, inspector: false, members: false, tell: false }
/** Like `noCapabilities`, for a host that lets its users send out-of-band messages. */
export const onlyTell: Capabilities = { ...noCapabilities, tell: true }

export type MemberParts = {
  /** Approves all pending calls of a tool. */
  ApproveAll: ComponentType<{ calls: readonly Call[]; toolName: string | undefined }>
  /** The button that approves a call, and can remember the approval. */
  Approve: ComponentType<ApproveProps>
  /** Fields for the arguments of a call. Without it, users edit them as JSON. */
  ArgumentFields: ComponentType<ArgumentFieldsProps>
  /** The command that answers in place of an external service. */
  AnswerCommand: ComponentType<{ call: Call }>
}

/** `written` has the arguments of the agent, which decide the kinds of the fields. `wanted` moves the focus to them. */
export type ArgumentFieldsProps = {
  written: Record<string, unknown>
  values: Record<string, unknown>
  wanted: boolean
  onChange: (values: Record<string, unknown>) => void
}

/** `remembered` says which later calls the approval covers. Empty: only this call is approved. */
export type ApproveProps = {
  call: Call
  label: string
  onApprove: (remembered: Pick<Approval, 'remember' | 'anyArguments'>) => void
}

/** The values that all components of a session share. They keep their identity, to avoid rerenders. */
export type SessionUse = {
  sessionId: string
  store: SessionStore
  agent: SessionAgent
  me: Me
  may: { send: boolean; answer: boolean }
  can: Capabilities
  agentHref?: string | undefined
  /** Returns the URL of another session. Absent: there are no links to other sessions. */
  sessionHref?: ((sessionId: string) => string) | undefined
  /** Opens a session that was branched from this one. Absent: branching is not offered. */
  onBranched?: ((sessionId: string) => void) | undefined
  /** Compares the turn of a message with other revisions. Absent: comparing is not offered. */
  onCompare?: ((messageId: string) => void) | undefined
  branchedFrom?: Session['branchedFrom']
  /** Shows how a call changed a wiki. Absent in other products, which then do not contain its code. */
  CallChanges?: ComponentType<{ wiki: string; toolCallId: string }> | undefined
  /** Shows the arguments or the result of a call. Absent in other products, which show JSON. */
  ShownValue?: ComponentType<{ label: string; value: unknown }> | undefined
  /** The parts of cards for workspace members. Absent in other products, which then do not contain their code. */
  memberParts?: MemberParts | undefined
  /** The element that shows the pending calls, if there is one. */
  dock: { current: HTMLElement | null }
  go: (location: SessionLocation) => void
  /** Puts text into the composer for the user to complete. A draft with text stays unchanged. */
  suggest: (text: string) => void
}

export const SessionContext = createContext<SessionUse | null>(null)

export function useSessionContext(): SessionUse {
  const use = useContext(SessionContext)
  if (use === null) throw new Error('Parts of a session must be inside <SessionView>')
  return use
}

/**
 * Returns a value that `select` derives from the session's state, and rerenders only when this value changes.
 * `select` must return the same value for the same state.
 */
export function useSessionState<T>(select: (state: SessionState) => T): T {
  const { store } = useSessionContext()
  const get = () => select(store.getState())
  return useSyncExternalStore(store.subscribe, get, get)
}
