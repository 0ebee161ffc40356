import { invalid } from '@waystation/base/api-error.ts'
import { ConnectResult } from '@waystation/protocol/connection/connection.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import { connectSettlement } from '#lib/engine/calls/connection-call.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { isConnectedFor } from './connection-of-call.ts'

/**
 * Returns the settlement for a client's answer to a connection call. If the client reports "connected", this
 * checks the stored connection for this session first (002d). Without one, the model receives `not_active`.
 */
export async function settlementByClient(
  tx: Ctx,
  session: LockedSession,
  call: CallRow,
  output: unknown
): Promise<ReturnType<typeof connectSettlement>> {
  const parsed = ConnectResult.pick({ connected: true, reason: true }).safeParse(output)
  if (!parsed.success)
    throw invalid('Send {"output": {"connected": true}}, or false with a reason. The call is still open.', {
      connected: 'must be true or false'
    })
  if (!parsed.data.connected)
    return connectSettlement(call, { connected: false, reason: parsed.data.reason ?? 'cancelled' })
  const isActive = await isConnectedFor(tx, session, call)
  return connectSettlement(call, isActive ? { connected: true } : { connected: false, reason: 'not_active' })
}
