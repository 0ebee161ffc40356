import type { Call, WaystationClient } from '@waystation/client'

/** A pending call with the ID of its session. */
export type PendingCall = Call & { sessionId: string }

/**
 * Returns the pending calls, nearest deadline first: of the workspace, or of one session, which also works with a session
 * token. With `mine`, only those that the caller can answer.
 */
export async function listPending(
  client: WaystationClient,
  { session, mine = false }: { session?: string | undefined; mine?: boolean | undefined }
): Promise<PendingCall[]> {
  if (session !== undefined && !mine) {
    const { waitingFor } = (await client.session(session).get()).session
    return waitingFor.map(call => ({ ...call, sessionId: session }))
  }
  const calls: PendingCall[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Awaited<ReturnType<WaystationClient['waiting']>> = await client.waiting({
      ...(mine ? { mine: 'true' } : {}),
      ...(cursor === '' ? {} : { cursor })
    })
    calls.push(...page.calls)
    cursor = page.nextCursor
  }
  return session === undefined ? calls : calls.filter(({ sessionId }) => sessionId === session)
}
