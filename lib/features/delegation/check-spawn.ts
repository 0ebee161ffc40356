import { SpawnAgent } from '@waystation/protocol/agent/sub-agent.ts'
import { problemText } from '@waystation/protocol/field-errors.ts'
import { agentIfAny } from '#lib/agents/agent-for.ts'
import type { Opening } from '#lib/engine/calls/open.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { subAgentSessionId } from './sub-agent-session-id.ts'

/**
 * Limits of sub-agents (001-16): levels below a root session, open at once per session, and open at once
 * below one root session.
 */
const maxDepth = 3
const maxPerSession = 8
const maxPerRoot = 24

/**
 * Checks the calls that would start sub-agents and adds the agent's name. A call over a limit, or for an
 * agent that cannot be a sub-agent, fails at once. The caller holds the session's lock, so this session's
 * count is exact.
 */
export async function checkSpawns(
  tx: Ctx,
  session: LockedSession,
  openings: readonly Opening[]
): Promise<Opening[]> {
  if (!openings.some(isSpawn)) return [...openings]
  const [counts] = await tx.sql<{ depth: number; own: number; below: number }[]>`
    select depth, own, below from sessions s, lateral (
      select count(*) filter (where c.session_key = s.key)::int as own, count(*)::int as below
      from calls c join sessions f on f.key = c.session_key
      where c.state = 'open' and c.kind = 'agent'
        and (f.key = coalesce(s.root_key, s.key) or f.root_key = coalesce(s.root_key, s.key))
    ) open where s.key = ${session.sessionKey}`
  let { depth = 0, own = 0, below = 0 } = counts ?? {}
  const checked: Opening[] = []
  for (const opening of openings) {
    if (!isSpawn(opening)) {
      checked.push(opening)
      continue
    }
    const problem =
      depth >= maxDepth
        ? `Sub-agents may be ${maxDepth} levels deep, and you are at the deepest level. Do the task yourself.`
        : own >= maxPerSession
          ? `${maxPerSession} sub-agents already work for you, which is the limit. Wait for one of them.`
          : below >= maxPerRoot
            ? `${maxPerRoot} sub-agents are already working, which is the limit. Do the task yourself, or try again later.`
            : undefined
    const prepared =
      problem === undefined ? await withAgent(tx, session, opening) : { ...opening, failed: problem }
    checked.push(prepared)
    if (prepared.failed !== undefined) continue
    own += 1
    below += 1
  }
  return checked
}

const isSpawn = ({ where, failed }: Opening): boolean => where === 'agent' && failed === undefined

/** Adds the agent's name, which the call's card shows, and the ID of its session. */
async function withAgent(tx: Ctx, session: LockedSession, opening: Opening): Promise<Opening> {
  const parsed = SpawnAgent.safeParse(opening.input)
  if (!parsed.success)
    return { ...opening, failed: `The arguments are not valid: ${problemText(parsed.error)}` }
  const agentId = parsed.data.agentId ?? session.agentId
  const agent = await agentIfAny({ ...tx, workspaceId: session.workspaceId }, agentId)
  const problem = spawnDenialReason(agentId, agent)
  if (problem !== undefined) return { ...opening, failed: problem }
  const sessionId = subAgentSessionId({ ...session, toolCallId: opening.toolCallId })
  return { ...opening, render: { kind: 'agent', agentId, name: agent?.displayName ?? agentId, sessionId } }
}

/** Returns why this agent cannot be a sub-agent, or undefined if it can. Chat and external agents can. */
export const spawnDenialReason = (agentId: string, agent: object | undefined): string | undefined =>
  agent === undefined ? `There is no agent "${agentId}" in this workspace.` : undefined
