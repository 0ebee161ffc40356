import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { bodyOf } from './form.ts'
import { log } from './server.ts'

/** The fields that the dispatcher uses of a `call.opened` event. */
const OpenedCall = z.object({
  toolCallId: z.string(),
  input: z.object({ order: z.string().max(2000).default('') }),
  answerUrl: z.url()
})

/** The delay of the answer in milliseconds. You can see the pending call during this time. */
const answerDelayMs = 5000

/**
 * Handles a request to the Acme dispatcher, a sample system behind an external tool. It accepts a `call.opened` event
 * of this server (`origin`) at once and answers through its `answerUrl` five seconds later. Responds 422 to other
 * requests.
 *
 * A restart of the server loses the answer, which can also happen with a real system. The call then stays open, and a
 * user can answer it through the same link.
 */
export async function dispatcher(
  origin: string,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  const event = OpenedCall.safeParse(parseJson((await bodyOf(request)) ?? ''))
  if (!event.success || new URL(event.data.answerUrl).origin !== origin)
    return send(response, 422, {
      error: 'The body is not a call.opened event of this server.',
      code: 'INVALID_INPUT'
    })
  const { answerUrl, input } = event.data
  const output = { status: 'planned', order: input.order, wagon: 'Acme 7', leaves: 'tomorrow at 06:40' }
  setTimeout(() => {
    fetch(answerUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ output })
    }).catch(error => log('warn', 'The sample dispatcher could not answer its call.', { error }))
  }, answerDelayMs).unref()
  send(response, 200, { ok: true })
}

function parseJson(text: string): unknown {
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
