import { newId } from '@waystation/base/ids.ts'
import type { Chunk } from '@waystation/protocol/session/event.ts'
import { streamText, type TextStreamPart, type ToolSet, toUIMessageStream } from 'ai'
import { toolErrorText } from '#lib/kernel/tool-error-text.ts'
import { promptFor } from './assemble-prompt.ts'
import { withFileData } from './attached-files.ts'
import { createMeter, type Meter, usageOf } from './meter.ts'

import { applyStepHooks } from './step-hooks.ts'
import type {
  AssembledPrompt,
  AssistantContent,
  FinishedStep,
  ModelCall,
  Step,
  Turn,
  TurnEnd,
  TurnEvent
} from './turn.ts'

/**
 * Maximum length of a tool's arguments, in characters of JSON. Longer ones are not stored, and the model
 * receives an error.
 */
const maxInputLength = 512 * 1024

type StepOutcome =
  | { kind: 'finished'; step: FinishedStep; prompt: AssembledPrompt }
  | Extract<TurnEnd, { kind: 'failed' | 'aborted' }>

/**
 * Calls the model once, yields its chunks and returns the outcome of the step. Never retries and never throws
 * for a model error, which is an outcome. Reports the usage to the turn however the call ends. Replaces the
 * provider's call IDs, because some providers use `call_0` in every step.
 */
export async function* modelStep(turn: Turn, step: Step): AsyncGenerator<TurnEvent, StepOutcome> {
  const ids = new Map<string, string>()
  const ourId = (providerId: string) => {
    const id = ids.get(providerId) ?? newId('call')
    ids.set(providerId, id)
    return id
  }
  const open = new Map<string, 'text-end' | 'reasoning-end'>()
  /** Length of each call's arguments so far. */
  const inputLengths = new Map<string, number>()
  let failure: unknown
  let partial = ''

  const { hooks, model, messageId } = step
  /** The model's chunks, which are held back if an `afterModel` hook can change them. */
  const heldChunks: Chunk[] | undefined = hooks.has('afterModel') ? [] : undefined
  const meter = createMeter(turn.signal)

  try {
    const prompt = await promptFor(step)
    if ('kind' in prompt) return prompt
    turn.asked(prompt)
    // The turn was stopped, so the model is not called and nothing is billed.
    if (turn.signal.aborted) return { kind: 'aborted', partial }
    const opened = model.openStream(prompt.model)
    const tools = step.toToolSet(prompt.tools)
    const result = model.ask(telemetry => {
      meter.ask()
      return streamText({
        model: opened.model,
        instructions: prompt.instructions,
        messages: withFileData(prompt.messages, step.files),
        tools,
        abortSignal: turn.signal,
        maxRetries: 0,
        telemetry,
        onError: ({ error }) => {
          failure ??= error
          meter.fail()
        }
      })
    })
    const chunks = toUIMessageStream({
      stream: result.stream.pipeThrough(metered(meter)),
      tools,
      sendStart: false,
      sendFinish: false,
      sendSources: true,
      onError: toolErrorText
    })
    for await (const chunk of opened.chunks(chunks as ReadableStream<Chunk>)) {
      if (turn.signal.aborted) break
      if (bookkeeping.has(chunk.type)) continue
      meter.add(chunk)
      if (chunk.type === 'text-start') open.set(chunk.id, 'text-end')
      if (chunk.type === 'reasoning-start') open.set(chunk.id, 'reasoning-end')
      if (chunk.type === 'text-end' || chunk.type === 'reasoning-end') open.delete(chunk.id)
      if (chunk.type === 'text-delta') partial += chunk.delta
      if (chunk.type === 'tool-input-available' && isTooLarge(chunk.input)) chunk.input = {}
      if (chunk.type === 'tool-input-delta') {
        const length = (inputLengths.get(chunk.toolCallId) ?? 0) + chunk.inputTextDelta.length
        inputLengths.set(chunk.toolCallId, length)
        if (length > maxInputLength) continue
      }
      const own = ('toolCallId' in chunk ? { ...chunk, toolCallId: ourId(chunk.toolCallId) } : chunk) as Chunk
      hooks.watch('onChunk', { chunk: own })
      if (heldChunks === undefined) yield { type: 'chunk', messageId, chunk: own }
      else heldChunks.push(own)
    }
    if (turn.signal.aborted) {
      // No client has seen the chunks that were held back.
      if (heldChunks !== undefined) return { kind: 'aborted', partial: '' }
      for (const [id, type] of open) yield { type: 'chunk', messageId, chunk: { type, id } }
      return { kind: 'aborted', partial }
    }
    if (failure !== undefined) return { kind: 'failed', error: model.describeError(failure) }
    const finalStep = await result.finalStep
    const problem = model.describeFinish(finalStep.finishReason, finalStep.rawFinishReason)
    if (problem !== undefined) return { kind: 'failed', error: problem }
    const content = (
      (finalStep as { response: { messages?: { role: string; content: unknown }[] } }).response.messages ?? []
    )
      .filter(message => message.role === 'assistant')
      .flatMap(message => message.content as AssistantContent)
    const finished: FinishedStep = {
      content: content.map(part =>
        'toolCallId' in part
          ? {
              ...part,
              toolCallId: ourId(part.toolCallId),
              ...('input' in part && isTooLarge(part.input) ? { input: {} } : {})
            }
          : part
      ) as AssistantContent,
      calls: finalStep.toolCalls
        .filter(call => !call.providerExecuted)
        .map(call => toMadeCall(call, ourId(call.toolCallId))),
      usage: usageOf(finalStep.usage)
    }
    const hooked = await applyStepHooks(hooks, finished, {
      finishReason: finalStep.finishReason,
      held: heldChunks ?? []
    })
    if ('kind' in hooked) return hooked
    for (const chunk of hooked.chunks) yield { type: 'chunk', messageId, chunk }
    if (turn.signal.aborted)
      return { kind: 'aborted', partial: heldChunks === undefined ? partial : textOfChunks(hooked.chunks) }
    return { kind: 'finished', step: hooked.step, prompt }
  } catch (error) {
    if (turn.signal.aborted) return { kind: 'aborted', partial }
    return { kind: 'failed', error: model.describeError(failure ?? error) }
  } finally {
    const spent = meter.spent()
    if (spent !== undefined) turn.addUsage(spent)
  }
}

