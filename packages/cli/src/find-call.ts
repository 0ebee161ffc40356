import type { Call, WaystationClient } from '@waystation/client'
import { Fault, UsageError } from './fault.ts'
import { listPending } from './list-pending.ts'

/** A call with the ID of its session. */
type Found = { sessionId: string; call: Call }

/**
 * Finds a call by its ID: in one session, where it can also be settled, or among all pending calls. Throws a `Fault` if
 * there is none, and a `UsageError` if calls of several sessions have this ID.
 */
export async function findCall(
  client: WaystationClient,
  toolCallId: string,
  sessionId: string | undefined
): Promise<Found> {
  const found = await (sessionId === undefined
    ? amongPending(client, toolCallId)
    : inSession(client, toolCallId, sessionId))
  const [first, second] = found
  if (first === undefined)
    throw new Fault(
      'NOT_FOUND',
      `There is no pending call ${toolCallId}. List the calls with "waystation pending".`
    )
  if (second !== undefined)
    throw new UsageError('Pending calls of several sessions have this ID. Set --session to one of them.')
  return first
}

async function amongPending(client: WaystationClient, toolCallId: string): Promise<Found[]> {
  const calls = await listPending(client, {})
  return calls.flatMap(call => (call.toolCallId === toolCallId ? [{ sessionId: call.sessionId, call }] : []))
}

async function inSession(client: WaystationClient, toolCallId: string, sessionId: string): Promise<Found[]> {
  const { session, calls } = await client.session(sessionId).get()
  const call = [...session.waitingFor, ...calls].find(call => call.toolCallId === toolCallId)
  return call === undefined ? [] : [{ sessionId, call }]
}
