import { HandedOff, HandOffInput, handOffToolOf } from '#lib/protocol/agent/hand-off.ts'
import type { Tool } from '#lib/tools/tool.ts'
import { handOwnSession } from './hand-off-session.ts'

/** An agent that another one may hand to, as the model is told of it. */
export type HandOffTarget = { agentId: string; displayName: string; description?: string | undefined }

/**
 * The tool by which a conversation is handed to one agent (003-11): from the next step on that one speaks, with its own tools
 * and instructions, and sees what was said.
 */
export const handOffTool = ({
  agentId,
  displayName,
  description
}: HandOffTarget): Tool<HandOffInput, HandedOff> => ({
  name: handOffToolOf(agentId),
  description: [
    `Hand off this conversation to ${displayName}, who sees all of it and continues in your place.`,
    ...(description === undefined ? [] : [`${displayName}: ${description}`])
  ].join(' '),
  input: HandOffInput,
  output: HandedOff,
  where: 'server',
  title: () => `Hand off to ${displayName}`,
  execute: ({ reason }, { ctx, lease, call }) =>
    handOwnSession(ctx, lease, { from: call.speakerId, to: agentId, reason })
})
