import { storable } from '#db/client.ts'
import type { Opening } from '#lib/engine/calls/open.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { FinishedStep } from '#lib/engine/turn/turn.ts'
import type { CommitHost } from '#lib/engine/worker/commit-step.ts'
import { withRules } from '#lib/features/approvals/open-by-rules.ts'
import { withChanged } from '#lib/features/connections/mcp/changed-tools.ts'
import { settleConnected, withServices } from '#lib/features/connections/open-connections.ts'
import { withSubAgents } from '#lib/features/delegation/check-spawn.ts'
import { handByPlugin } from '#lib/features/delegation/hand-off-session.ts'
import { keeping, type PromptToKeep } from '#lib/features/prompts/keep-prompt.ts'
import { withReviews } from '#lib/features/self-config/proposal.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { openingOf } from '#lib/tools/opening.ts'
import type { ResolvedTools } from '#lib/tools/resolve.ts'

/** Whose step it is: the agent that speaks, with its tools, and the message that the step is shown in. */
type Speaking = { messageId: string; agentId: string; tools: ResolvedTools }

/** What the features of this server do when a step is committed. `prompt`: the one that it was given, to be kept. */
export const commitHost = (speaking: Speaking, prompt?: PromptToKeep): CommitHost => ({
  keepPrompt: (tx, head, at) => keeping(tx, head, at, prompt),
  openings: (tx, head, calls) => openingsOf(tx, head, speaking, calls),
  onOpened: settleConnected,
  handOff: handByPlugin
})

/**
 * Turns the model's calls into calls to open, in the transaction that commits the step. The session is locked.
 * The order of the features matters. The workspace's rules see a call as it would open. A changed tool definition needs an
 * approval even if a rule allows the call. `agentId` is the agent of this step.
 */
async function openingsOf(
  tx: Ctx,
  head: LockedSession,
  { messageId, agentId, tools }: Speaking,
  calls: FinishedStep['calls']
): Promise<Opening[]> {
  const speaking = { ...head, agentId }
  // A model may write any name; the log has cleaned it in the chunks already.
  const made = calls.map(call => openingOf(tools, { ...call, toolName: String(storable(call.toolName)) }))
  const connecting = await withServices(tx, made)
  const spawning = await withSubAgents(tx, speaking, connecting)
  const reviewed = await withReviews(tx, speaking, spawning)
  const ruled = await withRules(tx, head, messageId, reviewed)
  return withChanged(tx, head, tools, ruled)
}
