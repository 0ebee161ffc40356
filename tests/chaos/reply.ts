import type { Delivered, ExternalServices } from './external-services.ts'
import type { Random } from './seeded.ts'
import { type Run, sendOperation } from './send-operation.ts'

/**
 * Acts as the external agent: sends one reply to each message under its own key, one after the other in each
 * session.
 */
export function reply(run: Run, { onMessage }: ExternalServices, random: Random): void {
  const last = new Map<string, Promise<unknown>>()
  onMessage(message => {
    const next = (last.get(message.session) ?? Promise.resolve()).then(() => sendReply(run, random, message))
    last.set(message.session, next)
  })
}

function sendReply(run: Run, random: Random, { session, key, callbackUrl }: Delivered) {
  const { pathname, search } = new URL(callbackUrl)
  const own = `r-${key}`
  return sendOperation(run, random, {
    verb: 'callback',
    session,
    sender: `${session} agent`,
    key: own,
    path: `${pathname}${search}`,
    text: `reply ${own} in ${session}`,
    headers: { 'content-type': 'text/plain', 'idempotency-key': own }
  })
}
