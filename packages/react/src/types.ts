import type {
  AgentStatus,
  Answer,
  Call,
  ClientTool,
  Message,
  OobReceipt,
  OutOfBand,
  SessionStatus,
  SessionView,
  TellOptions,
  WaitingCall,
  WaystationClient,
  WhenBusy
} from '@waystation/client'
import type { ComponentProps, ElementType, ReactNode } from 'react'

/**
 * The props of a widget of your own. `busy` is true while an answer is on its way to the server. The card then
 * disables the native form controls in it.
 */
export type WidgetProps = { call: Call; answer: (answer: Answer) => void; busy: boolean }

/**
 * Your own widgets, in the place of the built-in ones. A key is a tool's name, the `kind` of a call's render
 * hint, or `approval:` and a tool's name for the approvals of that tool.
 */
export type Widgets = Readonly<Record<string, (props: WidgetProps) => ReactNode>>

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
  /** Your own widgets for calls. A widget that throws is replaced by the built-in one. */
  widgets?: Widgets
  /** The link component of your router, which receives `href`. Default: `a`. */
  link?: ElementType<ComponentProps<'a'> & { href: string }>
  /** Users can send out-of-band messages from the message field (scope `send`). Default: false. */
  outOfBand?: boolean
  /** Returns the URL of another session in your product. Without it, there are no links to other sessions. */
  sessionHref?: (sessionId: string) => string
  /**
   * Called once for each error that users see: a session cannot be read, an action failed, or the server
   * rejected a message or an answer.
   */
  onError?: (error: Error, session: { sessionId: string }) => void
  /** `light`, `dark`, or `system` for the browser's setting. Default: the `color-scheme` of your page. */
  theme?: 'light' | 'dark' | 'system'
  children?: ReactNode
}

/** Props that identify a session. */
export type OfSession = {
  sessionId: string
  /** The agent's name on this page. Default: its own name. */
  agentName?: string
  /**
   * The session as the page already has it, from `client.session(id).get()`. It is shown at once and also on a
   * server. Without it, the component loads the session.
   */
  initial?: SessionView
  /** Added to the outermost element, for your own layout. */
  className?: string
}

/** Parts of `<Session>` that you replace. `null` removes a part. */
export type SessionSlots = {
  /** Status, title and menu. */
  header?: ReactNode
  /** Shown while the session has no messages. */
  empty?: ReactNode
  /** The pending calls above the message field. The transcript also shows each call. */
  waiting?: ReactNode
  /** The message field. */
  composer?: ReactNode
}

export type TranscriptProps = OfSession & {
  /** Prompts that an empty session offers. A click on one sends its `text`. */
  starters?: readonly { label: string; text: string }[]
}

export type SessionProps = TranscriptProps & { slots?: SessionSlots }

export type CallProps = OfSession & { toolCallId: string }

/**
 * A message that the transcript does not show yet. `unsent`: the browser stores it until the server responds.
 * `refused`: the server rejected it, and `error` says why.
 */
export type PendingMessage = {
  key: string
  text: string
  state: 'sending' | 'unsent' | 'accepted' | 'refused'
  error?: Error
}

/** A message with files. They are uploaded first. Default of `whenBusy`: `queue`. */
export type NewMessage = { text: string; files?: readonly File[]; whenBusy?: WhenBusy }

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
  /** The status line of the external agent, as plain text for users. */
  agentStatus: AgentStatus | undefined
  /**
   * Why the session can no longer be read, or why the last action failed. You can show its `message` to users.
   * It is a `WaystationError` if the server gave a reason.
   */
  error: Error | undefined
  /**
   * Sends a message, first uploading its files. While the agent works, the message is queued, unless you set
   * `whenBusy`. The browser stores it until the server has it, even across a reload. Resolves when the browser has
   * stored it, and rejects with a `WaystationError` if a file cannot be uploaded.
   */
  send: (message: string | NewMessage) => Promise<void>
  /**
   * Sends an out-of-band message to the agent, even while it works. If this fails, it resolves to undefined
   * and `error` says why.
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
  /** Stops the running turn, or asks an external agent to stop. Pending calls stay open. */
  cancel: () => void
  /** Loads the previous page of messages and adds it to the start of `messages`. */
  loadEarlier: () => void
}

/** A call of one session, and the function that answers it. */
export type UseCall = {
  /** Undefined until the session is loaded, or if it has no such call. */
  call: Call | undefined
  /** True while an answer is on its way to the server. */
  busy: boolean
  /** Why the server rejected the last answer. */
  error: Error | undefined
  /** Answers the call. The browser stores the answer until the server has it, even across a reload. */
  answer: (answer: Answer) => void
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
