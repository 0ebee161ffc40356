import type { LanguageModelV4, LanguageModelV4StreamPart as Part } from '@ai-sdk/provider'
import type { Chunk } from '@waystation/protocol/session/event.ts'
import { type LanguageModel, wrapLanguageModel } from 'ai'
import { Bypass } from './bypass.ts'

type Delta = Extract<Part, { type: 'text-delta' | 'reasoning-delta' }>

/** A block of text or reasoning, and the part of it that bypassed the SDK. */
type Block = {
  kind: 'text' | 'reasoning'
  /** Its ID in the SDK's chunks, once it has started there. */
  id?: string
  /**
   * A part of it had metadata. The SDK adds that metadata to the following parts, so none of them can bypass
   * it.
   */
  isMarked: boolean
  past: Bypass
}

/**
 * Lets text bypass the AI SDK, whose chain of streams costs more per delta than everything that we do with it.
 * A block starts in the SDK. Once everything that the SDK received has come back, the following deltas go
 * directly to the reader.
 *
 * Any other part ends the bypass. Before it, the SDK receives all skipped text in one delta, which is removed
 * again from its output. The order is therefore that of the model, and the SDK has the whole content. If the
 * SDK changes or withholds text, the bypass stays closed. A delta with metadata and the rest of its block also
 * go through the SDK.
 *
 * `model` is the model to pass to the SDK. `chunks` merges the SDK's output with the text that bypassed it.
 */
export function sdkFastPath(inner: LanguageModel): {
  model: LanguageModel
  chunks(stream: ReadableStream<Chunk>): AsyncGenerator<Chunk, void>
} {
  /** The model's open blocks, by kind and the model's own ID. */
  const open = new Map<string, Block>()
  /** Blocks that the SDK received but has not started yet. It starts them in this order. */
  const notStarted: Block[] = []
  const started = new Map<string, Block>()
  /**
   * The block of the last delta, if that was the last part of the model: once it has come back, everything
   * before it has too. Empty deltas do not come back.
   */
  let last: Block | undefined
  const queue: Chunk[] = []
  let wake = () => {}
  const send = (chunk: Chunk) => {
    queue.push(chunk)
    wake()
  }

  /** Sends a delta directly to the reader if possible. Returns true if the SDK does not need it now. */
  const tryBypass = (part: Part): boolean => {
    if (!isDelta(part) || part.providerMetadata !== undefined) return false
    const block = open.get(keyOf(part))
    if (block?.id === undefined || block !== last || block.isMarked) return false
    if (!block.past.isThrough) return false
    block.past.pass(part.delta)
    if (part.delta !== '') send({ type: part.type, id: block.id, delta: part.delta })
    return true
  }

  /** Records a part that the SDK receives. */
  const recordForSdk = (part: Part) => {
    last = undefined
    if (isDelta(part)) {
      const block = open.get(keyOf(part))
      if (block !== undefined) {
        block.past.give(part.delta)
        block.isMarked ||= part.providerMetadata !== undefined
      }
      if (part.delta !== '') last = block
    } else if (part.type === 'text-start' || part.type === 'reasoning-start') {
      const kind = part.type === 'text-start' ? 'text' : 'reasoning'
      const isMarked = part.providerMetadata !== undefined
      const block: Block = { kind, isMarked, past: new Bypass() }
      open.set(keyOf(part), block)
      notStarted.push(block)
    } else if (part.type === 'text-end' || part.type === 'reasoning-end') open.delete(keyOf(part))
  }

  /** Returns a chunk of the SDK without the text that the reader already has. Undefined if nothing is left. */
  const withoutSent = (chunk: Chunk): Chunk | undefined => {
    if (chunk.type === 'text-start' || chunk.type === 'reasoning-start') {
      const block = notStarted.shift()
      if (block === undefined || chunk.type !== `${block.kind}-start`) return chunk
      block.id = chunk.id
      started.set(keyOf(chunk), block)
    }
    if (chunk.type !== 'text-delta' && chunk.type !== 'reasoning-delta') return chunk
    const block = started.get(keyOf(chunk))
    if (block === undefined) return chunk
    const delta = block.past.unseen(chunk.delta)
    if (delta === chunk.delta) return chunk
    return delta === '' ? undefined : { ...chunk, delta }
  }

  const wrapStream = (source: ReadableStream<Part>): ReadableStream<Part> => {
    const reader = source.getReader()
    return new ReadableStream<Part>(
      {
        async pull(controller) {
          for (;;) {
            const { done, value } = await reader.read()
            if (!done && tryBypass(value)) continue
            for (const [key, block] of open) {
              const delta = block.past.settle()
              const id = key.slice(key.indexOf(' ') + 1)
              if (delta !== '') controller.enqueue({ type: `${block.kind}-delta`, id, delta })
            }
            if (done) return controller.close()
            recordForSdk(value)
            return controller.enqueue(value)
          }
        },
        cancel: reason => reader.cancel(reason)
      },
      { highWaterMark: 0 }
    )
  }

  return {
    model:
      typeof inner === 'string'
        ? inner
        : wrapLanguageModel({
            model: inner as LanguageModelV4,
            middleware: {
              async wrapStream({ doStream }) {
                const result = await doStream()
                return { ...result, stream: wrapStream(result.stream) }
              }
            }
          }),
    async *chunks(stream) {
      const reader = stream.getReader()
      let outcome: { error?: unknown } | undefined
      const pump = async () => {
        for (;;) {
          const { done, value } = await reader.read()
          if (done) return
          const chunk = withoutSent(value)
          if (chunk !== undefined) send(chunk)
        }
      }
      pump()
        .then(
          () => {
            outcome = {}
          },
          error => {
            outcome = { error }
          }
        )
        .finally(() => wake())
      try {
        for (;;) {
          const chunk = queue.shift()
          if (chunk !== undefined) yield chunk
          else if (outcome === undefined)
            await new Promise<void>(resolve => {
              wake = resolve
            })
          else if ('error' in outcome) throw outcome.error
          else return
        }
      } finally {
        if (outcome === undefined) await reader.cancel()
      }
    }
  }
}

const isDelta = (part: Part): part is Delta => part.type === 'text-delta' || part.type === 'reasoning-delta'

/** Returns `text <id>` or `reasoning <id>`. */
const keyOf = ({ type, id }: { type: string; id: string }): string =>
  `${type.slice(0, type.indexOf('-'))} ${id}`
