import { CommitRevision, CommittedRevision, OwnConfig } from '@waystation/protocol/agent/own-config.ts'
import { commitRevisionTool } from '@waystation/protocol/call/tool-names.ts'
import { z } from 'zod'
import { agentOfCall } from '#lib/agents/agent-of-call.ts'
import type { Tool } from '#lib/tools/tool.ts'
import { commitOwnRevision } from './commit-revision.ts'
import { readOwnConfig } from './proposal.ts'

/** The tool by which an agent reads its own published configuration. */
export const readConfig: Tool<Record<string, never>, OwnConfig> = {
  name: 'read_config',
  description:
    'Read your own published configuration: instructions, tools and limits. Read it before you propose a change.',
  input: z.strictObject({}),
  output: OwnConfig,
  where: 'server',
  title: () => 'Read its own configuration',
  timeout: 10,
  repeatable: true,
  execute: async (_, { ctx, lease, call }) =>
    readOwnConfig(ctx, await agentOfCall(ctx, lease.sessionKey, call.toolCallId))
}

/**
 * The tool by which an agent proposes a change to its configuration (002-3). An approver sees the differences
 * and approves, edits or declines. If the configuration permits the tool without approval, changes that add
 * permissions still need one (`proposal.ts`).
 */
export const commitRevision: Tool<CommitRevision, CommittedRevision> = {
  name: commitRevisionTool,
  description:
    'Propose a change to your own configuration. An approver sees the differences and approves, edits or declines the change. An approved change takes effect with your next step. If the configuration has changed since you read it, you get an error: read it again and apply your change to the new version.',
  input: CommitRevision,
  output: CommittedRevision,
  where: 'server',
  title: ({ note }) => note ?? 'Change its own configuration',
  approval: 'ask',
  execute: (input, { ctx, lease, call }) => commitOwnRevision(ctx, lease, call.toolCallId, input)
}
