import { Chat } from '@ai-sdk/react'
import { type ChatInit, DefaultChatTransport, isToolUIPart, type UIMessage, type UIMessageChunk } from 'ai'
import { onTestFinished } from 'vitest'
import { serveApi } from '#tests/support/servers/serve-api.ts'

/** A request of a client and its response, with the chunks parsed. */
export type Exchange = {
  method: string
  body: Record<string, unknown> | undefined
  status: number
  headers: Headers
  chunks: UIMessageChunk[]
  /** The response body as text. */
  raw: string
}

/** The unmodified `Chat` of `@ai-sdk/react`, as `useChat` holds it, with the transport of the SDK over real HTTP. */
export class Client extends Chat<UIMessage> {
  readonly exchanges: Exchange[]

  constructor(init: ChatInit<UIMessage>, exchanges: Exchange[]) {
    super(init)
    this.exchanges = exchanges
  }

  /** Resolves once the condition is true. Checks it after every change. */
  until(condition: () => boolean): Promise<void> {
    return new Promise(resolve => {
      const check = () => {
        if (!condition()) return
        for (const unregister of unregisters) unregister()
        resolve()
      }
      // The same registration methods that `useChat` uses.
      const unregisters = [this['~registerMessagesCallback'](check), this['~registerStatusCallback'](check)]
      check()
    })
  }

  /** Resolves when this many responses have completed and no request is running. */
  answers(count: number): Promise<void> {
    return this.until(() => this.exchanges.length >= count && this.status === 'ready')
  }

  part(toolName: string, message = this.messages.findLast(has(toolName))) {
    const part = message?.parts.findLast(part => part.type === `tool-${toolName}`)
    if (part === undefined || !isToolUIPart(part)) throw new Error(`No part of ${toolName} is shown.`)
    return part
  }

  /** Returns the texts of the assistant messages. */
  get agentTexts(): string[] {
    return this.messages.filter(({ role }) => role === 'assistant').map(textOf)
  }
}

const has = (toolName: string) => (message: UIMessage) =>
  message.parts.some(part => part.type === `tool-${toolName}`)

export const textOf = (message: UIMessage): string =>
  message.parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('|')

/** Starts an API server and returns a function that opens tabs: clients of one session (default: `s`). */
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
        fetch: recordingFetch(exchanges)
      })
      const client = new Client({ id: 's', transport, ...init }, exchanges)
      onTestFinished(() => client.stop())
      return client
    },
    /** Posts a body without a client. */
    async post(body: object) {
      const exchanges: Exchange[] = []
      const response = await recordingFetch(exchanges)(`${url}/api/chat`, {
        method: 'POST',
        headers: { authorization },
        body: JSON.stringify(body)
      })
      await response.text()
      return exchanges[0] as Exchange
    }
  }
}

/** Wraps `fetch` to record each request and its response. */
const recordingFetch =
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
