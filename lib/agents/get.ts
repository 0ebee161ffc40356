import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Agent, InAgent } from '#lib/protocol/agent.ts'
import { agentFor } from './agent-for.ts'

export const getAgent = (ctx: Ctx, { agentId }: InAgent): Promise<Agent> => agentFor(ctx, agentId)
