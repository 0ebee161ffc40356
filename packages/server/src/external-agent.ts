import type { CallView } from './agent-calls.ts'
import { type AgentSession, sessionOf } from './agent-session.ts'
import { type Delivery, type OtherMessage, readDelivery, type UserMessage } from './delivery.ts'
import { readBody } from './read-body.ts'
import { problem, respond } from './respond.ts'
import { isSigned, readSecrets, type Secret } from './signature.ts'

/** The largest delivery in bytes: a message with an active item, and up to 256 KiB of history. */
const maxBytes = 4 * 1024 * 1024
/** How many deliveries a process remembers, so that it does not process them twice. */
const remembered = 10_000

/**
 * Stores deliveries for restarts. `begin` stores one that is about to be processed, and resolves to false if it has
 * ended. `end` records that it was processed. A delivery without an end is processed again when the server retries it, or
 * with `resume`: give replies and calls keys, so that nothing happens twice.
 */
export type DeliveryStore = {
  begin(deliveryId: string, delivery: Delivery): Promise<boolean>
  end(deliveryId: string): Promise<void>
}

export type ExternalAgentOptions = {
  secret: Secret
  /** Processes a message. Your agent can reply at any time, also after this function has returned. */
  onMessage(message: UserMessage, session: AgentSession, delivery: Delivery): Promise<void> | void
  /** Processes the outcome of a call that your agent opened. */
  onSettled?(call: CallView, session: AgentSession, delivery: Delivery): Promise<void> | void
  /** Stops the work of your agent in this session. */
  onCancel?(session: AgentSession): Promise<void> | void
  /** Processes other messages, such as `handoff`. */
  onOther?(message: OtherMessage, session: AgentSession, delivery: Delivery): Promise<void> | void
  /** Without a store, deliveries that a process did not finish are lost when it ends. */
  store?: DeliveryStore
  /** After how many milliseconds a delivery is confirmed while it is processed. Default: 4000. The server waits 5000. */
  confirmAfterMs?: number
  /** Receives the work that continues after the response, for platforms that need it, such as `after` of Next.js. */
  waitUntil?(work: Promise<unknown>): void
  /** Receives errors of your functions. Default: `console.error`. */
  onError?(error: unknown, delivery: Delivery): void
}

/** Answers deliveries of Waystation servers. */
export type AgentHandler = {
  (request: Request): Promise<Response>
  /** Processes a stored delivery that was begun and not ended, after a restart. */
  resume(deliveryId: string, delivery: Delivery): Promise<void>
}

/**
 * Returns the handler of an external agent. It checks the signature, ignores deliveries that were already processed, and
 * calls your functions. If one fails before the delivery is confirmed, the response is 500, and the server can retry.
 *
 * @throws TypeError if the secret is missing or not valid
 */
export function externalAgent(options: ExternalAgentOptions): AgentHandler {
  const { secret, store, confirmAfterMs = 4_000, waitUntil, onError = logError } = options
  if (typeof secret !== 'function') readSecrets(secret)
  const running = new Map<string, Promise<void>>()
  const secretsNow = () => readSecrets(typeof secret === 'function' ? secret() : secret)

  async function work(id: string, delivery: Delivery): Promise<void> {
    try {
      await callFunction(options, delivery, sessionOf(delivery, secretsNow() || []))
      await store?.end(id)
    } catch (error) {
      running.delete(id)
      onError(error, delivery)
      throw error
    }
  }

  async function begin(id: string, delivery: Delivery): Promise<void> {
    if ((await store?.begin(id, delivery)) === false) return
    await work(id, delivery)
  }

  function start(id: string, delivery: Delivery): Promise<void> {
    const known = running.get(id)
    if (known !== undefined) return known
    const started = begin(id, delivery)
    running.set(id, started)
    for (const old of running.keys()) {
      if (running.size <= remembered) break
      running.delete(old)
    }
    return started
  }

  async function handler(request: Request): Promise<Response> {
    if (request.method !== 'POST')
      return problem(405, 'METHOD_NOT_ALLOWED', 'Send a POST request with a message.')
    const body = await readBody(request, maxBytes)
    if (body === undefined) return problem(413, 'TOO_LARGE', 'The request is larger than 4 MiB.')
    const secrets = secretsNow()
    if (secrets !== false && !(await isSigned(secrets, request.headers, body)))
      return problem(
        401,
        'UNAUTHENTICATED',
        'No secret of this agent signed the request in the last five minutes.'
      )
    const delivery = readDelivery(body)
    const id = request.headers.get('webhook-id') ?? request.headers.get('idempotency-key')
    if (delivery === undefined || id === null)
      return problem(400, 'INVALID_INPUT', 'The request is not a message of a Waystation server.')
    if (delivery.message.type === 'test') return respond(200, { ok: true })
    const outcome = start(id, delivery).then(
      () => 'done' as const,
      () => 'failed' as const
    )
    const timer = Promise.withResolvers<'running'>()
    const timeout = setTimeout(timer.resolve, confirmAfterMs, 'running')
    const first = await Promise.race([outcome, timer.promise])
    clearTimeout(timeout)
    if (first === 'failed') return problem(500, 'AGENT_FAILED', 'The agent failed to process this message.')
    if (first === 'running') waitUntil?.(outcome)
    return respond(first === 'done' ? 200 : 202, { ok: true })
  }
  return Object.assign(handler, { resume: work })
}

/** Calls the function for this kind of message. */
async function callFunction(
  { onMessage, onSettled, onCancel, onOther }: ExternalAgentOptions,
  delivery: Delivery,
  session: AgentSession
): Promise<void> {
  const { message } = delivery
  if (message.type === 'user' || message.type === 'oob')
    return onMessage(message as UserMessage, session, delivery)
  if (message.type === 'call.settled') return onSettled?.(message as unknown as CallView, session, delivery)
  if (message.type === 'cancel') return onCancel?.(session)
  return onOther?.(message as OtherMessage, session, delivery)
}

const logError = (error: unknown, { sessionId }: Delivery) =>
  console.error(`The external agent failed in the session ${sessionId}.`, error)
