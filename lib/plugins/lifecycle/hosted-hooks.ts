import { isDeepStrictEqual } from 'node:util'
import { log } from '#lib/kernel/log.ts'
import type { HookedCall, Run, Stepping, Watching } from '#lib/kernel/ports/hooks.ts'
import type { HostedPlugin, LifecycleType } from '#lib/kernel/ports/plugin-host.ts'
import { PluginError, type PluginFault } from '#lib/plugins/grpc/plugin-error.ts'
import type { HookContext, Hooks, Plugin } from '#lib/plugins/plugin.ts'
import type { CallResult } from '#lib/protocol/call/call.ts'
import { askInOrder } from './ask-in-order.ts'
import { checkLifecycle, type LifecyclePayload, parseJson } from './payloads.ts'
import { changedPrompt, toldPrompt } from './prompt.ts'

/** Which of our points each event is told at (003-15). */
const points = {
  beforeTurn: ['TURN_END', 'AGENT_END', 'AGENT_START'],
  beforeRound: ['TURN_END', 'TURN_START'],
  beforeModel: ['LLM_REQUEST'],
  afterModel: ['LLM_RESPONSE'],
  beforeTool: ['TOOL_CALL'],
  beforeHandOff: ['HANDOFF'],
  afterTool: ['TOOL_RESULT'],
  onTurn: ['TURN_END', 'AGENT_END']
} satisfies Partial<Record<Stepping | Watching, LifecycleType[]>>

/** It was there and answered, though with nothing that can be used: it is asked again in its round. */
const answered = new Set<PluginFault>(['invalid', 'refused', 'unauthorized', 'busy', 'failed'])

/** What an event came to: undefined where it goes on as it is. */
type Said<Type extends LifecycleType> = { changed: LifecyclePayload<Type> } | { cancel: string } | undefined

/**
 * A plugin in another language as one of the server's (003-15, 003-16): CONTINUE says nothing, MODIFY is a change and CANCEL
 * cancels what is about to happen. A turn of the protocol is one of our rounds, over once all its calls have a result; its
 * agent's run is one of ours, which lasts over each turn in which it is parked. One that cannot be reached or is late is not
 * asked again in its round, unless it has to be heard.
 */
export const hostedHooks = (plugin: HostedPlugin): Plugin => ({
  name: plugin.name,
  hooks: () => hooksOf(plugin)
})

