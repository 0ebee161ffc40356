import type { IncomingMessage } from 'node:http'

/**
 * A request that the fake provider received. `body` is the chat completions request (`model`, `messages`, `tools`,
 * …).
 */
export type ModelRequest = {
  path: string
  headers: IncomingMessage['headers']
  body: {
    model: string
    messages: { role: string; content: unknown }[]
    stream?: boolean
    [field: string]: unknown
  }
  /** Resolves when the response ends: `finished`, or `disconnected` if the client disconnected before. */
  ended: Promise<'finished' | 'disconnected'>
}
