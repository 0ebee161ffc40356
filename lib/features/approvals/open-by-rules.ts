import type { Opening } from '#lib/engine/calls/open.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { commitRevisionTool } from '#lib/protocol/agent/own-config.ts'
import { acknowledge } from '#lib/tools/acknowledge.ts'
import { kindOf } from '#lib/tools/resolve.ts'
import { recordGrant } from './audit-grant.ts'
import { evaluateRules, type Verdict } from './evaluate-rules.ts'
import { grantFor } from './grants.ts'
import { findFor, toolRulesOf } from './rules-of-call.ts'

/** What the model is told of a call that a rule denies (001-15). */
const denied = 'Tool execution denied by approval policy.'

/**
 * Calls as the workspace's rules have them opened, each judged by itself (001-15): denied ones settled, allowed ones without
 * an approval, the others as their mode says, unless an approval that was remembered spares somebody from being asked. What a
 * pattern or a grant decided is on record (`audit`).
 */
export async function withRules(
  tx: Ctx,
  head: LockedSession,
  messageId: string,
  openings: readonly Opening[]
): Promise<Opening[]> {
  if (openings.every(({ failed }) => failed !== undefined)) return [...openings]
  const rules = await toolRulesOf(tx, head.workspaceId)
  const ruled: Opening[] = []
  for (const opening of openings) {
    if (opening.failed !== undefined) {
      ruled.push(opening)
      continue
    }
    const call = { tool: opening.toolName, parameters: opening.input }
    const found = await evaluateRules(rules, call, findFor(tx))
    const verdict = found.is === 'allowed' && opening.alwaysAsked ? ({ is: 'left' } as const) : found
    if ('pattern' in verdict) await record(tx, head, messageId, opening, verdict)
    const judged = ruledBy(verdict, opening)
    ruled.push(verdict.is === 'left' ? await withGrant(tx, head, messageId, judged) : judged)
  }
  return ruled
}

/** A call that a person would be asked about, and somebody has said before that nobody need be. */
async function withGrant(
  tx: Ctx,
  head: LockedSession,
  messageId: string,
  opening: Opening
): Promise<Opening> {
  const free = unasked(opening)
  if (free === opening) return opening
  const grant = await grantFor(tx, head, opening)
  if (grant === undefined) return opening
  const by = { actor: grant.grantedBy, credential: `grant ${grant.grantId}` }
  await recordGrant(tx, { ...head, ...opening, messageId }, { ...by, action: 'call.granted' })
  const held = grant.holds === 'always' ? 'for all sessions' : 'for this session'
  return { ...free, granted: `Already approved by ${grant.grantedBy} ${held}` }
}

function ruledBy(verdict: Verdict, opening: Opening): Opening {
  switch (verdict.is) {
    case 'denied':
      return { ...opening, kind: 'approval', denied }
    case 'allowed':
      return unasked(opening)
    case 'unsure':
      return asked(opening)
    case 'left':
      if (verdict.mode === 'auto') return unasked(opening)
      // What every call is to be asked about does not make a question of a question, nor of what an agent only notes.
      return verdict.mode === 'ask' && (verdict.named || !isHarmless(opening)) ? asked(opening) : opening
  }
}

const isHarmless = ({ kind, toolName }: Opening): boolean =>
  kind === 'question' || toolName === acknowledge.name

/** Whoever fulfils it stays the same. What lets an agent do more, or is a script, is approved by somebody, whatever a rule says. */
function unasked(opening: Opening): Opening {
  if (opening.kind !== 'approval' || opening.alwaysAsked || widens(opening)) return opening
  return { ...opening, kind: opening.render?.kind === 'connect' ? 'connection' : kindOf(opening.where) }
}

const widens = ({ toolName, render }: Opening): boolean =>
  toolName === commitRevisionTool && !(Array.isArray(render?.widens) && render.widens.length === 0)

/** To ask for a connection is itself a question to the person. */
const asked = (opening: Opening): Opening =>
  opening.kind === 'connection' ? opening : { ...opening, kind: 'approval' }

const record = (
  tx: Ctx,
  head: LockedSession,
  messageId: string,
  { toolCallId, toolName }: Opening,
  { is, pattern }: { is: 'denied' | 'allowed'; pattern: string }
) => tx.sql`
  insert into audit (workspace_id, session_id, action, actor, credential, message_id, tool_call_id, tool_name, pattern, at)
  values (${head.workspaceId}, ${head.sessionId}, ${`call.${is}`}, 'approval policy', 'rule', ${messageId}, ${toolCallId},
    ${toolName}, ${pattern}, clock_timestamp())`
