import { invalid } from '@waystation/base/api-error.ts'
import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Throws `INVALID_INPUT` if a change selects a model that no provider of the workspace offers: each message would fail.
 * A configured provider accepts any model name, because providers add models at any time. Workspace files may name a
 * provider before its key is set, and an unchanged model may stay. `before` is the published configuration, or undefined
 * for a new agent.
 */
export async function checkModel(
  ctx: Ctx,
  before: AgentConfig | undefined,
  after: AgentConfig
): Promise<void> {
  const model = modelOf(after)
  if (ctx.actor.kind === 'system' || model === 'default' || model === modelOf(before)) return
  if (await ctx.ports.knowsModel(ctx, model)) return
  throw invalid(
    `No provider of this workspace offers the model "${model}". Select another model, or ask an owner to add its provider under Settings → Models.`,
    {
      'chat.model':
        'No provider offers this model. Select another one, or add its provider under Settings → Models.'
    }
  )
}

/** An external agent has no model, and needs none. */
const modelOf = (config: AgentConfig | undefined) =>
  config?.type === 'chat' ? config.chat.model.trim() : 'default'
