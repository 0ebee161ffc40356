import { AsyncLocalStorage } from 'node:async_hooks'
import type { LanguageModelV4, LanguageModelV4StreamPart as Part } from '@ai-sdk/provider'
import { Bypass } from './bypass.ts'

type Fetch = typeof globalThis.fetch

/**
 * Reads the text in an event of a protocol over Server-Sent Events. The event includes its blank line. Returns
 * the text that the provider extracts from it, which is often empty. If the event has nothing else, `carrying`
 * creates the same event with other text. Undefined: the effect of the event on the provider is not known.
 */
export type Wire = (event: string) => { words: string; carrying?: (words: string) => string } | undefined

/**
 * Wraps a model so that plain text bypasses its provider's four streams and schema, which cost more per delta
 * than everything else. The provider receives the first text. Once that has come back as text, the following
 * deltas go directly to the reader.
 *
 * Any other event ends the bypass. Before it, the provider receives all skipped text in one event, which is
 * removed again from its output. The provider therefore decides what starts and ends, and sees the whole
 * answer. After an event that `wire` does not understand, nothing bypasses it.
 *
 * @param make creates the provider's model with a given `fetch`
 */
export function textFastPath(
  make: (fetch: Fetch) => LanguageModelV4,
  wire: Wire,
  fetch: Fetch = globalThis.fetch
): LanguageModelV4 {
  // One model for all requests, because a provider can compile its schemas for each model.
  const currentStream = new AsyncLocalStorage<ResponseStream>()
  const plain = make(async (...args) => {
    const response = await fetch(...args)
    const responseStream = currentStream.getStore()
    const { body, status, headers } = response
    return responseStream !== undefined &&
      body !== null &&
      response.ok &&
      headers.get('content-type')?.startsWith('text/event-stream')
      ? new Response(responseStream.given(body), { status, headers })
      : response
  })
  const { provider, modelId, supportedUrls } = plain
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls,
    doGenerate: options => plain.doGenerate(options),
    async doStream(options) {
      if (options.includeRawChunks) return plain.doStream(options)
      const responseStream = new ResponseStream(wire)
      const result = await currentStream.run(responseStream, () => plain.doStream(options))
      return { ...result, stream: responseStream.parts(result.stream) }
    }
  }
}

/** One response of the model. */
class ResponseStream {
  readonly #wire: Wire
  readonly #bypass = new Bypass()
  /** Creates the last bypassed event with other text. */
  #carrying: (words: string) => string = words => words
  /** The last event for the provider had only text. */
  #isTextOnly = false
  /** The provider received an event with an unknown amount of text. */
  #isUnknown = false
  /** The ID of the provider's open text block. */
  #open: string | undefined
  #send: (part: Part) => void = () => {}

  constructor(wire: Wire) {
    this.#wire = wire
  }

  /** Returns the body for the provider to read instead of the original one. */
  given(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
    const reader = body.getReader()
    const decoder = new TextDecoder()
    const encoder = new TextEncoder()
    let rest = ''
    /** The body has unexpected line ends: the rest goes only to the provider. */
    let hasUnknownLineEnds = false
    const sift = (text: string, done: boolean): string => {
      let forProvider = ''
      let from = Math.max(0, rest.length - 1)
      rest += text
      hasUnknownLineEnds ||= text.includes('\r')
      for (
        let end = rest.indexOf('\n\n', from);
        !hasUnknownLineEnds && end !== -1;
        end = rest.indexOf('\n\n', from)
      ) {
        forProvider += this.#sift(rest.slice(0, end + 2))
        rest = rest.slice(end + 2)
        from = 0
      }
      if (!hasUnknownLineEnds && !done) return forProvider
      forProvider += this.#settle() + rest
      this.#isUnknown = true
      rest = ''
      return forProvider
    }
    return new ReadableStream(
      {
        async pull(controller) {
          for (;;) {
            const { done, value } = await reader.read()
            const chunk = sift(decoder.decode(value, { stream: !done }), done)
            if (chunk !== '') controller.enqueue(encoder.encode(chunk))
            if (done) return controller.close()
            if (chunk !== '') return
          }
        },
        cancel: reason => reader.cancel(reason)
      },
      { highWaterMark: 0 }
    )
  }

  /**
   * Returns the provider's parts without the text that was already sent, merged with the text that bypassed it.
   */
  parts(stream: ReadableStream<Part>): ReadableStream<Part> {
    const reader = stream.getReader()
    let isOver = false
    return new ReadableStream({
      start: controller => {
        this.#send = part => isOver || controller.enqueue(part)
        const read = async () => {
          for (;;) {
            const { done, value } = await reader.read()
            if (done) break
            const part = this.#withoutSent(value)
            if (part !== undefined) this.#send(part)
          }
          if (!isOver) controller.close()
        }
        read()
          .catch(error => isOver || controller.error(error))
          .finally(() => {
            isOver = true
          })
      },
      cancel: reason => {
        isOver = true
        return reader.cancel(reason)
      }
    })
  }

  /** Sends an event's text to the reader, or returns the text of the event for the provider. */
  #sift(event: string): string {
    const content = this.#isUnknown ? undefined : this.#wire(event)
    this.#isUnknown ||= content === undefined
    const { words = '', carrying } = content ?? {}
    if (carrying && this.#isTextOnly && this.#open !== undefined && this.#bypass.isThrough) {
      this.#bypass.pass(words)
      this.#carrying = carrying
      this.#send({ type: 'text-delta', id: this.#open, delta: words })
      return ''
    }
    const skipped = this.#settle()
    this.#isTextOnly = carrying !== undefined
    this.#bypass.give(words)
    return skipped + event
  }

  #settle(): string {
    const skipped = this.#bypass.settle()
    return skipped === '' ? '' : this.#carrying(skipped)
  }

  #withoutSent(part: Part): Part | undefined {
    if (part.type === 'text-start') this.#open = part.id
    if (part.type === 'text-end') this.#open = undefined
    if (part.type !== 'text-delta') return part
    const delta = this.#bypass.unseen(part.delta)
    if (delta === part.delta) return part
    return delta === '' ? undefined : { ...part, delta }
  }
}
