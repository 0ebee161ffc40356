import type { CallView } from './agent-calls.ts'

/** A file that a user sent. `url` is valid for 15 minutes. */
export type SentFile = { fileId: string; name: string; type: string; size: number; url: string }

/** A message of a user, or a signal of another system (`oob`). */
export type UserMessage = {
  type: 'user' | 'oob'
  id: string
  text: string
  createdAt: string
  files?: SentFile[]
  source?: string
  priority?: string
}

/** The other messages of the server. Types that a newer server adds have at least these fields. */
export type OtherMessage = { type: string; id?: string; createdAt?: string } & Record<string, unknown>

/** A request of the server. See "Receive messages" in docs/external-agents.md. */
export type Delivery = {
  sessionId: string
  agentId: string
  callbackUrl: string
  callsUrl: string
  message: UserMessage | ({ type: 'call.settled'; createdAt: string } & CallView) | OtherMessage
  history?: { role: 'user' | 'assistant'; id: string; text: string; createdAt: string }[]
}

/** Returns the delivery in a body, or undefined if it is none. */
export function readDelivery(body: Uint8Array): Delivery | undefined {
  try {
    const delivery = Object(JSON.parse(new TextDecoder().decode(body)))
    const { sessionId, agentId, callbackUrl, message } = delivery
    const isText = [sessionId, agentId, callbackUrl, Object(message).type].every(
      one => typeof one === 'string'
    )
    return isText ? delivery : undefined
  } catch {
    return undefined
  }
}
