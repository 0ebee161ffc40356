import type { Ctx } from '#lib/kernel/ctx.ts'
import { isLoopback } from '#lib/kernel/is-loopback.ts'
import { invalid } from '#lib/kernel/refusal.ts'

/**
 * The origin of the page that opens the window, which alone is told how it ended: ours, unless it says that it is one of
 * those whose pages may use this workspace's session tokens.
 */
export async function openerOf(ctx: Ctx, said: string | undefined): Promise<string> {
  const { origin } = ctx.ports
  if (said === undefined || said === origin || isSameMachine(said, origin)) return said ?? origin
  const [row] = await ctx.sql<{ allowed: string[] }[]>`
    select allowed_origins as allowed from workspaces where id = ${ctx.workspaceId}`
  if (row?.allowed.includes(said)) return said
  throw invalid('Only pages of this server or of an allowed origin can open this window.', {
    opener: 'is not an allowed origin of this workspace'
  })
}

/** This machine has several names for itself. */
function isSameMachine(one: string, other: string): boolean {
  const [a, b] = [URL.parse(one), URL.parse(other)]
  return (
    a !== null &&
    b !== null &&
    isLoopback(a.hostname) &&
    isLoopback(b.hostname) &&
    a.port === b.port &&
    a.origin === one
  )
}
