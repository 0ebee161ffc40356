import { storable } from '#db/client.ts'
import type { Opening } from '#lib/engine/calls/open.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { FinishedStep } from '#lib/engine/turn/turn.ts'
import type { CommitHost } from '#lib/engine/worker/commit-step.ts'
import { applyRules } from '#lib/features/approvals/open-by-rules.ts'
import { reviewChangedTools } from '#lib/features/connections/mcp/changed-tools.ts'
import { addServices, settleConnected } from '#lib/features/connections/open-connections.ts'
import { checkSpawns } from '#lib/features/delegation/check-spawn.ts'
import { handOffByPlugin } from '#lib/features/delegation/hand-off-session.ts'
import { type PromptRow, storePromptSql } from '#lib/features/prompts/store-prompt.ts'
import { addReviews } from '#lib/features/self-config/proposal.ts'
import { reviewEdits } from '#lib/features/wikis/review-edits.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { toOpening } from '#lib/tools/opening.ts'
import type { ResolvedTools } from '#lib/tools/resolved-tool.ts'

/** The speaking agent of the step, its tools, and the message that shows the step. */
type Speaker = { messageId: string; agentId: string; tools: ResolvedTools }

/** Returns what features do when a step is committed. `prompt` is the prompt of the step, to be stored. */
export const commitHost = (
  speaker: Speaker,
  onCommitted: CommitHost['onCommitted'] = () => undefined,
  prompt?: PromptRow
): CommitHost => ({
  keepPrompt: (tx, session, at) => storePromptSql(tx, session, at, prompt),
  openings: (tx, session, calls) => openingsOf(tx, session, speaker, calls),
  onOpened: async (tx, session, calls) => void (await settleConnected(tx, session, calls)),
  handOff: handOffByPlugin,
  onCommitted
})

/**
 * Converts the model's calls to calls to open, in the transaction that commits the step. The session is locked.
 * The order of the features matters: the workspace's rules see a call as it would open, and a changed tool
 * definition needs an approval even if a rule allows the call. `agentId` is the agent of this step.
 */
async function openingsOf(
  tx: Ctx,
  session: LockedSession,
  { messageId, agentId, tools }: Speaker,
  calls: FinishedStep['calls']
): Promise<Opening[]> {
  const sessionOfSpeaker = { ...session, agentId }
  // A model can write any name. In the log, the name was already cleaned with the chunks.
  const openings = calls.map(call => toOpening(tools, { ...call, toolName: String(storable(call.toolName)) }))
  const withConnections = await addServices(tx, openings)
  const withSpawns = await checkSpawns(tx, sessionOfSpeaker, withConnections)
  const withApprovals = await addReviews(tx, sessionOfSpeaker, withSpawns)
  const afterRules = await applyRules(tx, session, messageId, withApprovals)
  const withReviews = await reviewEdits(tx, tools, afterRules)
  return reviewChangedTools(tx, session, tools, withReviews)
}
