import { commitRevisionTool } from '@waystation/protocol/call/tool-names.ts'
import type { Opening } from '#lib/engine/calls/open.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { acknowledge } from '#lib/tools/acknowledge.ts'
import { kindOf } from '#lib/tools/resolve.ts'
import { recordGrant } from './audit-grant.ts'
import { evaluateRules, type Verdict } from './evaluate-rules.ts'
import { grantFor } from './grants.ts'
import { patternSearchFor, toolRulesOf } from './rules-of-call.ts'

/** The result that the model receives for a call that a rule denies (001-15). */
const denied = 'Tool execution denied by approval policy.'

/**
 * Applies the workspace's rules to each call before it opens (001-15). Denied calls are settled and allowed
 * ones need no approval. For the others the mode or a remembered approval decides. Decisions by a pattern or
 * a grant are written to `audit`.
 */
export async function applyRules(
  tx: Ctx,
  session: LockedSession,
  messageId: string,
  openings: readonly Opening[]
): Promise<Opening[]> {
  if (openings.every(({ failed }) => failed !== undefined)) return [...openings]
  const rules = await toolRulesOf(tx, session.workspaceId)
  const decided: Opening[] = []
  for (const opening of openings) {
    if (opening.failed !== undefined) {
      decided.push(opening)
      continue
    }
    const call = { tool: opening.toolName, parameters: opening.input }
    const evaluated = await evaluateRules(rules, call, patternSearchFor(tx))
    const verdict = evaluated.is === 'allowed' && opening.alwaysAsked ? ({ is: 'left' } as const) : evaluated
    if ('pattern' in verdict) await record(tx, session, messageId, opening, verdict)
    const decidedOpening = ruledBy(verdict, opening)
    decided.push(
      verdict.is === 'left' ? await withGrant(tx, session, messageId, decidedOpening) : decidedOpening
    )
  }
  return decided
}

/** Skips the approval of a call if a remembered approval matches it. */
async function withGrant(
  tx: Ctx,
  session: LockedSession,
  messageId: string,
  opening: Opening
): Promise<Opening> {
  const withoutApproval = skipApproval(opening)
  if (withoutApproval === opening) return opening
  const grant = await grantFor(tx, session, opening)
  if (grant === undefined) return opening
  const by = { actor: grant.grantedBy, credential: `grant ${grant.grantId}` }
  await recordGrant(tx, { ...session, ...opening, messageId }, { ...by, action: 'call.granted' })
  const scope = grant.holds === 'always' ? 'for all sessions' : 'for this session'
  return { ...withoutApproval, rememberedApproval: `Already approved by ${grant.grantedBy} ${scope}` }
}

function ruledBy(verdict: Verdict, opening: Opening): Opening {
  switch (verdict.is) {
    case 'denied':
      return { ...opening, kind: 'approval', denied }
    case 'allowed':
      return skipApproval(opening)
    case 'unsure':
      return withApproval(opening)
    case 'left':
      if (verdict.mode === 'auto') return skipApproval(opening)
      // A general mode "ask" adds no approval to questions and to acknowledgements, which change nothing.
      return verdict.mode === 'ask' && (verdict.named || !isHarmless(opening))
        ? withApproval(opening)
        : opening
  }
}

const isHarmless = ({ kind, toolName }: Opening): boolean =>
  kind === 'question' || toolName === acknowledge.name

/** Rules never change where a call runs. Config changes that add permissions, and scripts, always need approval. */
function skipApproval(opening: Opening): Opening {
  const { kind, where } = opening
  if (kind !== 'approval' || where === 'asker' || opening.alwaysAsked || widens(opening)) return opening
  return { ...opening, kind: opening.render?.kind === 'connect' ? 'connection' : kindOf(where) }
}

const widens = ({ toolName, render }: Opening): boolean =>
  toolName === commitRevisionTool && !(Array.isArray(render?.widens) && render.widens.length === 0)

/** A request for a connection already asks the user, so it needs no approval as well. */
const withApproval = (opening: Opening): Opening =>
  opening.kind === 'connection' ? opening : { ...opening, kind: 'approval' }

const record = (
  tx: Ctx,
  session: LockedSession,
  messageId: string,
  { toolCallId, toolName }: Opening,
  { is, pattern }: { is: 'denied' | 'allowed'; pattern: string }
) => tx.sql`
  insert into audit (workspace_id, session_id, action, actor, credential, message_id, tool_call_id, tool_name, pattern, at)
  values (${session.workspaceId}, ${session.sessionId}, ${`call.${is}`}, 'approval policy', 'rule', ${messageId}, ${toolCallId},
    ${toolName}, ${pattern}, clock_timestamp())`
