import { accountOfCall } from '#lib/engine/calls/account-of-call.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import { connectionOf, connectSettlement } from '#lib/engine/calls/connection-call.ts'
import type { Opening } from '#lib/engine/calls/open.ts'
import { settle } from '#lib/engine/calls/settle.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type ConnectHint, kindOfCredential, RequestConnection } from '#lib/protocol/connection/connection.ts'
import { allIntegrations, integrationIfAny, modesOf } from './integration.ts'

/** Calls that ask for an account, with what it is called; one that nobody could connect fails with what there is. */
export const withServices = (tx: Ctx, openings: readonly Opening[]): Promise<Opening[]> =>
  Promise.all(
    openings.map(opening =>
      opening.render?.kind === 'connect' && opening.failed === undefined ? withService(tx, opening) : opening
    )
  )

async function withService(tx: Ctx, opening: Opening): Promise<Opening> {
  const asked = RequestConnection.safeParse(opening.input)
  if (!asked.success) return { ...opening, failed: `The arguments are not valid: ${asked.error.message}` }
  const { integration: name, slug = name, mode } = asked.data
  const integration = await integrationIfAny(tx, name)
  if (integration === undefined) {
    const known = (await allIntegrations(tx)).map(one => one.integration).join(', ')
    return {
      ...opening,
      failed: `There is no integration "${name}". Available integrations: ${known || 'none'}.`
    }
  }
  const { service } = integration
  const modes = modesOf(integration)
  const render: ConnectHint = {
    kind: 'connect',
    integration: name,
    slug,
    service,
    modes: mode === undefined ? modes : modes.filter(one => kindOfCredential(one) === mode)
  }
  return { ...opening, render, title: `Connect ${service}` }
}

/** An account that is there already is not asked for again: the model is told at once. */
export async function settleConnected(
  tx: Ctx,
  head: LockedSession,
  calls: readonly CallRow[]
): Promise<void> {
  for (const call of calls) {
    if (call.kind !== 'connection' || call.state !== 'open') continue
    if (!(await tx.ports.isConnected(tx, { ...head, account: accountOfCall(call) }, connectionOf(call))))
      continue
    const settlement = connectSettlement(call, { connected: true })
    await settle(tx, head, call, { ...settlement, answeredBy: 'server', via: 'server' })
  }
}
