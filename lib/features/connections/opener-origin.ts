import { invalid } from '@waystation/base/api-error.ts'
import { isLoopback } from '@waystation/base/is-loopback.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns the origin of the page that opens the connection window. Only that page receives the outcome. It is
 * this server's origin, or one of the workspace's allowed origins for session tokens. Throws `INVALID_INPUT`
 * for any other.
 */
export async function openerOriginOf(ctx: Ctx, requested: string | undefined): Promise<string> {
  const { origin } = ctx.ports
  if (requested === undefined || requested === origin || isSameMachine(requested, origin))
    return requested ?? origin
  const [row] = await ctx.sql<{ allowed: string[] }[]>`
    select allowed_origins as allowed from workspaces where id = ${ctx.workspaceId}`
  if (row?.allowed.includes(requested)) return requested
  throw invalid('Only pages of this server or of an allowed origin can open this window.', {
    opener: 'is not an allowed origin of this workspace'
  })
}

/** Returns whether both are loopback addresses with the same port, because a machine has several names for itself. */
function isSameMachine(first: string, second: string): boolean {
  const [a, b] = [URL.parse(first), URL.parse(second)]
  return (
    a !== null &&
    b !== null &&
    isLoopback(a.hostname) &&
    isLoopback(b.hostname) &&
    a.port === b.port &&
    a.origin === first
  )
}
