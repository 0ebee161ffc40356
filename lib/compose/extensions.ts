import type { CallExtensions } from '#lib/engine/calls/extensions.ts'
import { alarmsInSnapshot } from '#lib/features/alarms/alarm-row.ts'
import { checkMayRemember, remember } from '#lib/features/approvals/remember.ts'
import { checkEdited } from '#lib/features/approvals/rules-of-call.ts'
import { acceptTool } from '#lib/features/connections/mcp/accept-tool.ts'
import { subAgentsBelow, subAgentsInSnapshot } from '#lib/features/delegation/list-sub-agents.ts'
import { closeReplies } from '#lib/features/external-agents/append-reply.ts'
import { forwardMessage, forwardOob } from '#lib/features/external-agents/forward.ts'
import { countWaitingOob } from '#lib/features/out-of-band/count-waiting.ts'
import { pageSentAlong } from '#lib/features/wikis/page-sent-along.ts'
import type { Ports } from '#lib/kernel/ctx.ts'
import type { SessionExtensions } from '#lib/sessions/extensions.ts'
import { toolSources, toolsWith } from './tools.ts'

/** What features add to calls: remembered approvals, the rules of the workspace, definitions of MCP tools. */
const callExtensions: CallExtensions = {
  checkAnswer: checkMayRemember,
  checkEdited,
  onAnswered: remember,
  async onSettled(tx, head, call) {
    if (call.state === 'approved' && !call.accountOf?.asked) await acceptTool(tx, head, call)
  }
}

/** What features add to sessions. */
const sessionExtensions: SessionExtensions = {
  snapshot: [alarmsInSnapshot, subAgentsInSnapshot],
  listed: [countWaitingOob, subAgentsBelow],
  readPage: pageSentAlong,
  external: { closeReplies, forwardMessage, forwardOutOfBand: forwardOob }
}

/** What features bring to the ports of this process. `samples`: the tools of the sample services. */
export const featurePorts = (
  samples?: readonly object[]
): Pick<Ports, 'tools' | 'toolSources' | 'calls' | 'sessions'> => ({
  tools: toolsWith(samples),
  toolSources,
  calls: callExtensions,
  sessions: sessionExtensions
})
