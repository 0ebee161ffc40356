import { Chat } from '@ai-sdk/react'
import { type ChatInit, DefaultChatTransport, isToolUIPart, type UIMessage, type UIMessageChunk } from 'ai'
import { onTestFinished } from 'vitest'
import { serveApi } from '#tests/support/worlds/serve-api.ts'

/** One request of a client and what came back, chunk by chunk. */
export type Exchange = {
  method: string
  body: Record<string, unknown> | undefined
  status: number
  headers: Headers
  chunks: UIMessageChunk[]
  /** Everything that was sent, as it was. */
  raw: string
}

/** The `Chat` of `@ai-sdk/react`, as `useChat` holds it, over the SDK's own transport and real HTTP; nothing of it is changed. */
export class Client extends Chat<UIMessage> {
  readonly exchanges: Exchange[]

  constructor(init: ChatInit<UIMessage>, exchanges: Exchange[]) {
    super(init)
    this.exchanges = exchanges
  }

  /** Resolves once this is so, looked at whenever anything changes. */
  until(holds: () => boolean): Promise<void> {
    return new Promise(resolve => {
      const look = () => {
        if (!holds()) return
        for (const forget of forgets) forget()
        resolve()
      }
      // What `useChat` listens by.
      const forgets = [this['~registerMessagesCallback'](look), this['~registerStatusCallback'](look)]
      look()
    })
  }

  /** Resolves when this many answers have come in whole, and nothing is under way. */
  answers(count: number): Promise<void> {
    return this.until(() => this.exchanges.length >= count && this.status === 'ready')
  }

  part(toolName: string, message = this.messages.findLast(has(toolName))) {
    const part = message?.parts.findLast(part => part.type === `tool-${toolName}`)
    if (part === undefined || !isToolUIPart(part)) throw new Error(`No part of ${toolName} is shown.`)
    return part
  }

  /** What the assistant's messages say. */
  get said(): string[] {
    return this.messages.filter(({ role }) => role === 'assistant').map(textOf)
  }
}

const has = (toolName: string) => (message: UIMessage) =>
  message.parts.some(part => part.type === `tool-${toolName}`)

export const textOf = (message: UIMessage): string =>
  message.parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('|')

/** Opens tabs on a server of its own: each a client of the same session, `s` unless it says otherwise. */
export async function openTabs() {
  const url = await serveApi()
  const authorization = 'Bearer the-admin-key-of-every-test'
  return {
    url,
    authorization,
    tab({
      agentId = 'test',
      more = {},
      ...init
    }: ChatInit<UIMessage> & { agentId?: string | null; more?: object } = {}): Client {
      const exchanges: Exchange[] = []
      const transport = new DefaultChatTransport({
        api: `${url}/api/chat`,
        headers: { authorization },
        body: { ...(agentId === null ? {} : { agentId }), ...more },
        fetch: recording(exchanges)
      })
      const client = new Client({ id: 's', transport, ...init }, exchanges)
      onTestFinished(() => client.stop())
      return client
    },
    /** A post as it is, without a client. */
    async post(body: object) {
      const exchanges: Exchange[] = []
      const response = await recording(exchanges)(`${url}/api/chat`, {
        method: 'POST',
        headers: { authorization },
        body: JSON.stringify(body)
      })
      await response.text()
      return exchanges[0] as Exchange
    }
  }
}

/** `fetch`, writing down what is sent and what comes back. */
const recording =
  (exchanges: Exchange[]): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    const exchange: Exchange = {
      method: init?.method ?? 'GET',
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
      status: response.status,
      headers: response.headers,
      chunks: [],
      raw: ''
    }
    exchanges.push(exchange)
    if (response.body === null) return response
    const decoder = new TextDecoder()
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, controller) {
          exchange.raw += decoder.decode(bytes, { stream: true })
          exchange.chunks = [...exchange.raw.matchAll(/^data: (\{.*\})$/gm)].map(([, data]) =>
            JSON.parse(data!)
          )
          controller.enqueue(bytes)
        }
      })
    )
    return new Response(body, { status: response.status, headers: response.headers })
  }
