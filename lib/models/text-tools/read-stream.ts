import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart as Part } from '@ai-sdk/provider'
import { newId } from '#lib/kernel/ids.ts'
import { CallReader, type Said } from './call-reader.ts'
import { readArguments } from './read-arguments.ts'

/**
 * An answer in whose texts calls are words, as one with calls. A text that a call stands in is two, before and behind it, and
 * one that says nothing but calls is none.
 */
export function readingCalls(): TransformStream<Part, Part> {
  const open = new Map<string, Block>()
  let called = false
  return new TransformStream<Part, Part>({
    transform(part, controller) {
      const tell = (parts: readonly Part[]) => {
        called ||= parts.some(({ type }) => type === 'tool-call')
        for (const one of parts) controller.enqueue(one)
      }
      switch (part.type) {
        case 'text-start':
          open.set(part.id, new Block(part))
          return
        case 'text-delta': {
          const block = open.get(part.id)
          return tell(block === undefined ? [part] : block.say(part))
        }
        case 'text-end': {
          const block = open.get(part.id)
          open.delete(part.id)
          return tell(block === undefined ? [part] : block.end(part))
        }
        case 'finish':
          return tell([{ ...part, finishReason: called ? withCalls(part.finishReason) : part.finishReason }])
        default:
          return tell([part])
      }
    },
    // A model that breaks off in the middle of a text: what there is of it is shown.
    flush(controller) {
      for (const block of open.values()) for (const part of block.rest()) controller.enqueue(part)
    }
  })
}

/** The model stopped to have its tools run; one that was cut off or refused did not. */
export const withCalls = (reason: LanguageModelV4FinishReason): LanguageModelV4FinishReason =>
  reason.unified === 'stop' ? { ...reason, unified: 'tool-calls' } : reason

/** A call that was read, as the model would have made it. */
export const madeCall = ({ name, body }: Extract<Said, { type: 'call' }>) => ({
  type: 'tool-call' as const,
  toolCallId: newId('call'),
  toolName: name,
  input: readArguments(body)
})

/** The same as parts of a stream, all at once: its arguments are known when it ends. */
function callParts(said: Extract<Said, { type: 'call' }>): Part[] {
  const call = madeCall(said)
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

/** One text of the model, as the texts and calls that are in it. */
class Block {
  readonly #reader = new CallReader()
  readonly #start: Start
  /** How many texts it has become. */
  #texts = 0
  #isOpen = false

  constructor(start: Start) {
    this.#start = start
  }

  say({ delta, ...more }: Delta): Part[] {
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
    return this.#texts < 2 ? this.#start.id : `${this.#start.id}-${this.#texts}`
  }

  #parts(said: readonly Said[], more: Omit<Delta, 'id' | 'delta'>): Part[] {
    return said.flatMap((one): Part[] => {
      if (one.type === 'call') {
        const ended: Part[] = this.#isOpen ? [{ type: 'text-end', id: this.#id }] : []
        this.#isOpen = false
        return [...ended, ...callParts(one)]
      }
      const begun: Part[] = []
      if (!this.#isOpen) {
        this.#isOpen = true
        this.#texts += 1
        begun.push({ ...this.#start, id: this.#id })
      }
      return [...begun, { ...more, id: this.#id, delta: one.text }]
    })
  }
}