const textOfChunks = (chunks: readonly Chunk[]): string =>
  chunks.map(chunk => (chunk.type === 'text-delta' ? chunk.delta : '')).join('')

/** Chunks that `begin`, `commit` and the end of the turn write themselves, in their transactions. */
const bookkeeping = new Set<string>([
  'start',
  'start-step',
  'finish-step',
  'finish',
  'abort',
  'error',
  'tool-input-error',
  'tool-output-error'
])

/**
 * Reports the end of the call to the meter. Removes the SDK's own answers to invalid calls, because the
 * engine settles these calls itself.
 */
function metered(meter: Meter): TransformStream<TextStreamPart<ToolSet>, TextStreamPart<ToolSet>> {
  return new TransformStream({
    transform(part, controller) {
      if (part.type === 'finish-step') meter.end(part)
      if (part.type !== 'tool-error') controller.enqueue(part)
    }
  })
}

function toMadeCall(
  call: { toolName: string; input: unknown; invalid?: boolean; error?: unknown },
  toolCallId: string
): ModelCall {
  const base = { toolCallId, toolName: call.toolName, input: call.input }
  if (isTooLarge(call.input))
    return { ...base, input: {}, error: `The arguments are longer than ${maxInputLength / 1024} KiB.` }
  if (!call.invalid) return base
  const text =
    call.error === undefined
      ? 'The arguments do not match the schema of the tool.'
      : toolErrorText(call.error)
  return { ...base, error: text.slice(0, 4000).toWellFormed() }
}

export const isTooLarge = (input: unknown): boolean =>
  (JSON.stringify(input ?? null)?.length ?? 0) > maxInputLength
