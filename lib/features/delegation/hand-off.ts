import { HandOffInput, HandOffResult, handOffToolOf } from '@waystation/protocol/agent/hand-off.ts'
import type { Tool } from '#lib/tools/tool.ts'
import { handOffOwnSession } from './hand-off-session.ts'

/** An agent that can receive a handoff, as the model sees it. */
export type HandOffTarget = {
  agentId: string
  displayName: string
  description?: string | null
  /** An external agent receives the reason and later messages, but not the conversation so far. */
  external: boolean
}

/**
 * Returns the tool that hands off the conversation to one agent (003-11). From the next step on, that agent
 * answers with its own tools and instructions, and sees the whole conversation. An external agent takes over when the
 * turn ends.
 */
export const handOffTool = ({
  agentId,
  displayName,
  description,
  external
}: HandOffTarget): Tool<HandOffInput, HandOffResult> => ({
  name: handOffToolOf(agentId),
  description: [
    external
      ? `Hand off this conversation to ${displayName}, which works outside of this system and replies later. It receives your reason and later messages, but not this conversation. Put everything that it must know into the reason.`
      : `Hand off this conversation to ${displayName}, who sees all of it and continues in your place.`,
    ...(description ? [`${displayName}: ${description}`] : [])
  ].join(' '),
  input: HandOffInput,
  output: HandOffResult,
  where: 'server',
  title: () => `Hand off to ${displayName}`,
  execute: ({ reason }, { ctx, lease, call }) =>
    handOffOwnSession(ctx, lease, { from: call.speakerId, to: agentId, reason })
})
