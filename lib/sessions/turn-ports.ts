import { claimCalls, recordCall } from '#lib/calls/claim.ts'
import { withFields } from '#lib/kernel/log.ts'
import { observer, type WatchedTurn } from '#lib/kernel/observer.ts'
import { countTokens } from '#lib/models/count-tokens.ts'
import type { ModelProblem } from '#lib/models/model-problem.ts'
import type { ChatAgent } from '#lib/protocol/agent.ts'
import type { TurnError } from '#lib/protocol/event.ts'
import type { ClientTool } from '#lib/protocol/session.ts'
import { executeTool } from '#lib/tools/execute.ts'
import { type ResolvedTools, resolveTools, toolSet } from '#lib/tools/resolve.ts'
import type { Turn } from '#lib/turn/turn.ts'
import { beginStep } from './begin-step.ts'
import { commitStep } from './commit-step.ts'
import type { Desk } from './desk.ts'

/** The turn's ports, bound to this lease: every one that writes does it in one fenced transaction. */
export function turnOf(
  desk: Desk,
  turnId: string,
  agent: ChatAgent,
  clientTools: ClientTool[],
  watched: WatchedTurn
): Turn {
  const { ctx, bus, appender, windows, outside, lease, reins } = desk
  const tools: ResolvedTools = resolveTools(agent.chat.tools, clientTools, agent.chat.answer)
  let messageId = ''
  let over = false
  return {
    turnId,
    instructions: agent.chat.instructions,
    // Asked for by the step, so that a model that is not configured fails the step and not what is before it.
    get model() {
      return outside.model(agent.chat)
    },
    tools: toolSet(tools),
    signal: reins.stop.signal,
    describeError: error => turnError(outside.describeError(error)),
    describeFinish: (reason, raw) => {
      const problem = outside.describeFinish(reason, raw)
      return problem === undefined ? undefined : turnError(problem)
    },
    ask: ask => watched.ask(() => ask(observer().telemetry)),
    async begin() {
      if (over) return { kind: 'done' }
      const begun = await beginStep(ctx, lease, agent.chat.limits)
      if (begun.kind !== 'step') return begun
      messageId = begun.messageId
      watched.stepBegun(begun.answered)
      return { ...begun, ...(await windows.read(ctx, lease.sessionKey)) }
    },
    async commit(step) {
      await appender.settled(lease.sessionKey)
      const committed = await commitStep(
        ctx,
        lease,
        messageId,
        step,
        tools,
        outside.price(agent.chat, step.usage)
      )
      over = committed.over
      watched.stepCommitted({ ...step.usage, calls: step.calls.length })
    },
    async claim() {
      const rows = await claimCalls(ctx, lease)
      for (const { toolCallId } of rows) reins.tools.add(toolCallId)
      return rows.map(row => ({
        toolCallId: row.toolCallId,
        toolName: row.toolName,
        input: row.editedInput ?? row.input,
        edited: row.editedInput !== null
      }))
    },
    run: (call, until) =>
      withFields({ toolCallId: call.toolCallId }, () =>
        watched.tool(call, () => executeTool(tools, call, outside.tools, until))
      ),
    async record(toolCallId, result) {
      await recordCall(ctx, lease, toolCallId, result, countTokens(JSON.stringify(result)))
      reins.tools.delete(toolCallId)
    },
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
