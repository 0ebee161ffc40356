import { z } from 'zod'
import { house } from '#lib/kernel/house.ts'
import { log } from '#lib/kernel/log.ts'

const Opened = z.object({
  toolCallId: z.string(),
  input: z.object({ order: z.string().max(2000).default('') }),
  answerUrl: z.url()
})

/** How long the sample thinks, in milliseconds: long enough to see the wait on the rail. */
const thinkingMs = 5000

/**
 * The Acme dispatcher, a sample outside system of local mode: it accepts `call.opened` at once and answers through the
 * `answerUrl` five seconds later, like any other system would. A restart in between loses its answer, as it may with a
 * real one: the call stays open, and the same link answers it by hand.
 */
export async function sampleDispatcher(request: Request): Promise<Response> {
  const { env } = house()
  if (!env.local)
    return Response.json(
      { error: 'Samples are there in local mode only.', code: 'NOT_FOUND' },
      { status: 404 }
    )
  const opened = Opened.safeParse(await request.json().catch(() => undefined))
  if (!opened.success || new URL(opened.data.answerUrl).origin !== env.url)
    return Response.json(
      { error: 'This is not a call.opened of this server.', code: 'INVALID_INPUT' },
      { status: 422 }
    )
  const { answerUrl, input } = opened.data
  const output = { status: 'planned', order: input.order, wagon: 'Acme 7', leaves: 'tomorrow at 06:40' }
  setTimeout(() => {
    fetch(answerUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ output })
    }).catch(error => log('warn', 'The sample dispatcher could not answer its call.', { error }))
  }, thinkingMs).unref()
  return Response.json({ ok: true })
}
