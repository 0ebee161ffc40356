import { setTimeout as pause } from 'node:timers/promises'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { applyEvent, emptyTranscript, type Transcript } from '@waystation/protocol/session/fold.ts'
import { createParser } from 'eventsource-parser'

/** Follows a session over HTTP and folds its events, as a browser does. */
export type Reader = {
  transcript(): Transcript
  /** Events that should not have arrived, or are missing. */
  faults: string[]
  /** Breaks the connection. */
  disconnect(): void
  /** Reconnects and resumes after the last received ID. */
  reconnect(): void
  /** Stops reporting gaps in the sequence, because compaction now removes events. */
  expectGaps(): void
  stop(): Promise<void>
}

/** Starts to follow a session from its first event. Reconnects until `stop` is called. */
export function startReader(url: string, headers: Record<string, string>): Reader {
  let transcript = emptyTranscript
  let last = '0'
  let isStopped = false
  let allowsGaps = false
  let isPresent = true
  let connection = new AbortController()
  let connected = Promise.withResolvers<void>()
  connected.resolve()
  const faults: string[] = []
  const receive = (event: SessionEvent) => {
    const { cursor } = transcript
    if (event.type !== 'reset' && event.seq <= cursor) faults.push(`${event.seq} came behind ${cursor}.`)
    if (!allowsGaps && event.type !== 'reset' && event.seq > cursor + 1 && cursor > 0)
      faults.push(`Nothing was told between ${cursor} and ${event.seq}.`)
    transcript = applyEvent(transcript, event)
  }
  const readStream = async () => {
    const response = await fetch(url, {
      headers: { ...headers, 'last-event-id': last },
      signal: connection.signal
    })
    const parser = createParser({
      onEvent({ id, data }) {
        last = id ?? last
        receive(JSON.parse(data))
      }
    })
    const decoder = new TextDecoder()
    if (!response.ok) return void (await response.body?.cancel())
    for await (const bytes of response.body ?? []) parser.feed(decoder.decode(bytes, { stream: true }))
  }
  const reading = (async () => {
    for (;;) {
      await connected.promise
      if (isStopped) return
      await readStream().catch(() => undefined)
      if (!connection.signal.aborted) await pause(20)
      if (connection.signal.aborted) connection = new AbortController()
    }
  })()
  return {
    transcript: () => transcript,
    faults,
    disconnect() {
      if (!isPresent) return
      isPresent = false
      connected = Promise.withResolvers()
      connection.abort()
    },
    reconnect() {
      isPresent = true
      connected.resolve()
    },
    expectGaps() {
      allowsGaps = true
    },
    async stop() {
      isStopped = true
      connection.abort()
      connected.resolve()
      await reading
    }
  }
}
