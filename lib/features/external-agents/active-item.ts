import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { digestOf } from '#lib/kernel/digest.ts'
import type { ExternalConfig } from '#lib/protocol/agent/agent.ts'
import type { ActiveItem } from '#lib/protocol/external-agent/active-item.ts'

/** What stands in a delivery for an item that was sent along. */
type Sent = { activeArtifact: Record<string, unknown>; activeArtifactContent?: unknown }

/**
 * An item that a person sends along to an external agent (000-21): what it is, with a digest of its content, and the content
 * itself, without what the agent's config keeps back. Under `onChange` the content is left out when the agent has it: the
 * last item that was delivered to it in this session was the same one with the same digest. The head is locked.
 */
export async function activeItemFor(
  ctx: Ctx,
  { sessionKey }: LockedSession,
  { content, ...item }: ActiveItem,
  { activeItem = 'onChange', redact = [] }: ExternalConfig
): Promise<Sent> {
  const shown = redacted(content, new Set(redact.map(name => name.toLowerCase())))
  const activeArtifact = { ...item, digest: digestOf(shown) }
  const [last] = await ctx.sql<{ id: string; digest: string }[]>`
    select body -> 'activeArtifact' ->> 'id' as id, body -> 'activeArtifact' ->> 'digest' as digest from deliveries
    where session_key = ${sessionKey} and kind = 'message' and state = 'delivered' and body ? 'activeArtifact'
    order by created_at desc limit 1`
  const hasIt = last?.id === item.id && last.digest === activeArtifact.digest
  return activeItem === 'onChange' && hasIt
    ? { activeArtifact }
    : { activeArtifact, activeArtifactContent: shown }
}

/** A copy in which the values of these fields are replaced, at any depth. */
function redacted(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map(item => redacted(item, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      names.has(name.toLowerCase()) ? '[redacted]' : redacted(field, names)
    ])
  )
}
