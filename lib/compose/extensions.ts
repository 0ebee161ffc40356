import { invalid } from '@waystation/base/api-error.ts'
import { commitRevisionTool } from '@waystation/protocol/call/tool-names.ts'
import type { CallExtensions } from '#lib/engine/calls/extensions.ts'
import { alarmsInSnapshot } from '#lib/features/alarms/alarm-row.ts'
import { checkMayRemember, storeGrant } from '#lib/features/approvals/remember.ts'
import { checkEditedByRules } from '#lib/features/approvals/rules-of-call.ts'
import { accountOwner } from '#lib/features/connections/account-owner.ts'
import { requestForCall } from '#lib/features/connections/http/request-for-call.ts'
import { acceptTool } from '#lib/features/connections/mcp/accept-tool.ts'
import { questionOf } from '#lib/features/connections/mcp/elicitation.ts'
import { addServices, settleConnected } from '#lib/features/connections/open-connections.ts'
import { settlementByClient } from '#lib/features/connections/settle-by-client.ts'
import { subAgentsBelow, subAgentsInSnapshot } from '#lib/features/delegation/list-sub-agents.ts'
import { closeReplies } from '#lib/features/external-agents/append-reply.ts'
import { deliverSettled } from '#lib/features/external-agents/calls/deliver-settled.ts'
import type { AccountRequests } from '#lib/features/external-agents/calls/extensions.ts'
import { forwardMessage, forwardOob } from '#lib/features/external-agents/forward.ts'
import { checkExternally } from '#lib/features/external-agents/known-sessions.ts'
import { listStatuses, statusInSnapshot } from '#lib/features/external-agents/status-line.ts'
import { stopAgent } from '#lib/features/external-agents/stop-agent.ts'
import { forwardInbox, leave, takeOver } from '#lib/features/external-agents/take-over.ts'
import { capQuestion } from '#lib/features/limits/cap-question.ts'
import { grantSpending } from '#lib/features/limits/grant-spending.ts'
import { reachedCap } from '#lib/features/limits/reached-cap.ts'
import { countPendingOob } from '#lib/features/out-of-band/count-waiting.ts'
import { listHeld } from '#lib/features/out-of-band/list-held.ts'
import { checkEditedProposal } from '#lib/features/self-config/review-proposal.ts'
import { listUnread } from '#lib/features/unread/list-unread.ts'
import { attachedPage } from '#lib/features/wikis/attached-page.ts'
import type { Ports } from '#lib/kernel/ctx.ts'
import { checkCanReportFailure } from '#lib/sessions/client-tools.ts'
import type { SessionExtensions } from '#lib/sessions/extensions.ts'
import { checkEditedArguments } from './check-edited-arguments.ts'
import { toolSources, toolsWith } from './tools.ts'

/**
 * The extensions that features add to calls: remembered approvals, workspace rules, and MCP tool definitions.
 */
const callExtensions: CallExtensions = {
  checkAnswer: checkMayRemember,
  async checkEdited(tx, session, call, edited) {
    await checkEditedByRules(tx, session.workspaceId, call, edited)
    if (call.where === 'asker' && call.inputSchema === null)
      throw invalid('The agent did not permit changes of the input. Approve it as it is, or decline.')
    if (call.where !== 'server') return
    if (call.toolName === commitRevisionTool) await checkEditedProposal(tx, session, call, edited)
    else await checkEditedArguments(tx, session, call, edited)
  },
  checkFailure: checkCanReportFailure,
  questionOf,
  accountOwner,
  connectionSettlement: settlementByClient,
  onAnswered: storeGrant,
  async onSettled(tx, session, call) {
    if (call.where === 'asker') await deliverSettled(tx, session, call)
    if (call.state !== 'approved') return
    if (call.cap !== null)
      await grantSpending(tx, call.cap, { ...session, ...call, answeredBy: call.answeredBy ?? '' })
    // Allowing the use of one's own account does not accept the tool for the whole workspace.
    if (!call.accountOf?.asked) await acceptTool(tx, session, call)
  }
}

/** The extensions that features add to sessions. */
const accountRequests: AccountRequests = {
  describe: addServices,
  settleConnected,
  send: requestForCall
}

const sessionExtensions: SessionExtensions = {
  snapshot: [alarmsInSnapshot, subAgentsInSnapshot, statusInSnapshot],
  listed: [countPendingOob, subAgentsBelow, listUnread, listStatuses],
  listHeld,
  readPage: attachedPage,
  external: {
    check: checkExternally,
    closeReplies,
    forwardMessage,
    forwardOutOfBand: forwardOob,
    leave,
    stop: stopAgent,
    takeOver
  }
}

/** Returns the ports that features implement. */
export const featurePorts = (): Pick<
  Ports,
  'tools' | 'toolSources' | 'calls' | 'accountRequests' | 'forwardInbox' | 'sessions' | 'spending'
> => ({
  tools: toolsWith(),
  toolSources,
  calls: callExtensions,
  accountRequests,
  forwardInbox,
  sessions: sessionExtensions,
  spending: { reached: reachedCap, question: capQuestion }
})