function hooksOf(plugin: HostedPlugin): Hooks {
  const wants = (type: LifecycleType) => plugin.events.includes(type)
  let gone = false

  async function ask<Type extends LifecycleType>(
    type: Type,
    payload: LifecyclePayload<Type>,
    { agentId, turnId, signal }: HookContext
  ): Promise<Said<Type>> {
    if (!wants(type) || (gone && !plugin.failClosed)) return undefined
    const said = await askInOrder(plugin, turnId, { type, agentName: agentId, payload }, signal).catch(
      error => {
        gone = !(error instanceof PluginError) || !answered.has(error.fault)
        throw error
      }
    )
    if (said.action === 'cancel') return { cancel: `It returned CANCEL for ${type}.` }
    return said.action === 'modify' ? { changed: checkLifecycle(type, said.payload) } : undefined
  }

  /** Told and not waited for; also of a turn that was stopped. What the plugin says to it changes nothing. */
  function tell<Type extends 'TURN_END' | 'AGENT_END'>(
    type: Type,
    payload: LifecyclePayload<Type>,
    { turnId }: HookContext
  ): void {
    if (!wants(type)) return
    const event = { type, agentName: payload.agent_name, payload }
    askInOrder(plugin, turnId, event, undefined).catch(error =>
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
      if (left !== undefined) ends(left, ctx)
      if (resumed) return undefined
      const said = await ask('AGENT_START', { agent_name: ctx.agentId, input }, ctx)
      if (said === undefined || 'cancel' in said) return said
      same('AGENT_START', 'agent_name', ctx.agentId, said.changed.agent_name)
      // Where nobody said anything there are no words to change.
      if (input === '') same('AGENT_START', 'input', input, said.changed.input)
      return said.changed.input === input ? undefined : { change: { input: said.changed.input } }
    },
    async beforeRound({ lastAgentId }, ctx) {
      const { rounds } = ctx.run
      if (rounds > 1)
        tell('TURN_END', { agent_name: lastAgentId ?? ctx.agentId, turn_number: rounds - 1 }, ctx)
      const said = await ask('TURN_START', { agent_name: ctx.agentId, turn_number: rounds }, ctx)
      if (said === undefined || 'cancel' in said) return said
      same('TURN_START', 'turn_number', rounds, said.changed.turn_number)
      return undefined
    },
    async beforeModel(prompt, ctx) {
      const messages = toldPrompt(prompt)
      const { tools } = prompt
      const said = await ask('LLM_REQUEST', { model: ctx.model, messages, tools }, ctx)
      if (said === undefined || 'cancel' in said) return said
      same('LLM_REQUEST', 'model', ctx.model, said.changed.model)
      const odd = said.changed.tools.find(name => !tools.includes(name))
      if (odd !== undefined)
        throw new Error(`Its LLM_REQUEST names the tool "${odd}", which the agent does not have.`)
      const words = isDeepStrictEqual(messages, said.changed.messages)
        ? { instructions: prompt.instructions, messages: prompt.messages }
        : changedPrompt(prompt, said.changed.messages)
      return { change: { ...words, tools: said.changed.tools } }
    },
    async afterModel(response, ctx) {
      const { text, calls, finishReason } = response
      const told = calls.map(toldCall)
      const payload = { content: text, tool_calls: told, finish_reason: finishReason }
      const said = await ask('LLM_RESPONSE', payload, ctx)
      if (said === undefined || 'cancel' in said) return said
      const { content, tool_calls: left } = said.changed
      const odd = left.find(one => !told.some(call => isDeepStrictEqual(call, one)))
      if (odd !== undefined)
        throw new Error(`Its LLM_RESPONSE has the call ${odd.id}, which differs from the model's call.`)
      const isLeft = ({ toolCallId }: HookedCall) => left.some(({ id }) => id === toolCallId)
      return { change: { ...response, text: content, calls: calls.filter(isLeft) } }
    },
    async beforeTool(call, ctx) {
      const { toolName } = call
      const json = JSON.stringify(call.input ?? {})
      const said = await ask('TOOL_CALL', { tool_name: toolName, arguments_json: json }, ctx)
      if (said === undefined || 'cancel' in said) return said
      same('TOOL_CALL', 'tool_name', toolName, said.changed.tool_name)
      const input = parseJson(said.changed.arguments_json, 'The “arguments_json” in its TOOL_CALL')
      return { change: { ...call, input } }
    },
    async afterTool(called, ctx) {
      const { toolName, result } = called
      const said = await ask('TOOL_RESULT', { tool_name: toolName, ...toldResult(result) }, ctx)
      if (said === undefined || 'cancel' in said) return said
      same('TOOL_RESULT', 'tool_name', toolName, said.changed.tool_name)
      return { change: { ...called, result: resultOf(said.changed) } }
    },
    async beforeHandOff(handOff, ctx) {
      const { to, reason } = handOff
      const payload = { from_agent: ctx.agentId, to_agent: to, context: reason }
      const said = await ask('HANDOFF', payload, ctx)
      if (said === undefined || 'cancel' in said) return said
      same('HANDOFF', 'from_agent', ctx.agentId, said.changed.from_agent)
      same('HANDOFF', 'to_agent', to, said.changed.to_agent)
      return { change: { ...handOff, reason: said.changed.context } }
    },
    onTurn({ outcome, input }, ctx) {
      if (outcome === 'parked') return
      const { run } = ctx
      ends({ input: run.resumed ? run.input : input, rounds: run.rounds, agentId: ctx.agentId }, ctx)
    }
  }

  function ends({ input, rounds, agentId }: NonNullable<Run['left']>, ctx: HookContext): void {
    if (rounds > 0) tell('TURN_END', { agent_name: agentId, turn_number: rounds }, ctx)
    tell('AGENT_END', { agent_name: agentId, input }, ctx)
  }

  const wanted = Object.entries(hooks).filter(([point]) => points[point as keyof typeof points].some(wants))
  return Object.fromEntries(wanted)
}

/** What an event is about stays as it is: only what is said there can be changed. */
function same(type: LifecycleType, field: string, before: unknown, after: unknown): void {
  if (before !== after) throw new Error(`Its ${type} changes "${field}", which cannot be changed.`)
}

const toldCall = ({ toolCallId: id, toolName: name, input }: HookedCall) => ({
  id,
  name,
  arguments_json: JSON.stringify(input ?? {})
})

const toldResult = (result: CallResult): { result_json: string; is_error: boolean } =>
  result.type === 'output'
    ? { result_json: JSON.stringify(result.value ?? null), is_error: false }
    : {
        result_json: JSON.stringify(
          result.type === 'error' ? result.text : (result.reason ?? 'The call was denied.')
        ),
        is_error: true
      }

function resultOf({ result_json, is_error }: LifecyclePayload<'TOOL_RESULT'>): CallResult {
  const value = parseJson(result_json, 'The “result_json” in its TOOL_RESULT')
  if (!is_error) return { type: 'output', value }
  return { type: 'error', text: typeof value === 'string' ? value : JSON.stringify(value) }
}
