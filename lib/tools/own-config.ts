import { z } from 'zod'
import { CommitRevision, CommittedRevision, commitRevisionTool, OwnConfig } from '#lib/protocol/own-config.ts'
import type { Tool } from './tool.ts'

/** The agent's own configuration, as it is published now. */
export const readConfig: Tool<Record<string, never>, OwnConfig> = {
  name: 'read_config',
  description:
    'Read your own configuration as it is published now: instructions, tools, limits. Read it before you propose a change of it.',
  input: z.strictObject({}),
  output: OwnConfig,
  where: 'server',
  title: () => 'Read its own configuration',
  timeout: 10,
  repeatable: true,
  execute: (_, { ownConfig }) => ownConfig.read()
}

/**
 * Proposes a change of it (002-3): somebody sees what would be different and approves, edits or declines. Where the agent's
 * configuration lets it run without that, what lets the agent do more still waits for somebody (`sessions/proposal.ts`).
 */
export const commitRevision: Tool<CommitRevision, CommittedRevision> = {
  name: commitRevisionTool,
  description:
    'Propose a change of your own configuration. A person sees what would be different and approves, edits or declines it. Approved, it holds from your next step on. If somebody changed it meanwhile you are told: read it again, and make your change to what is there now.',
  input: CommitRevision,
  output: CommittedRevision,
  where: 'server',
  title: ({ note }) => note ?? 'Change its own configuration',
  approval: 'ask',
  execute: (input, { ownConfig }) => ownConfig.commit(input)
}
