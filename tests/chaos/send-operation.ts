import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster, RequestOptions } from './cluster.ts'
import type { History, Operation } from './history.ts'
import type { Random } from './seeded.ts'

/** The state that all clients of a run share. */
export type Run = {
  cluster: Cluster
  history: History
  /** True while clients start new operations. */
  going(): boolean
  /** The number of operations without an outcome. */
  underWay: number
  /** The number of accepted operations. */
  accepted: number
}

/** A request of a client. The same request again is the same operation. */
export type OperationRequest = Pick<
  Operation,
  'verb' | 'session' | 'sender' | 'key' | 'mode' | 'value' | 'priority' | 'abort'
> &
  Pick<RequestOptions, 'body' | 'text' | 'headers'> & { path: string; method?: 'POST' | 'DELETE' }

/** Maximum time in milliseconds that a client waits for a response. */
const responseTimeoutMs = 3_000

/** The share of clients that do not retry if their first attempt is in doubt. Their operation stays unknown. */
const quitShare = 1 / 6

/** The share of operations that are sent to two servers at the same time. */
const duplicateShare = 1 / 8

/**
 * Sends a request until it gets a response, as a robust client does: each attempt goes to another server with the
 * same key. After a 5xx, a broken connection or a timeout, the outcome is in doubt. Writes the operation to the
 * history and resolves with it.
 */
export async function sendOperation(run: Run, random: Random, request: OperationRequest): Promise<Operation> {
  run.underWay += 1
  const operation = await retry(run, random, request).finally(() => {
    run.underWay -= 1
  })
  if (operation.outcome === 'ok') run.accepted += 1
  run.history.add(operation)
  return operation
}

async function retry({ cluster }: Run, random: Random, request: OperationRequest): Promise<Operation> {
  const { method = 'POST', path, body, text, headers, ...details } = request
  const abandons = random.chance(quitShare)
  const plugin = random.chance(duplicateShare)
  const first = random.below(cluster.webs.length)
  const operation: Operation = {
    kind: 'operation',
    ...details,
    startedAt: Date.now(),
    ended: 0,
    attempts: 0,
    outcome: 'unknown'
  }
  const sendTo = (web: number) =>
    cluster.request(method, path, { body, text, headers, web, timeoutMs: responseTimeoutMs }).then(
      ({ status, body }) => ({ status, body: body as Receipt, web: web % cluster.webs.length }),
      () => undefined
    )
  for (let inDoubt = false; ; ) {
    const next = first + operation.attempts
    const responses = await Promise.all(plugin ? [sendTo(next), sendTo(next + 1)] : [sendTo(next)])
    operation.attempts += responses.length
    const conclusive = responses.filter(response => response !== undefined && response.status < 500)
    inDoubt ||= conclusive.length < responses.length
    const accepted = conclusive.find(response => response !== undefined && response.status < 300)
    const response = accepted ?? conclusive[0]
    if (response !== undefined) {
      const { id, messageId = id, turnId, code } = response.body
      Object.assign(operation, { web: response.web }, messageId && { messageId }, turnId && { turnId })
      if (accepted !== undefined) operation.outcome = 'ok'
      // An earlier attempt can still be in progress.
      else
        Object.assign(operation, {
          outcome: inDoubt ? 'unknown' : 'failed',
          why: `${response.status} ${code}`
        })
      break
    }
    if (abandons) break
    await pause(50 + random.below(150))
  }
  return { ...operation, ended: Date.now() }
}

type Receipt = { id?: string; messageId?: string; turnId?: string | null; code?: string }
