import type { z } from 'zod'
import { cleanText } from '#lib/kernel/clean-text.ts'
import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/house.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { demand } from '#lib/kernel/scope.ts'
import { callerOf } from './admit.ts'
import { answerWith } from './answer-with.ts'
import { clientAddress } from './client-address.ts'
import { heedLimit } from './heed-limit.ts'
import { jsonAnswer } from './json-answer.ts'
import type { Operation } from './operation.ts'
import { parseInput } from './parse-input.ts'
import { readText } from './read-text.ts'
import type { Handler } from './route.ts'
import { whileHeld } from './while-held.ts'

/** The most that a text may have (api.md "callback 1 MiB"). */
const maxBytes = 1024 * 1024

const nobody: Actor = { kind: 'system', name: 'nobody', workspaceId: '' }

/**
 * A door for a text: the body is the text, whatever its content type says, since curl says that every body is a form
 * (000-15). `judge` says who asks for what from which client IP (`401`, `404`, `429`) before a byte of the body is read; then come
 * its size (`413`) and the verb. A key of a workspace is a credential of its own; without one `judge` sees nobody.
 */
export function textRoute<Answer extends z.ZodType, Asked, Judged extends { link?: string | undefined }>(
  { path, status = 200 }: Operation<z.ZodType, Answer>,
  /** The operation's input without its text. */
  asked: z.ZodType<Asked>,
  judge: (ctx: Ctx, asked: Asked, address: string) => Promise<Judged>,
  verb: (judged: Judged, text: string) => Promise<z.output<Answer>>
): Handler {
  return (request, { params }) =>
    answerWith(request, path, async () => {
      const actor = await keyOrNobody(request)
      const input = parseInput(asked, inputOf(request, await params))
      const judged = await judge(ctxFor(actor), input, clientAddress(request.headers))
      return whileHeld(actor, judged.link, async () =>
        jsonAnswer(await verb(judged, await readText(request, maxBytes)), status)
      )
    })
}

/**
 * `Idempotency-Key` is the `key`; so is the `webhook-id` of a Standard Webhook, whose headers come along, as
 * `Waystation-Message` does. The path wins over the headers, and they over the query.
 */
function inputOf(request: Request, path: unknown): Record<string, unknown> {
  const header = (name: string, ...headers: string[]) => {
    const value = headers.map(one => request.headers.get(one)).find(one => one !== null)
    return value === undefined || value === null ? {} : { [name]: value }
  }
  const given: Record<string, string> = {
    ...Object.fromEntries(new URLSearchParams(request.url.split('?', 2)[1])),
    ...header('key', 'idempotency-key', 'webhook-id'),
    ...header('message', 'waystation-message'),
    ...header('webhookId', 'webhook-id'),
    ...header('webhookTimestamp', 'webhook-timestamp'),
    ...header('webhookSignature', 'webhook-signature'),
    ...(path as Record<string, string>)
  }
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, cleanText(value)]))
}

/** A wrong key never falls back to the link's own credential. */
async function keyOrNobody(request: Request): Promise<Actor> {
  if (!request.headers.has('authorization')) return nobody
  const actor = await callerOf(request)
  if (actor?.kind !== 'key')
    throw new Refusal('UNAUTHENTICATED', 'This API key is not valid. Send an API key of this workspace.')
  await heedLimit(actor)
  demand(actor, 'send')
  return actor
}
