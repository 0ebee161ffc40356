import type { ConnectHint } from '@waystation/protocol/connection/connect-hint.ts'
import { kindOfCredential, RequestConnection } from '@waystation/protocol/connection/connection.ts'
import { problemText } from '@waystation/protocol/field-errors.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import { connectSettlement } from '#lib/engine/calls/connection-call.ts'
import type { Opening } from '#lib/engine/calls/open.ts'
import { settle } from '#lib/engine/calls/settle.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { isConnectedFor } from './connection-of-call.ts'
import { allIntegrations, integrationIfAny, modesOf } from './integration.ts'

/**
 * Adds the service's name to calls that request a connection. A call for an unknown integration fails with a
 * list of those available.
 */
export const addServices = (tx: Ctx, openings: readonly Opening[]): Promise<Opening[]> =>
  Promise.all(
    openings.map(opening =>
      opening.render?.kind === 'connect' && opening.failed === undefined ? withService(tx, opening) : opening
    )
  )

async function withService(tx: Ctx, opening: Opening): Promise<Opening> {
  const parsed = RequestConnection.safeParse(opening.input)
  if (!parsed.success)
    return { ...opening, failed: `The arguments are not valid: ${problemText(parsed.error)}` }
  const { integration: name, slug = name, mode } = parsed.data
  const integration = await integrationIfAny(tx, name)
  if (integration === undefined) {
    const available = (await allIntegrations(tx)).map(candidate => candidate.integration).join(', ')
    return {
      ...opening,
      failed: `There is no integration "${name}". Available integrations: ${available || 'none'}.`
    }
  }
  const { service } = integration
  const modes = modesOf(integration)
  const render: ConnectHint = {
    kind: 'connect',
    integration: name,
    slug,
    service,
    modes: mode === undefined ? modes : modes.filter(candidate => kindOfCredential(candidate) === mode)
  }
  return { ...opening, render, title: `Connect ${service}` }
}

/**
 * Settles requests for accounts that are already connected, so that no user is asked again. Returns true if
 * there was one.
 */
export async function settleConnected(
  tx: Ctx,
  session: LockedSession,
  calls: readonly CallRow[]
): Promise<boolean> {
  let isAny = false
  for (const call of calls) {
    if (call.kind !== 'connection' || call.state !== 'open') continue
    if (!(await isConnectedFor(tx, session, call))) continue
    isAny = true
    const settlement = connectSettlement(call, { connected: true })
    await settle(tx, session, call, { ...settlement, answeredBy: 'server', via: 'server' })
  }
  return isAny
}
