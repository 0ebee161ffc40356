import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart as Part } from '@ai-sdk/provider'
import { newId } from '@waystation/base/ids.ts'
import { type AnswerPart, CallReader } from './call-reader.ts'
import { readArguments } from './read-arguments.ts'

/**
 * Returns a transform that turns calls written in text into tool calls. A text is split at each call. A text of
 * nothing but calls becomes no text block.
 */
export function parseCallsStream(): TransformStream<Part, Part> {
  const open = new Map<string, Block>()
  let called = false
  return new TransformStream<Part, Part>({
    transform(part, controller) {
      const send = (parts: readonly Part[]) => {
        called ||= parts.some(({ type }) => type === 'tool-call')
        for (const output of parts) controller.enqueue(output)
      }
      switch (part.type) {
        case 'text-start':
          open.set(part.id, new Block(part))
          return
        case 'text-delta': {
          const block = open.get(part.id)
          return send(block === undefined ? [part] : block.append(part))
        }
        case 'text-end': {
          const block = open.get(part.id)
          open.delete(part.id)
          return send(block === undefined ? [part] : block.end(part))
        }
        case 'finish':
          return send([{ ...part, finishReason: called ? withCalls(part.finishReason) : part.finishReason }])
        default:
          return send([part])
      }
    },
    // If the model stops in the middle of a text, send the rest of it.
    flush(controller) {
      for (const block of open.values()) for (const part of block.rest()) controller.enqueue(part)
    }
  })
}

/** Changes the finish reason `stop` to `tool-calls`. An answer that was cut off or refused keeps its reason. */
export const withCalls = (reason: LanguageModelV4FinishReason): LanguageModelV4FinishReason =>
  reason.unified === 'stop' ? { ...reason, unified: 'tool-calls' } : reason

/** Creates a tool call from a call that was read, with a new ID. */
export const toToolCall = ({ name, body }: Extract<AnswerPart, { type: 'call' }>) => ({
  type: 'tool-call' as const,
  toolCallId: newId('call'),
  toolName: name,
  input: readArguments(body)
})

/** Returns the stream parts of a call. Its input is sent in one piece, because it is known only at its end. */
function callParts(item: Extract<AnswerPart, { type: 'call' }>): Part[] {
  const call = toToolCall(item)
  const { toolCallId: id, toolName, input } = call
  return [
    { type: 'tool-input-start', id, toolName },
    { type: 'tool-input-delta', id, delta: input },
    { type: 'tool-input-end', id },
    call
  ]
}

type Start = Extract<Part, { type: 'text-start' }>
type Delta = Extract<Part, { type: 'text-delta' }>
type End = Extract<Part, { type: 'text-end' }>

/** Splits one text of the model into texts and calls. */
class Block {
  readonly #reader = new CallReader()
  readonly #textStart: Start
  /** The number of texts started so far. */
  #count = 0
  #isOpen = false

  constructor(start: Start) {
    this.#textStart = start
  }

  append({ delta, ...more }: Delta): Part[] {
    return this.#parts(this.#reader.read(delta), more)
  }

  rest(): Part[] {
    return this.#parts(this.#reader.end(), { type: 'text-delta' })
  }

  end(end: End): Part[] {
    const rest = this.rest()
    return this.#isOpen ? [...rest, { ...end, id: this.#id }] : rest
  }

  get #id(): string {
    return this.#count < 2 ? this.#textStart.id : `${this.#textStart.id}-${this.#count}`
  }

  #parts(items: readonly AnswerPart[], more: Omit<Delta, 'id' | 'delta'>): Part[] {
    return items.flatMap((item): Part[] => {
      if (item.type === 'call') {
        const ends: Part[] = this.#isOpen ? [{ type: 'text-end', id: this.#id }] : []
        this.#isOpen = false
        return [...ends, ...callParts(item)]
      }
      const starts: Part[] = []
      if (!this.#isOpen) {
        this.#isOpen = true
        this.#count += 1
        starts.push({ ...this.#textStart, id: this.#id })
      }
      return [...starts, { ...more, id: this.#id, delta: item.text }]
    })
  }
}
