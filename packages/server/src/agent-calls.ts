/** The fields of every request to people. `key` makes it idempotent, also after a restart of your program. */
type Asked = {
  /** One line, up to 200 characters. */
  title: string
  /** Markdown below the title, up to 8,192 characters. */
  detail?: string
  /** From 60 seconds to 30 days. */
  deadlineSeconds?: number
  onDeadline?: 'declined' | 'error' | 'not-connected'
  answerPolicy?: {
    roles?: ('owner' | 'editor' | 'operator')[]
    people?: string[]
    notAsker?: boolean
    links?: boolean
  }
  key?: string
}

/** With `inputSchema`, people can edit the `input` before they approve it. */
export type Approve = Asked & { input?: unknown; inputSchema?: Record<string, unknown> }

export type Ask = Asked & {
  question: {
    question: string
    inputType?: 'single-select' | 'multi-select' | 'text'
    options?: { label: string; description?: string }[]
    allowFreeform?: boolean
  }
}

export type Form = Asked & { outputSchema: Record<string, unknown> }

export type Connect = Asked & { integration: string; slug?: string }

/** A call that was opened. `fetchUrl` is for connections. */
export type OpenedCall = {
  toolCallId: string
  state: string
  deadline: string
  callUrl: string
  fetchUrl?: string
}

/** A call as it is now. See "Receive the answer" in docs/external-agents.md. */
export type CallView = {
  toolCallId: string
  kind: 'approval' | 'question' | 'form' | 'connection'
  state: 'open' | 'approved' | 'denied' | 'answered' | 'declined' | 'expired' | 'cancelled' | 'failed'
  /** The key of your request, if it had one. */
  key?: string
  approved?: boolean
  input?: unknown
  output?: unknown
  reason?: string
  answeredBy?: string
  via?: string
}
