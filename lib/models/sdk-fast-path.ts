import type { LanguageModelV4, LanguageModelV4StreamPart as Part } from '@ai-sdk/provider'
import { type LanguageModel, wrapLanguageModel } from 'ai'
import { Bypass } from '#lib/kernel/ports/bypass.ts'
import type { Chunk } from '#lib/protocol/session/event.ts'

type Delta = Extract<Part, { type: 'text-delta' | 'reasoning-delta' }>

/** A block of text or reasoning, and what of it went past the SDK. */
type Block = {
  kind: 'text' | 'reasoning'
  /** Its ID in the SDK's chunks, once it has begun there. */
  id?: string
  /** Something of it came with metadata, which the SDK gives to what follows: nothing of it goes past any more. */
  isMarked: boolean
  past: Bypass
}

/**
 * A way for words past the SDK: its chain of streams costs more for a word than all that we do with it, and does nothing
 * to it. A block begins in the SDK; once all that it was given has come back, the block's next deltas go to the reader
 * at once. Whatever else the model sends closes the way: before it, the SDK is given in one delta all that it was
 * not given, and that delta is left out when it comes back. So the order is the model's, the SDK has the whole content,
 * and what it changes or withholds opens no way. A delta with metadata goes through the SDK, and all of its block behind it.
 *
 * `model` is what the SDK is to ask; `chunks` are what it makes of the answer, and what went past it.
 */
export function sdkFastPath(asked: LanguageModel): {
  model: LanguageModel
  chunks(stream: ReadableStream<Chunk>): AsyncGenerator<Chunk, void>
} {
  /** The model's blocks that are open, by kind and the model's own ID. */
  const open = new Map<string, Block>()
  /** Blocks that were given to the SDK and have not begun there: they begin in this order. */
  const beginning: Block[] = []
  const begun = new Map<string, Block>()
  /**
   * The block of the words that were the last thing the model sent: when they have come back, everything before them has. An
   * empty delta does not come back and shows nothing.
   */
  let last: Block | undefined
  const waiting: Chunk[] = []
  let wake = () => {}
  const tell = (chunk: Chunk) => {
    waiting.push(chunk)
    wake()
  }

  /** True when the reader was told: the SDK need not be given this now. */
  const passes = (part: Part): boolean => {
    if (!isDelta(part) || part.providerMetadata !== undefined) return false
    const block = open.get(keyOf(part))
    if (block?.id === undefined || block !== last || block.isMarked) return false
    if (!block.past.isThrough) return false
    block.past.pass(part.delta)
    if (part.delta !== '') tell({ type: part.type, id: block.id, delta: part.delta })
    return true
  }

  /** Notes what the SDK is given. */
  const give = (part: Part) => {
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
      beginning.push(block)
    } else if (part.type === 'text-end' || part.type === 'reasoning-end') open.delete(keyOf(part))
  }

  /** A chunk that the SDK gave back, without what the reader was told already. */
  const news = (chunk: Chunk): Chunk | undefined => {
    if (chunk.type === 'text-start' || chunk.type === 'reasoning-start') {
      const block = beginning.shift()
      if (block === undefined || chunk.type !== `${block.kind}-start`) return chunk
      block.id = chunk.id
      begun.set(keyOf(chunk), block)
    }
    if (chunk.type !== 'text-delta' && chunk.type !== 'reasoning-delta') return chunk
    const block = begun.get(keyOf(chunk))
    if (block === undefined) return chunk
    const delta = block.past.news(chunk.delta)
    if (delta === chunk.delta) return chunk
    return delta === '' ? undefined : { ...chunk, delta }
  }

  const around = (source: ReadableStream<Part>): ReadableStream<Part> => {
    const reader = source.getReader()
    return new ReadableStream<Part>(
      {
        async pull(controller) {
          for (;;) {
            const { done, value } = await reader.read()
            if (!done && passes(value)) continue
            for (const [key, block] of open) {
              const delta = block.past.settle()
              const id = key.slice(key.indexOf(' ') + 1)
              if (delta !== '') controller.enqueue({ type: `${block.kind}-delta`, id, delta })
            }
            if (done) return controller.close()
            give(value)
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
      typeof asked === 'string'
        ? asked
        : wrapLanguageModel({
            model: asked as LanguageModelV4,
            middleware: {
              async wrapStream({ doStream }) {
                const result = await doStream()
                return { ...result, stream: around(result.stream) }
              }
            }
          }),
    async *chunks(stream) {
      const reader = stream.getReader()
      let end: { error?: unknown } | undefined
      const read = async () => {
        for (;;) {
          const { done, value } = await reader.read()
          if (done) return
          const chunk = news(value)
          if (chunk !== undefined) tell(chunk)
        }
      }
      read()
        .then(
          () => {
            end = {}
          },
          error => {
            end = { error }
          }
        )
        .finally(() => wake())
      try {
        for (;;) {
          const chunk = waiting.shift()
          if (chunk !== undefined) yield chunk
          else if (end === undefined)
            await new Promise<void>(resolve => {
              wake = resolve
            })
          else if ('error' in end) throw end.error
          else return
        }
      } finally {
        if (end === undefined) await reader.cancel()
      }
    }
  }
}

const isDelta = (part: Part): part is Delta => part.type === 'text-delta' || part.type === 'reasoning-delta'

/** `text <id>` or `reasoning <id>`. */
const keyOf = ({ type, id }: { type: string; id: string }): string =>
  `${type.slice(0, type.indexOf('-'))} ${id}`
