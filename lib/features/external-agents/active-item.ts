import { digestOf } from '@waystation/base/digest.ts'
import type { ExternalAgent } from '@waystation/protocol/agent/agent.ts'
import type { ActiveItem } from '@waystation/protocol/external-agent/active-item.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** The fields of a delivery that describe the attached item. */
type ItemFields = { activeArtifact: Record<string, unknown>; activeArtifactContent?: unknown }

/**
 * Returns the item that a user attaches for an external agent (000-21): its description with a digest, and
 * its content. Fields that the agent's config redacts are replaced. Under `onChange` the content is omitted
 * if the agent already has it: the last item delivered in this session has the same ID and digest. The caller
 * holds the session's lock.
 */
export async function activeItemFor(
  ctx: Ctx,
  { sessionKey }: LockedSession,
  { content, ...item }: ActiveItem,
  { agentId, external: { activeItem = 'onChange', redact = [] } }: ExternalAgent
): Promise<ItemFields> {
  const shown = redacted(content, new Set(redact.map(name => name.toLowerCase())))
  const activeArtifact = { ...item, digest: digestOf(shown) }
  const [last] = await ctx.sql<{ id: string; digest: string }[]>`
    select body -> 'activeArtifact' ->> 'id' as id, body -> 'activeArtifact' ->> 'digest' as digest from deliveries
    where session_key = ${sessionKey} and kind = 'message' and state = 'delivered' and body ? 'activeArtifact'
      and body ->> 'agentId' = ${agentId}
    order by created_at desc limit 1`
  const hasIt = last?.id === item.id && last.digest === activeArtifact.digest
  return activeItem === 'onChange' && hasIt
    ? { activeArtifact }
    : { activeArtifact, activeArtifactContent: shown }
}

/** Copies a value and replaces the values of these fields at any depth. */
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
