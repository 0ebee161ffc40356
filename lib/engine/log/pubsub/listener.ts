import { randomUUID } from 'node:crypto'

export type Listener = (sessionKey: number | null) => void

/** What a bell's rings go out on. */
export type Transport = {
  /** Rings of this many milliseconds leave together. */
  gatherMs: number
  /** The longest text that the line carries, in letters. */
  maxLength: number
  /** Sends one text to the other processes. Never rejects: a ring that is lost costs latency, no more. */
  send(text: string): Promise<void>
}

/** The half of a doorbell that is the same on every line: who hears, and what leaves together. */
export type Channel = {
  publish(sessionKey: number): void
  subscribe(ear: Listener): () => void
  /** What came over the line; `null`, or a text without IDs, for "anything may have happened". */
  receive(text: string | null): void
  /** A text that tells the other processes so. */
  anything: string
  /** Sends what still waits. Nobody hears, and nothing more is sent, after that. */
  close(): Promise<void>
}

/**
 * A bell on a line. Texts are `<process>:<id>,<id>,…`; a process does not hear its own. One group is sent at a time:
 * what rings meanwhile leaves with the next one, so that a slow line costs no memory.
 */
export function openChannel({ gatherMs, maxLength, send }: Transport): Channel {
  const self = randomUUID().slice(0, 8)
  const ears = new Set<Listener>()
  const waiting = new Set<number>()
  /** Set from the first ring of a group until that group is sent. */
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> = Promise.resolve()
  let closed = false

  const tell: Listener = sessionKey => {
    for (const ear of ears) ear(sessionKey)
  }
  const sendWaiting = async () => {
    const texts = written(self, waiting, maxLength)
    waiting.clear()
    for (const text of texts) await send(text)
    timer = undefined
    if (waiting.size > 0) plan()
  }
  const plan = () => {
    if (closed) return
    timer ??= setTimeout(() => {
      sending = sendWaiting()
    }, gatherMs)
  }

  return {
    publish(sessionKey) {
      tell(sessionKey)
      waiting.add(sessionKey)
      plan()
    },
    subscribe(ear) {
      ears.add(ear)
      return () => ears.delete(ear)
    },
    receive(text) {
      if (text === null) return tell(null)
      const [from, ids] = text.split(':')
      if (from === self) return
      if (!ids) return tell(null)
      for (const id of ids.split(',')) tell(Number(id))
    },
    anything: `${self}:`,
    async close() {
      closed = true
      ears.clear()
      clearTimeout(timer)
      await sending
      await sendWaiting()
    }
  }
}

/** The IDs in as few texts as the line allows. */
function written(self: string, ids: Iterable<number>, maxLength: number): string[] {
  const texts: string[] = []
  let text = ''
  for (const id of ids) {
    const next = text === '' ? `${self}:${id}` : `${text},${id}`
    if (next.length > maxLength) {
      texts.push(text)
      text = `${self}:${id}`
    } else text = next
  }
  if (text !== '') texts.push(text)
  return texts
}
