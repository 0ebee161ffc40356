import { setTimeout as pause } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import type { SessionEvent } from '#lib/protocol/session/event.ts'
import { applyEvent, emptyTranscript, type Transcript } from '#lib/protocol/session/fold.ts'

/** Somebody who follows a session over HTTP and folds what they are told, as a browser does. */
export type Reader = {
  transcript(): Transcript
  /** What should not have been told. */
  faults: string[]
  /** Breaks the connection. */
  leave(): void
  /** It goes on behind the last ID it saw. */
  comeBack(): void
  /** From now on a number that is left out is none that is missing: its range was compacted. */
  expectGaps(): void
  stop(): Promise<void>
}

export function startReader(url: string, headers: Record<string, string>): Reader {
  let transcript = emptyTranscript
  let last = '0'
  let over = false
  let gaps = false
  let present = true
  let connection = new AbortController()
  let there = Promise.withResolvers<void>()
  there.resolve()
  const faults: string[] = []
  const hear = (event: SessionEvent) => {
    const { cursor } = transcript
    if (event.type !== 'reset' && event.seq <= cursor) faults.push(`${event.seq} came behind ${cursor}.`)
    if (!gaps && event.type !== 'reset' && event.seq > cursor + 1 && cursor > 0)
      faults.push(`Nothing was told between ${cursor} and ${event.seq}.`)
    transcript = applyEvent(transcript, event)
  }
  const read = async () => {
    const response = await fetch(url, {
      headers: { ...headers, 'last-event-id': last },
      signal: connection.signal
    })
    const parser = createParser({
      onEvent({ id, data }) {
        last = id ?? last
        hear(JSON.parse(data))
      }
    })
    const decoder = new TextDecoder()
    if (!response.ok) return void (await response.body?.cancel())
    for await (const bytes of response.body ?? []) parser.feed(decoder.decode(bytes, { stream: true }))
  }
  const reading = (async () => {
    for (;;) {
      await there.promise
      if (over) return
      await read().catch(() => undefined)
      if (!connection.signal.aborted) await pause(20)
      if (connection.signal.aborted) connection = new AbortController()
    }
  })()
  return {
    transcript: () => transcript,
    faults,
    leave() {
      if (!present) return
      present = false
      there = Promise.withResolvers()
      connection.abort()
    },
    comeBack() {
      present = true
      there.resolve()
    },
    expectGaps() {
      gaps = true
    },
    async stop() {
      over = true
      connection.abort()
      there.resolve()
      await reading
    }
  }
}
