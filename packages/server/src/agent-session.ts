import type { Approve, Ask, CallView, Connect, Form, OpenedCall } from './agent-calls.ts'
import type { Delivery } from './delivery.ts'
import { send } from './send.ts'

/** A reply that grows while your agent writes it. */
export type GrowingReply = {
  /** Appends text. Waits for the earlier pieces. */
  write(text: string): Promise<void>
  /** Ends the reply. */
  end(): Promise<void>
}

/** The options of a reply. `key` makes it idempotent. `inReplyTo` is the ID of a message that it answers. */
export type ReplyOptions = { key?: string; inReplyTo?: string }

/** The session of a delivery. Each method sends a request, and retries it until the server has stored it. */
export type AgentSession = {
  sessionId: string
  agentId: string
  /** Sends a reply of up to 1 MiB of Markdown. Returns the ID of the message. */
  reply(text: string, options?: ReplyOptions): Promise<string>
  /** Starts a reply in pieces. `id` has up to 64 letters, digits, `-` and `_`. */
  stream(options?: { id?: string; inReplyTo?: string }): GrowingReply
  /** Shows what the agent is doing. An empty text removes the line. */
  status(text: string, options?: { ttlSeconds?: number }): Promise<void>
  /** Asks people to approve something. */
  approve(request: Approve): Promise<OpenedCall>
  /** Asks people a question. */
  ask(request: Ask): Promise<OpenedCall>
  /** Asks people to complete a form. */
  form(request: Form): Promise<OpenedCall>
  /** Asks people to connect an account. */
  connect(request: Connect): Promise<OpenedCall>
}

/** Returns the session of a delivery, whose requests are signed with the first of these secrets. */
export function sessionOf(
  { sessionId, agentId, callbackUrl, callsUrl }: Delivery,
  secrets: readonly Uint8Array<ArrayBuffer>[]
): AgentSession {
  const open = async (kind: CallView['kind'], { key, ...request }: { key?: string }) =>
    (await send(secrets, callsUrl, {
      body: JSON.stringify({ kind, ...request }),
      ...(key === undefined ? {} : { key })
    })) as OpenedCall
  return {
    sessionId,
    agentId,
    async reply(text, { key, inReplyTo } = {}) {
      const sent = await send(secrets, callbackUrl, {
        body: text,
        type: 'text/plain; charset=utf-8',
        ...(key === undefined ? {} : { key }),
        ...(inReplyTo === undefined ? {} : { headers: { 'waystation-in-reply-to': inReplyTo } })
      })
      return (sent as { messageId: string }).messageId
    },
    stream({ id = crypto.randomUUID(), inReplyTo } = {}) {
      let pieces = 0
      let before: Promise<unknown> = Promise.resolve()
      const write = async (text: string, end = ''): Promise<void> => {
        const headers = {
          'waystation-message': `${id}${end}`,
          ...(inReplyTo !== undefined && pieces === 0 ? { 'waystation-in-reply-to': inReplyTo } : {})
        }
        const key = `${id}-${pieces++}`
        const piece = before.then(() =>
          send(secrets, callbackUrl, { body: text, type: 'text/plain; charset=utf-8', key, headers })
        )
        // A failed piece rejects its own `write`, and the next one is sent anyway.
        before = piece.catch(() => undefined)
        await piece
      }
      return { write, end: () => write('', '; done') }
    },
    async status(text, options = {}) {
      const url = callbackUrl.replace(/\/messages(?=\?|$)/, '/status')
      await send(secrets, url, { body: JSON.stringify({ text, ...options }) })
    },
    approve: request => open('approval', request),
    ask: request => open('question', request),
    form: request => open('form', request),
    connect: request => open('connection', request)
  }
}

/**
 * Waits until a call is settled, and returns it. This needs your process to run: to survive restarts, use `onSettled`.
 *
 * @throws ServerError `NOT_FOUND` if the session was deleted; the reason of an aborted signal
 */
export async function waitForCall(
  { callUrl }: Pick<OpenedCall, 'callUrl'>,
  { signal }: { signal?: AbortSignal } = {}
): Promise<CallView> {
  for (;;) {
    signal?.throwIfAborted()
    const call = (await send([], `${callUrl}&wait=50`, { method: 'GET' })) as CallView
    if (call.state !== 'open') return call
  }
}

/** Cancels an open call. Throws `ServerError` with `ALREADY_SETTLED` if it was answered. */
export const cancelCall = async ({ callUrl }: Pick<OpenedCall, 'callUrl'>): Promise<CallView> =>
  (await send([], callUrl, { method: 'DELETE' })) as CallView
