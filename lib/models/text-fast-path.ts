import type { LanguageModelV4, LanguageModelV4StreamPart as Part } from '@ai-sdk/provider'
import { Bypass } from '#lib/kernel/ports/bypass.ts'

type Fetch = typeof globalThis.fetch

/**
 * How a protocol of Server-Sent Events carries words. Asked for each event, its blank line included: the words that its
 * provider makes text of (often none), and if it says nothing else, how it would carry others. Undefined: who knows what the
 * provider makes of it.
 */
export type Wire = (event: string) => { words: string; carrying?: (words: string) => string } | undefined

/**
 * A model whose plain words do not go through its provider's four streams and its schema, which cost more for a word than
 * the rest of its way. The first words do: when they have come back from the provider as text, what follows goes on as
 * text at once. Any other event closes that way: before it, the provider is given in one event all that it was
 * not given, and that text is left out when it comes back. So the provider still decides what begins and ends and sees the
 * whole answer; behind an event that nobody here understands, nothing goes past it any more.
 *
 * @param make the provider's model, asking with this `fetch`
 */
export function textFastPath(
  make: (fetch: Fetch) => LanguageModelV4,
  wire: Wire,
  fetch: Fetch = globalThis.fetch
): LanguageModelV4 {
  const plain = make(fetch)
  const { provider, modelId, supportedUrls } = plain
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls,
    doGenerate: options => plain.doGenerate(options),
    async doStream(options) {
      if (options.includeRawChunks) return plain.doStream(options)
      const answer = new Answer(wire)
      const asking: Fetch = async (...asked) => {
        const response = await fetch(...asked)
        const { body, status, headers } = response
        return body !== null && response.ok && headers.get('content-type')?.startsWith('text/event-stream')
          ? new Response(answer.given(body), { status, headers })
          : response
      }
      const result = await make(asking).doStream(options)
      return { ...result, stream: answer.parts(result.stream) }
    }
  }
}

/** One answer of a model. */
class Answer {
  readonly #wire: Wire
  readonly #past = new Bypass()
  /** How the last event that went past would carry other words. */
  #carrying: (words: string) => string = words => words
  /** The last event given was of nothing but words. */
  #words = false
  /** An event was given of which nobody knows how many characters come back. */
  #lost = false
  /** The provider's block of text that is open. */
  #open: string | undefined
  #tell: (part: Part) => void = () => {}

  constructor(wire: Wire) {
    this.#wire = wire
  }

  /** What the provider is to read instead of the body that came. */
  given(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
    const reader = body.getReader()
    const decoder = new TextDecoder()
    const encoder = new TextEncoder()
    let rest = ''
    /** It has line ends that we do not look for: from here on it is the provider's alone. */
    let strange = false
    const sift = (text: string, done: boolean): string => {
      let given = ''
      let from = Math.max(0, rest.length - 1)
      rest += text
      strange ||= text.includes('\r')
      for (let end = rest.indexOf('\n\n', from); !strange && end !== -1; end = rest.indexOf('\n\n', from)) {
        given += this.#sift(rest.slice(0, end + 2))
        rest = rest.slice(end + 2)
        from = 0
      }
      if (!strange && !done) return given
      given += this.#settle() + rest
      this.#lost = true
      rest = ''
      return given
    }
    return new ReadableStream(
      {
        async pull(controller) {
          for (;;) {
            const { done, value } = await reader.read()
            const given = sift(decoder.decode(value, { stream: !done }), done)
            if (given !== '') controller.enqueue(encoder.encode(given))
            if (done) return controller.close()
            if (given !== '') return
          }
        },
        cancel: reason => reader.cancel(reason)
      },
      { highWaterMark: 0 }
    )
  }

  /** The provider's parts, without what was told, and what went past it. */
  parts(stream: ReadableStream<Part>): ReadableStream<Part> {
    const reader = stream.getReader()
    let over = false
    return new ReadableStream({
      start: controller => {
        this.#tell = part => over || controller.enqueue(part)
        const read = async () => {
          for (;;) {
            const { done, value } = await reader.read()
            if (done) break
            const part = this.#news(value)
            if (part !== undefined) this.#tell(part)
          }
          if (!over) controller.close()
        }
        read()
          .catch(error => over || controller.error(error))
          .finally(() => {
            over = true
          })
      },
      cancel: reason => {
        over = true
        return reader.cancel(reason)
      }
    })
  }

  /** Tells an event's words, or returns what the provider is given of it. */
  #sift(event: string): string {
    const said = this.#lost ? undefined : this.#wire(event)
    this.#lost ||= said === undefined
    const { words = '', carrying } = said ?? {}
    if (carrying && this.#words && this.#open !== undefined && this.#past.isThrough) {
      this.#past.pass(words)
      this.#carrying = carrying
      this.#tell({ type: 'text-delta', id: this.#open, delta: words })
      return ''
    }
    const owed = this.#settle()
    this.#words = carrying !== undefined
    this.#past.give(words)
    return owed + event
  }

  #settle(): string {
    const owed = this.#past.settle()
    return owed === '' ? '' : this.#carrying(owed)
  }

  #news(part: Part): Part | undefined {
    if (part.type === 'text-start') this.#open = part.id
    if (part.type === 'text-end') this.#open = undefined
    if (part.type !== 'text-delta') return part
    const delta = this.#past.news(part.delta)
    if (delta === part.delta) return part
    return delta === '' ? undefined : { ...part, delta }
  }
}
