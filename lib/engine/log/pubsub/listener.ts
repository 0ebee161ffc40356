import { randomUUID } from 'node:crypto'

/** Receives the key of a session that has changed; null means that any session can have changed. */
export type Listener = (sessionKey: number | null) => void

/** Sends notifications to other processes. */
export type Transport = {
  /** Notifications are collected for this many milliseconds and sent together. */
  gatherMs: number
  /** Maximum length of a text, in characters. */
  maxLength: number
  /** Sends one text to the other processes. Never rejects: a lost notification only costs latency. */
  send(text: string): Promise<void>
}

/** The part of a `PubSub` that does not depend on the transport. */
export type Channel = {
  publish(sessionKey: number): void
  subscribe(listener: Listener): () => void
  /** Handles a text from the transport. `null`, or a text without IDs, means that any session can have changed. */
  receive(text: string | null): void
  /** The text that tells other processes that any session can have changed. */
  anything: string
  /** Sends the waiting notifications, then stops. Listeners are no longer called. */
  close(): Promise<void>
}

/**
 * Opens a channel on a transport. Texts have the form `<process>:<id>,<id>,…`, and a process ignores its own.
 * Groups are sent one at a time and later notifications join the next one, so a slow transport uses no extra
 * memory.
 */
export function openChannel({ gatherMs, maxLength, send }: Transport): Channel {
  const self = randomUUID().slice(0, 8)
  const listeners = new Set<Listener>()
  const waiting = new Set<number>()
  /** Set from the first notification of a group until the group is sent. */
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> = Promise.resolve()
  let closed = false

  const notifyListeners: Listener = sessionKey => {
    for (const listener of listeners) listener(sessionKey)
  }
  const sendWaiting = async () => {
    const texts = encode(self, waiting, maxLength)
    waiting.clear()
    for (const text of texts) await send(text)
    timer = undefined
    if (waiting.size > 0) schedule()
  }
  const schedule = () => {
    if (closed) return
    timer ??= setTimeout(() => {
      sending = sendWaiting()
    }, gatherMs)
  }

  return {
    publish(sessionKey) {
      notifyListeners(sessionKey)
      waiting.add(sessionKey)
      schedule()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    receive(text) {
      if (text === null) return notifyListeners(null)
      const [from, ids] = text.split(':')
      if (from === self) return
      if (!ids) return notifyListeners(null)
      for (const id of ids.split(',')) notifyListeners(Number(id))
    },
    anything: `${self}:`,
    async close() {
      closed = true
      listeners.clear()
      clearTimeout(timer)
      await sending
      await sendWaiting()
    }
  }
}

/** Encodes the IDs in as few texts as `maxLength` permits. */
function encode(self: string, ids: Iterable<number>, maxLength: number): string[] {
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
