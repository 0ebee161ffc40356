import type { LanguageModel } from 'ai'
import type { Bus } from '#lib/bus/bus.ts'
import { claimCalls, recordCall } from '#lib/calls/claim.ts'
import type { Appender } from '#lib/events/appender.ts'
import type { Lease } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ModelProblem } from '#lib/models/model-problem.ts'
import type { AgentConfig, ChatConfig } from '#lib/protocol/agent.ts'
import type { TurnError } from '#lib/protocol/event.ts'
import type { ClientTool } from '#lib/protocol/session.ts'
import { executeTool } from '#lib/tools/execute.ts'
import { type ResolvedTools, resolveTools, toolSet } from '#lib/tools/resolve.ts'
import type { ToolContext } from '#lib/tools/tool.ts'
import type { Turn } from '#lib/turn/turn.ts'
import { beginStep } from './begin-step.ts'
import { commitStep } from './commit-step.ts'
import { Window } from './window.ts'

/** What a turn needs of the world outside: bound once, in `world.ts`. */
export type Outside = {
  /** The model an agent names. Throws a sentence for a person when it is not configured. */
  model: (config: ChatConfig) => LanguageModel
  /** US dollars of a step. */
  price: (config: ChatConfig, usage: { inputTokens: number; outputTokens: number }) => number
  describeError: (error: unknown) => ModelProblem
  describeFinish: (reason: string, raw: string | undefined) => ModelProblem | undefined
  tools: Omit<ToolContext, 'signal' | 'callId'>
}

/** The turn's ports, bound to this lease: every one that writes does it in one fenced transaction. */
export function turnOf(
  ctx: Ctx,
  bus: Bus,
  appender: Appender,
  outside: Outside,
  lease: Lease,
  signal: AbortSignal,
  turnId: string,
  agent: AgentConfig,
  clientTools: ClientTool[]
): Turn {
  const tools: ResolvedTools = resolveTools(agent.chat.tools, clientTools)
  const window = new Window()
  let messageId = ''
  return {
    turnId,
    instructions: agent.chat.instructions,
    model: outside.model(agent.chat),
    tools: toolSet(tools),
    signal,
    describeError: error => turnError(outside.describeError(error)),
    describeFinish: (reason, raw) => {
      const problem = outside.describeFinish(reason, raw)
      return problem === undefined ? undefined : turnError(problem)
    },
    async begin() {
      const begun = await beginStep(ctx, lease, agent.chat.limits)
      if (begun.kind !== 'step') return begun
      messageId = begun.messageId
      return { ...begun, ...(await window.read(ctx, lease.sessionKey)) }
    },
    async commit(step) {
      await appender.settled(lease.sessionKey)
      await commitStep(ctx, lease, messageId, step, tools, outside.price(agent.chat, step.usage))
    },
    async claim() {
      const rows = await claimCalls(ctx, lease)
      return rows.map(row => ({
        toolCallId: row.toolCallId,
        toolName: row.toolName,
        input: row.editedInput ?? row.input,
        edited: row.editedInput !== null
      }))
    },
    run: (call, until) => executeTool(tools, call, outside.tools, until),
    record: (toolCallId, result) => recordCall(ctx, lease, toolCallId, result),
    rung: until =>
      new Promise(resolve => {
        const stop = bus.onRing(key => {
          if (key === null || key === lease.sessionKey) done()
        })
        const done = () => {
          stop()
          until.removeEventListener('abort', done)
          resolve()
        }
        until.addEventListener('abort', done, { once: true })
      })
  }
}

const turnError = ({
  code,
  message,
  retryable,
  retryAfterMs
}: ModelProblem): TurnError & { retryAfterMs?: number } => ({
  code,
  message,
  retryable,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs })
})
