import type { z } from 'zod'
import { cleanText } from '#lib/kernel/clean-text.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor, house } from '#lib/kernel/house.ts'
import { isImage } from '#lib/protocol/kept-file.ts'
import { admit } from './admit.ts'
import { answerWith } from './answer-with.ts'
import { readableByPage } from './cors.ts'
import { heedLimit } from './heed-limit.ts'
import { jsonAnswer } from './json-answer.ts'
import type { Operation } from './operation.ts'
import { parseInput } from './parse-input.ts'
import { readBytes } from './read-bytes.ts'
import { readInput } from './read-input.ts'
import type { Handler } from './route.ts'
import { whileHeld } from './while-held.ts'

/** What came as a body, and what it is said to be. */
type Given = { declared: string; bytes: Uint8Array }

/**
 * A door for a file's bytes. Who may not come in, asks for nothing that is there (`judge`) or asks it wrongly is told so
 * before a byte of it is read.
 */
export function bytesRoute<Input extends z.ZodType<object>, Answer extends z.ZodType>(
  operation: Operation<Input, Answer>,
  judge: (ctx: Ctx, input: z.output<Input>) => Promise<unknown>,
  verb: (ctx: Ctx, input: z.output<Input> & Given) => Promise<z.output<Answer>>
): Handler {
  return (request, { params }) =>
    readableByPage(request, operation, () =>
      answerWith(request, operation.path, async () => {
        const actor = await admit(request, operation)
        await heedLimit(actor)
        const input = parseInput(operation.input, asked(request, await params))
        const ctx = ctxFor(actor)
        await judge(ctx, input)
        const declared = request.headers.get('content-type') ?? ''
        return whileHeld(actor, undefined, async () => {
          const bytes = await readBytes(request, house().env.files.bytes)
          return jsonAnswer(await verb(ctx, { ...input, declared, bytes }), operation.status)
        })
      })
    )
}

/** The path wins, then the header, then the query. */
function asked(request: Request, params: unknown): Record<string, string> {
  const key = request.headers.get('idempotency-key')
  const given = {
    ...Object.fromEntries(new URL(request.url).searchParams),
    ...(key === null ? {} : { key }),
    ...(params as Record<string, string>)
  }
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, cleanText(value)]))
}

type Read = { name: string; mediaType: string; digest: string; bytes: Uint8Array | null }

/**
 * A door to a file as somebody uploaded it, which may be anything. It is never shown as a page of ours: an image whose bytes
 * say so is shown, everything else is saved, and nothing in it runs (ASVS 5.0, 3.2.1 and 5.4). Browsers keep it and ask each
 * time whether they still may; `digest` is what they have.
 */
export function bytesAnswer<Input extends z.ZodType<object>>(
  operation: Operation<Input, z.ZodType>,
  verb: (ctx: Ctx, input: z.output<Input> & { digest?: string | undefined }) => Promise<Read>
): Handler {
  return (request, { params }) =>
    readableByPage(request, operation, () =>
      answerWith(request, operation.path, async () => {
        const actor = await admit(request, operation)
        await heedLimit(actor)
        const input = await readInput(request, await params, operation)
        const known = /"([\da-f]{64})"/.exec(request.headers.get('if-none-match') ?? '')?.[1]
        const { name, mediaType, digest, bytes } = await verb(ctxFor(actor), { ...input, digest: known })
        const headers = {
          etag: `"${digest}"`,
          'cache-control': 'private, no-cache',
          'content-security-policy': "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
          'cross-origin-resource-policy': 'same-origin',
          'x-content-type-options': 'nosniff'
        }
        if (bytes === null) return new Response(null, { status: 304, headers })
        return new Response(bytes as Uint8Array<ArrayBuffer>, {
          headers: {
            ...headers,
            'content-type': mediaType,
            'content-length': String(bytes.byteLength),
            'content-disposition': disposition(isImage(mediaType) ? 'inline' : 'attachment', name)
          }
        })
      })
    )
}

/** With its name as it is, and in ASCII for who cannot read that (RFC 6266, 4.3; RFC 8187). */
function disposition(how: 'inline' | 'attachment', name: string): string {
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `${how}; filename="${name.replaceAll(/[^\x20-\x7e]|["\\]/g, '_')}"; filename*=UTF-8''${exact}`
}
