import { streamText, type TextStreamPart, type ToolSet, toUIMessageStream } from 'ai'
import { newId } from '#lib/kernel/ids.ts'
import type { Chunk } from '#lib/protocol/session/event.ts'
import { withFileData } from './attached-files.ts'
import { type Meter, meterOf } from './meter.ts'
import { promptFor } from './prompt-for.ts'
import { reportedTokens } from './reported-tokens.ts'
import { applyStepHooks } from './step-hooks.ts'
import type {
  AssembledPrompt,
  AssistantContent,
  FinishedStep,
  MadeCall,
  Step,
  Turn,
  TurnEnd,
  TurnEvent
} from './turn.ts'

/** A tool's arguments longer than this are refused as an answer the model can read, not stored. */
const maxInputLength = 512 * 1024

type Outcome =
  | { kind: 'finished'; step: FinishedStep; prompt: AssembledPrompt }
  | Extract<TurnEnd, { kind: 'failed' | 'aborted' }>

/**
 * One call of the model: streams its chunks, and says what the step came to. Nothing is retried here and nothing is
 * thrown for the model's sake: a failure is an outcome. What it took is told to the turn however it ends. The provider's
 * call IDs are replaced by ours, since some providers use `call_0` in every step.
 */
export async function* modelStep(turn: Turn, step: Step): AsyncGenerator<TurnEvent, Outcome> {
  const ids = new Map<string, string>()
  const ourId = (theirs: string) => {
    const known = ids.get(theirs) ?? newId('call')
    ids.set(theirs, known)
    return known
  }
  const open = new Map<string, 'text-end' | 'reasoning-end'>()
  /** How long each call's arguments are so far. */
  const inputs = new Map<string, number>()
  let failure: unknown
  let partial = ''

  const { hooks, model, messageId } = step
  /** What the model says, held back until the plugins have heard all of it, where one may change it. */
  const held: Chunk[] | undefined = hooks.has('afterModel') ? [] : undefined
  const meter = meterOf(turn.signal)

  try {
    const prompt = await promptFor(step)
    if ('kind' in prompt) return prompt
    // Nobody waits for it any more: it is not asked, and costs nothing.
    if (turn.signal.aborted) return { kind: 'aborted', partial }
    const opened = model.openStream()
    const result = model.ask(telemetry => {
      meter.ask()
      return streamText({
        model: opened.model,
        instructions: prompt.instructions,
        messages: withFileData(prompt.messages, step.files),
        tools: prompt.tools,
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
      tools: prompt.tools,
      sendStart: false,
      sendFinish: false,
      sendSources: true,
      onError: error => (error instanceof Error ? error.message : String(error))
    })
    for await (const chunk of opened.chunks(chunks as ReadableStream<Chunk>)) {
      if (turn.signal.aborted) break
      if (bookkeeping.has(chunk.type)) continue
      meter.hear(chunk)
      if (chunk.type === 'text-start') open.set(chunk.id, 'text-end')
      if (chunk.type === 'reasoning-start') open.set(chunk.id, 'reasoning-end')
      if (chunk.type === 'text-end' || chunk.type === 'reasoning-end') open.delete(chunk.id)
      if (chunk.type === 'text-delta') partial += chunk.delta
      if (chunk.type === 'tool-input-available' && isTooLarge(chunk.input)) chunk.input = {}
      if (chunk.type === 'tool-input-delta') {
        const length = (inputs.get(chunk.toolCallId) ?? 0) + chunk.inputTextDelta.length
        inputs.set(chunk.toolCallId, length)
        if (length > maxInputLength) continue
      }
      const own = ('toolCallId' in chunk ? { ...chunk, toolCallId: ourId(chunk.toolCallId) } : chunk) as Chunk
      hooks.watch('onChunk', { chunk: own })
      if (held === undefined) yield { type: 'chunk', messageId, chunk: own }
      else held.push(own)
    }
    if (turn.signal.aborted) {
      // What was held back was told to nobody.
      if (held !== undefined) return { kind: 'aborted', partial: '' }
      for (const [id, type] of open) yield { type: 'chunk', messageId, chunk: { type, id } }
      return { kind: 'aborted', partial }
    }
    if (failure !== undefined) return { kind: 'failed', error: model.describeError(failure) }
    const said = await result.finalStep
    const problem = model.describeFinish(said.finishReason, said.rawFinishReason)
    if (problem !== undefined) return { kind: 'failed', error: problem }
    const content = (
      (said as { response: { messages?: { role: string; content: unknown }[] } }).response.messages ?? []
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
      calls: said.toolCalls
        .filter(call => !call.providerExecuted)
        .map(call => made(call, ourId(call.toolCallId))),
      usage: {
        inputTokens: reportedTokens(said.usage.inputTokens),
        outputTokens: reportedTokens(said.usage.outputTokens)
      }
    }
    const heard = await applyStepHooks(hooks, finished, { finishReason: said.finishReason, held: held ?? [] })
    if ('kind' in heard) return heard
    for (const chunk of heard.chunks) yield { type: 'chunk', messageId, chunk }
    if (turn.signal.aborted)
      return { kind: 'aborted', partial: held === undefined ? partial : textOfChunks(heard.chunks) }
    return { kind: 'finished', step: heard.step, prompt }
  } catch (error) {
    if (turn.signal.aborted) return { kind: 'aborted', partial }
    return { kind: 'failed', error: model.describeError(failure ?? error) }
  } finally {
    const spent = meter.spent()
    if (spent !== undefined) turn.spend(spent)
  }
}

const textOfChunks = (chunks: readonly Chunk[]): string =>
  chunks.map(chunk => (chunk.type === 'text-delta' ? chunk.delta : '')).join('')

/** Chunks that `begin`, `commit` and the turn's end write themselves, in their transactions. */
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
 * Tells the meter how the call ended. The SDK answers an invalid call by itself; in our log that answer is the call's own
 * settlement, so it is left out.
 */
function metered(meter: Meter): TransformStream<TextStreamPart<ToolSet>, TextStreamPart<ToolSet>> {
  return new TransformStream({
    transform(part, controller) {
      if (part.type === 'finish-step') meter.end(part)
      if (part.type !== 'tool-error') controller.enqueue(part)
    }
  })
}

function made(
  call: { toolName: string; input: unknown; invalid?: boolean; error?: unknown },
  toolCallId: string
): MadeCall {
  const base = { toolCallId, toolName: call.toolName, input: call.input }
  if (isTooLarge(call.input))
    return { ...base, input: {}, error: `The arguments are longer than ${maxInputLength / 1024} KiB.` }
  if (!call.invalid) return base
  const words =
    call.error instanceof Error ? call.error.message : 'The arguments do not match the schema of the tool.'
  return { ...base, error: words.slice(0, 4000).toWellFormed() }
}

const isTooLarge = (input: unknown): boolean => (JSON.stringify(input ?? null)?.length ?? 0) > maxInputLength
