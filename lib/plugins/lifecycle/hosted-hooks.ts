import { isDeepStrictEqual } from 'node:util'
import { digestOf } from '@waystation/base/digest.ts'
import { log } from '@waystation/base/log.ts'
import type {
  CallOrigin,
  HostedPlugin,
  LifecycleEvent,
  LifecycleType
} from '@waystation/plugin-host/contract.ts'
import { PluginError, type PluginErrorReason } from '@waystation/plugin-host/plugin-error.ts'
import type { CallResult } from '@waystation/protocol/call/call.ts'
import type { HookedCall, PromptTool, Run, Stepping, Watching } from '#lib/kernel/ports/hooks.ts'
import type { HookContext, Hooks, Plugin } from '#lib/plugins/plugin.ts'
import { checkLifecycle, type LifecyclePayload, parseJson } from './payloads.ts'
import { fromPluginPrompt, toPluginPrompt } from './prompt.ts'
import { sendInOrder } from './send-in-order.ts'

/** The events that each hook point sends (003-15). */
const eventsByPoint = {
  beforeTurn: ['TURN_END', 'AGENT_END', 'AGENT_START'],
  beforeRound: ['TURN_END', 'TURN_START'],
  beforeModel: ['LLM_REQUEST'],
  afterModel: ['LLM_RESPONSE'],
  beforeTool: ['TOOL_CALL'],
  beforeHandOff: ['HANDOFF'],
  afterTool: ['TOOL_RESULT'],
  onTurn: ['TURN_END', 'AGENT_END']
} satisfies Partial<Record<Stepping | Watching, LifecycleType[]>>

/** Errors of a plugin that is reachable but returned no usable answer. It is asked again in the same step. */
const reachable = new Set<PluginErrorReason>(['invalid', 'refused', 'unauthorized', 'busy', 'failed'])

/** The result of an event. Undefined: continue unchanged. */
type Result<Type extends LifecycleType> = { changed: LifecyclePayload<Type> } | { cancel: string } | undefined

/**
 * Wraps a gRPC plugin as an in-process plugin (003-15, 003-16). CONTINUE returns nothing, MODIFY a change, and
 * CANCEL cancels what is about to happen. A "turn" of the gRPC contract is one step, and ends when all its
 * calls have a result. An agent's run can include several parked turns. A plugin that is unreachable or late is
 * not asked again in the same step, unless it is fail-closed.
 */
export const hostedHooks = (plugin: HostedPlugin): Plugin => ({
  name: plugin.name,
  hooks: () => hooksOf(plugin)
})

