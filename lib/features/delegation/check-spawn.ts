import { agentIfAny } from '#lib/agents/agent-for.ts'
import type { Opening } from '#lib/engine/calls/open.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { SpawnAgent } from '#lib/protocol/agent/sub-agent.ts'

/** How far below a person's own session, and how many at once: of one session, and below one at the top (001-16). */
const deepest = 3
const mostOfOne = 8
const mostBelow = 24

/**
 * Calls that would have a sub-agent at work, with its name; one too many, or for an agent that cannot do it, fails at once with
 * why. The head is locked, so those of this session are counted exactly.
 */
export async function withSubAgents(
  tx: Ctx,
  head: LockedSession,
  openings: readonly Opening[]
): Promise<Opening[]> {
  if (!openings.some(isSpawn)) return [...openings]
  const [now] = await tx.sql<{ depth: number; own: number; below: number }[]>`
    select depth, own, below from sessions s, lateral (
      select count(*) filter (where c.session_key = s.key)::int as own, count(*)::int as below
      from calls c join sessions f on f.key = c.session_key
      where c.state = 'open' and c.kind = 'agent'
        and (f.key = coalesce(s.root_key, s.key) or f.root_key = coalesce(s.root_key, s.key))
    ) open where s.key = ${head.sessionKey}`
  let { depth = 0, own = 0, below = 0 } = now ?? {}
  const judged: Opening[] = []
  for (const opening of openings) {
    if (!isSpawn(opening)) {
      judged.push(opening)
      continue
    }
    const fault =
      depth >= deepest
        ? `Sub-agents may be ${deepest} levels deep, and you are at the deepest level. Do the task yourself.`
        : own >= mostOfOne
          ? `${mostOfOne} sub-agents already work for you, which is the limit. Wait for one of them.`
          : below >= mostBelow
            ? `${mostBelow} sub-agents are already working, which is the limit. Do the task yourself, or try again later.`
            : undefined
    const named = fault === undefined ? await withAgent(tx, head, opening) : { ...opening, failed: fault }
    judged.push(named)
    if (named.failed !== undefined) continue
    own += 1
    below += 1
  }
  return judged
}

const isSpawn = ({ where, failed }: Opening): boolean => where === 'agent' && failed === undefined

/** What its widget shows: who will do it. */
async function withAgent(tx: Ctx, head: LockedSession, opening: Opening): Promise<Opening> {
  const asked = SpawnAgent.safeParse(opening.input)
  if (!asked.success) return { ...opening, failed: `The arguments are not valid: ${asked.error.message}` }
  const agentId = asked.data.agentId ?? head.agentId
  const agent = await agentIfAny({ ...tx, workspaceId: head.workspaceId }, agentId)
  const fault = whyNotSpawn(agentId, agent)
  if (fault !== undefined) return { ...opening, failed: fault }
  return { ...opening, render: { kind: 'agent', agentId, name: agent?.displayName ?? agentId } }
}

/** Why this agent cannot do a part of another one's work. */
export const whyNotSpawn = (agentId: string, agent: { type: string } | undefined): string | undefined =>
  agent === undefined
    ? `There is no agent "${agentId}" in this workspace.`
    : agent.type === 'external'
      ? `"${agentId}" is an external agent, which cannot work as a sub-agent. Choose another agent.`
      : undefined
