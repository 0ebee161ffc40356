import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { bodyOf } from './form.ts'
import { log } from './server.ts'

const Opened = z.object({
  toolCallId: z.string(),
  input: z.object({ order: z.string().max(2000).default('') }),
  answerUrl: z.url()
})

/** How long the sample thinks, in milliseconds: long enough to see the pending call. */
const thinkingMs = 5000

/**
 * The Acme dispatcher, a sample external system. It accepts `call.opened` of this server (`origin`) at once and answers
 * through the `answerUrl` five seconds later. A restart in between loses its answer, as it may with a real system: the
 * call stays open, and the same link answers it by hand. Responds 422 to anything else.
 */
export async function dispatcher(
  origin: string,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  const opened = Opened.safeParse(jsonIn((await bodyOf(request)) ?? ''))
  if (!opened.success || new URL(opened.data.answerUrl).origin !== origin)
    return send(response, 422, {
      error: 'The body is not a call.opened event of this server.',
      code: 'INVALID_INPUT'
    })
  const { answerUrl, input } = opened.data
  const output = { status: 'planned', order: input.order, wagon: 'Acme 7', leaves: 'tomorrow at 06:40' }
  setTimeout(() => {
    fetch(answerUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ output })
    }).catch(error => log('warn', 'The sample dispatcher could not answer its call.', { error }))
  }, thinkingMs).unref()
  send(response, 200, { ok: true })
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const send = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