function hooksOf(plugin: HostedPlugin): Hooks {
  const subscribes = (type: LifecycleType) => plugin.events.includes(type)
  let unreachable = false

  async function ask<Type extends LifecycleType>(
    type: Type,
    payload: LifecyclePayload<Type>,
    ctx: HookContext,
    callId?: string
  ): Promise<Result<Type>> {
    if (!subscribes(type) || (unreachable && !plugin.failClosed)) return undefined
    const { agentId, turnId, signal } = ctx
    const event = { type, agentName: agentId, payload }
    const call = { ...originOf(event, ctx, callId), signal }
    const answer = await sendInOrder(plugin, turnId, event, call).catch(error => {
      unreachable = !(error instanceof PluginError) || !reachable.has(error.reason)
      throw error
    })
    if (answer.action === 'cancel') return { cancel: `It returned CANCEL for ${type}.` }
    return answer.action === 'modify' ? { changed: checkLifecycle(type, answer.payload) } : undefined
  }

  /** Sends an event without waiting for the answer, which has no effect. Used for stopped turns too. */
  function notify<Type extends 'TURN_END' | 'AGENT_END'>(
    type: Type,
    payload: LifecyclePayload<Type>,
    ctx: HookContext
  ): void {
    if (!subscribes(type)) return
    const event = { type, agentName: payload.agent_name, payload }
    sendInOrder(plugin, ctx.turnId, event, originOf(event, ctx)).catch(error =>
      log('warn', 'could not send an event to a plugin', {
        plugin: plugin.name,
        type,
        because: error.message
      })
    )
  }

  const hooks: Hooks = {
    async beforeTurn({ input }, ctx) {
      const { resumed, left } = ctx.run
      if (left !== undefined) notifyEnd(left, ctx)
      if (resumed) return undefined
      const result = await ask('AGENT_START', { agent_name: ctx.agentId, input }, ctx)
      if (result === undefined || 'cancel' in result) return result
      checkSame('AGENT_START', 'agent_name', ctx.agentId, result.changed.agent_name)
      // Without a user message there is no input to change.
      if (input === '') checkSame('AGENT_START', 'input', input, result.changed.input)
      return result.changed.input === input ? undefined : { change: { input: result.changed.input } }
    },
    async beforeRound({ lastAgentId }, ctx) {
      const { rounds } = ctx.run
      if (rounds > 1)
        notify('TURN_END', { agent_name: lastAgentId ?? ctx.agentId, turn_number: rounds - 1 }, ctx)
      const result = await ask('TURN_START', { agent_name: ctx.agentId, turn_number: rounds }, ctx)
      if (result === undefined || 'cancel' in result) return result
      checkSame('TURN_START', 'turn_number', rounds, result.changed.turn_number)
      return undefined
    },
    async beforeModel(prompt, ctx) {
      const messages = toPluginPrompt(prompt)
      const tools = prompt.tools.map(toWireTool)
      const result = await ask('LLM_REQUEST', { model: prompt.model, messages, tools }, ctx)
      if (result === undefined || 'cancel' in result) return result
      const { changed } = result
      const unknown = changed.tools.find(({ name }) => !tools.some(tool => tool.name === name))
      if (unknown !== undefined)
        throw new Error(`Its LLM_REQUEST has the tool "${unknown.name}", which the agent does not have.`)
      const changes = isDeepStrictEqual(messages, changed.messages)
        ? prompt
        : { ...prompt, ...fromPluginPrompt(prompt, changed.messages) }
      return { change: { ...changes, model: changed.model, tools: changed.tools.map(fromWireTool) } }
    },
    async afterModel(response, ctx) {
      const { text, calls, finishReason } = response
      const payload = { content: text, tool_calls: calls.map(toWireCall), finish_reason: finishReason }
      const result = await ask('LLM_RESPONSE', payload, ctx)
      if (result === undefined || 'cancel' in result) return result
      const { content, tool_calls: newCalls } = result.changed
      return { change: { ...response, text: content, calls: newCalls.map(fromWireCall) } }
    },
    async beforeTool(call, ctx) {
      const { toolName } = call
      const json = JSON.stringify(call.input ?? {})
      const result = await ask(
        'TOOL_CALL',
        { tool_name: toolName, arguments_json: json },
        ctx,
        call.toolCallId
      )
      if (result === undefined || 'cancel' in result) return result
      const { tool_name: newName, arguments_json } = result.changed
      const input = parseJson(arguments_json, 'The “arguments_json” in its TOOL_CALL')
      return { change: { ...call, toolName: newName, input } }
    },
    async afterTool(finishedCall, ctx) {
      const { toolName, result } = finishedCall
      const payload = { tool_name: toolName, ...toWireResult(result) }
      const answer = await ask('TOOL_RESULT', payload, ctx, finishedCall.toolCallId)
      if (answer === undefined || 'cancel' in answer) return answer
      checkSame('TOOL_RESULT', 'tool_name', toolName, answer.changed.tool_name)
      return { change: { ...finishedCall, result: fromWireResult(answer.changed) } }
    },
    async beforeHandOff(handOff, ctx) {
      const { to, reason } = handOff
      const payload = { from_agent: ctx.agentId, to_agent: to, context: reason }
      const result = await ask('HANDOFF', payload, ctx)
      if (result === undefined || 'cancel' in result) return result
      checkSame('HANDOFF', 'from_agent', ctx.agentId, result.changed.from_agent)
      return { change: { ...handOff, to: result.changed.to_agent, reason: result.changed.context } }
    },
    onTurn({ outcome, input }, ctx) {
      if (outcome === 'parked') return
      const { run } = ctx
      notifyEnd({ input: run.resumed ? run.input : input, rounds: run.rounds, agentId: ctx.agentId }, ctx)
    }
  }

  function notifyEnd({ input, rounds, agentId }: NonNullable<Run['left']>, ctx: HookContext): void {
    if (rounds > 0) notify('TURN_END', { agent_name: agentId, turn_number: rounds }, ctx)
    notify('AGENT_END', { agent_name: agentId, input }, ctx)
  }

  const subscribed = Object.entries(hooks).filter(([point]) =>
    eventsByPoint[point as keyof typeof eventsByPoint].some(subscribes)
  )
  return Object.fromEntries(subscribed)
}

/**
 * Returns the origin of an event. The key is the same if the server repeats the event, because it continues a
 * step in another process.
 */
const originOf = (
  event: LifecycleEvent,
  { sessionId, userId, turnId, run }: HookContext,
  callId?: string
): CallOrigin => ({
  sessionId,
  userId,
  callId,
  idempotencyKey: digestOf([turnId, run.rounds, callId ?? null, event])
})

/** Throws if a plugin changed a field that identifies the subject of the event. */
function checkSame(type: LifecycleType, field: string, before: unknown, after: unknown): void {
  if (before !== after) throw new Error(`Its ${type} changes "${field}", which cannot be changed.`)
}

const toWireTool = ({ name, description, inputSchema }: PromptTool) => ({
  name,
  description,
  parameters_json_schema: JSON.stringify(inputSchema)
})

const fromWireTool = ({ parameters_json_schema: schema, ...tool }: ReturnType<typeof toWireTool>) => ({
  ...tool,
  inputSchema: parseJson(
    schema,
    `The schema of "${tool.name}" in its LLM_REQUEST`
  ) as PromptTool['inputSchema']
})

const fromWireCall = ({ id, name, arguments_json }: ReturnType<typeof toWireCall>): HookedCall => ({
  toolCallId: id,
  toolName: name,
  input: parseJson(arguments_json, `The arguments of "${name}" in its LLM_RESPONSE`)
})

const toWireCall = ({ toolCallId: id, toolName: name, input }: HookedCall) => ({
  id,
  name,
  arguments_json: JSON.stringify(input ?? {})
})

const toWireResult = (result: CallResult): { result_json: string; is_error: boolean } =>
  result.type === 'output'
    ? { result_json: JSON.stringify(result.value ?? null), is_error: false }
    : {
        result_json: JSON.stringify(
          result.type === 'error' ? result.text : (result.reason ?? 'The call was denied.')
        ),
        is_error: true
      }

function fromWireResult({ result_json, is_error }: LifecyclePayload<'TOOL_RESULT'>): CallResult {
  const value = parseJson(result_json, 'The “result_json” in its TOOL_RESULT')
  if (!is_error) return { type: 'output', value }
  return { type: 'error', text: typeof value === 'string' ? value : JSON.stringify(value) }
}
