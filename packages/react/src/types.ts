import type {
  Answer,
  Call,
  ClientTool,
  Message,
  OobReceipt,
  OutOfBand,
  SessionStatus,
  TellOptions,
  WaitingCall,
  WaystationClient,
  WhenBusy
} from '@waystation/client'
import type { ReactNode } from 'react'

export type WaystationProviderProps = {
  /** A client from `createClient` of @waystation/client. Create it once, not on each render. */
  client: WaystationClient
  /** The scopes of the session token. Default: all. They control the page. The server checks each request. */
  scopes?: readonly ('read' | 'send' | 'answer')[]
  /** The name under which this user's messages and answers are stored (the token's `subject`). */
  me?: string
  /** The people who can answer a call that this user cannot answer, for example "our support team". */
  approvers?: string
  /** Tools in this page that the agent can call. */
  clientTools?: readonly ClientTool[]
  /** Runs calls of `clientTools`, by tool name. If a handler throws, the agent receives its error message. */
  handlers?: Readonly<Record<string, (input: unknown) => Promise<unknown>>>
  /** `light`, `dark`, or `system` for the browser's setting. Default: the `color-scheme` of your page. */
  theme?: 'light' | 'dark' | 'system'
  children?: ReactNode
}

/** Props that identify a session. */
export type OfSession = {
  sessionId: string
  /** The agent's name on this page. Default: its own name. */
  agentName?: string
}

export type SessionProps = OfSession & {
  /** Prompts that an empty session offers. A click on one sends its `text`. */
  starters?: readonly { label: string; text: string }[]
}

export type CallProps = OfSession & { toolCallId: string }

/**
 * A message that the transcript does not show yet. `unsent`: the browser stores it until the server responds.
 * `refused`: the server rejected it, and `error` says why.
 */
export type PendingMessage = {
  key: string
  text: string
  state: 'sending' | 'unsent' | 'accepted' | 'refused'
  error?: string
}

/** The current data of a session, and its functions, which are the same on each render. */
export type UseSession = {
  /** False until the session is loaded. */
  loaded: boolean
  connection: 'connecting' | 'live' | 'reconnecting'
  status: SessionStatus
  title: string
  /** Messages in the shape of the AI SDK's `UIMessage`, including those that are still streaming. */
  messages: readonly Message[]
  /** All loaded calls, by ID. */
  calls: Readonly<Record<string, Call>>
  /** The pending calls, nearest deadline first. */
  openCalls: readonly Call[]
  /** Messages that were sent but are not in `messages` yet. */
  pending: readonly PendingMessage[]
  /**
   * Out-of-band messages, oldest first. `held` and `visible` ones are pending. `cancelled` and `expired` ones
   * were removed or expired before the agent received them. All others are part of one of `messages`.
   */
  outOfBand: readonly OutOfBand[]
  /** Why the session can no longer be read, or why the last action failed. You can show it to users. */
  problem: string | undefined
  /**
   * Sends a message. While the agent works, the message is queued, unless you set `whenBusy`. The browser
   * stores it until the server has it, even across a reload.
   */
  send: (text: string, whenBusy?: WhenBusy) => void
  /**
   * Sends an out-of-band message to the agent, even while it works. If this fails, it resolves to undefined
   * and `problem` says why.
   */
  tell: (content: string, options?: Omit<TellOptions, 'signal'>) => Promise<OobReceipt | undefined>
  /** Sends a message again that the external agent did not accept: its `data-delivery` part is `failed`. */
  resend: (messageId: string) => void
  /** Removes a pending message of `outOfBand`. */
  takeBack: (oobId: string) => void
  /** Deletes a message of `pending` that the server refused or does not have yet. */
  discard: (key: string) => void
  /** Answers a pending call. The browser stores the answer until the server has it, even across a reload. */
  answer: (toolCallId: string, answer: Answer) => void
  /** Sets the deadline of a pending call to this many seconds from now. */
  extend: (toolCallId: string, seconds: number) => void
  /** Stops the running turn. Pending calls stay open. */
  cancel: () => void
  /** Loads the previous page of messages and adds it to the start of `messages`. */
  loadEarlier: () => void
}

export type UseWaiting = {
  /**
   * Pending calls, nearest deadline first: those of the sessions that this page follows (session token), or
   * those of the workspace (API key or cookie).
   */
  calls: readonly WaitingCall[]
  /** The error of the last request. With a session token, it is always undefined. */
  error: Error | undefined
}
