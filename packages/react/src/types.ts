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
  /** From `createClient` of @waystation/client; made once, not at each render. */
  client: WaystationClient
  /** What the session token may do; everything, unless it is said. The server checks it whatever stands here. */
  scopes?: readonly ('read' | 'send' | 'answer')[]
  /** The name this person's messages and answers are recorded under (the token's `subject`). */
  me?: string
  /** Who may answer when this person may not: "our support team". */
  approvers?: string
  /** Tools that this page offers the agent, and what runs them; a handler throws a sentence that the agent is told. */
  clientTools?: readonly ClientTool[]
  handlers?: Readonly<Record<string, (input: unknown) => Promise<unknown>>>
  /** `light`, `dark`, or `system` as the browser has it; the page's own `color-scheme`, unless it is said. */
  theme?: 'light' | 'dark' | 'system'
  children?: ReactNode
}

export type OfSession = {
  sessionId: string
  /** What the agent is called here, if not by its own name. */
  agentName?: string
}

export type SessionProps = OfSession & {
  /** Prompts for an empty session, one click each. */
  starters?: readonly { label: string; text: string }[]
}

export type CallProps = OfSession & { toolCallId: string }

/** A message on its way: `refused` with the server's sentence, or `unsent` and kept until the server is back. */
export type PendingMessage = {
  key: string
  text: string
  state: 'sending' | 'unsent' | 'accepted' | 'refused'
  error?: string
}

/** One session as it is now. The functions keep their identity. */
export type UseSession = {
  /** False until the session is there. */
  loaded: boolean
  connection: 'connecting' | 'live' | 'reconnecting'
  status: SessionStatus
  title: string
  /** In the shape of the AI SDK's `UIMessage`, while they stream as well. */
  messages: readonly Message[]
  /** Every call that is known, by its ID, and those that wait for somebody, nearest deadline first. */
  calls: Readonly<Record<string, Call>>
  openCalls: readonly Call[]
  pending: readonly PendingMessage[]
  /**
   * What the agent is told beside the conversation, oldest first, as it stands: `held` and `visible` messages wait,
   * `cancelled` and `expired` ones were removed or expired before the agent received them, the others are in one of `messages`.
   */
  outOfBand: readonly OutOfBand[]
  /** Why the session can no longer be read, or what the server said to the last thing that did not work. */
  problem: string | undefined
  /** Sends a message, or queues it while the agent works. It is kept until the server has it, through a reload too. */
  send: (text: string, whenBusy?: WhenBusy) => void
  /** Tells the agent something beside the conversation, also while it works. Undefined: it did not work, `problem` says why. */
  tell: (content: string, options?: Omit<TellOptions, 'signal'>) => Promise<OobReceipt | undefined>
  /** Sends one of `messages` again whose `data-delivery` part says `failed`: its external agent did not accept it. */
  resend: (messageId: string) => void
  /** Takes one of `outOfBand` back that waits. */
  takeBack: (oobId: string) => void
  /** Takes back a message of `pending` that was refused or has not gone out. */
  discard: (key: string) => void
  /** Answers an open call. Kept until the server has it. */
  answer: (toolCallId: string, answer: Answer) => void
  /** Gives an open call so many seconds from now. */
  extend: (toolCallId: string, seconds: number) => void
  /** Stops the running turn; what waits goes on waiting. */
  cancel: () => void
  /** Puts the page of messages before the first one above it. */
  loadEarlier: () => void
}

export type UseWaiting = {
  /** By an API key or a cookie: of the whole workspace. By a token: of the sessions that this page follows. */
  calls: readonly WaitingCall[]
  error: Error | undefined
}
