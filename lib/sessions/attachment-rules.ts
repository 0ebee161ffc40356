import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { AttachmentLimits } from '@waystation/protocol/session/file.ts'
import { agentOfSessionIfAny } from '#lib/engine/worker/running-agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns which files can be attached to a message of this session, and what its agent's model does with them. An
 * external agent receives files of all kinds.
 */
export async function attachmentRules(
  ctx: Ctx,
  sessionKey: number,
  published: AgentConfig | undefined,
  pinned: number | null
): Promise<{ attaching?: AttachmentLimits }> {
  const config = pinned === null ? published : (await agentOfSessionIfAny(ctx, sessionKey))?.config
  if (config === undefined) return {}
  const { acceptedFiles: takenFiles, fileLimits } = ctx.ports
  return {
    attaching: {
      ...(config.type === 'chat'
        ? await takenFiles(ctx, config.chat)
        : { images: true, documents: true, all: true as const }),
      fileBytes: fileLimits.bytes,
      perMessage: fileLimits.perMessage
    }
  }
}
