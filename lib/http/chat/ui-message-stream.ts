import type { z } from 'zod'
import type { Operation } from '#lib/http/operation.ts'
import type { Handler } from '#lib/http/route.ts'
import { stream } from '#lib/http/stream.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Chunk } from '#lib/protocol/event.ts'

/**
 * A door to a verb that answers with the chunks of a message, in the AI SDK's protocol (ai@7 "Stream Protocol"): each as
 * an event without a name, `[DONE]` at the end. No chunks at all is `204`: there is nothing to follow. What is cut off
 * before its end breaks the connection, so that a client knows that it may resume.
 */
export function uiMessageStream<Input extends z.ZodType>(
  operation: Operation<Input, z.ZodType<Chunk>>,
  verb: (ctx: Ctx, input: z.output<Input>, signal: AbortSignal) => Promise<AsyncIterable<Chunk> | undefined>
): Handler {
  return async (request, context) => {
    let nothing = false
    let last: Chunk['type'] | undefined
    const remembered = async function* (chunks: AsyncIterable<Chunk>) {
      for await (const chunk of chunks) {
        last = chunk.type
        yield chunk
      }
    }
    const answer = stream(
      operation,
      async (ctx, input, signal) => {
        const chunks = await verb(ctx, input, signal)
        nothing = chunks === undefined
        return remembered(chunks ?? none())
      },
      data => ({ data })
    )
    const response = await answer(request, context)
    if (!response.ok || response.body === null) return response
    const { headers } = response
    if (nothing) {
      await response.body.cancel()
      headers.delete('content-type')
      return new Response(null, { status: 204, headers })
    }
    headers.set('x-vercel-ai-ui-message-stream', 'v1')
    const ending = new TransformStream<Uint8Array, Uint8Array>({
      flush(controller) {
        if (last === 'finish' || last === 'error') controller.enqueue(done)
        // The name by which Next knows that it is no failure: it ends the connection and logs nothing.
        else
          controller.error(
            new DOMException('The stream was interrupted before its turn ended.', 'AbortError')
          )
      }
    })
    return new Response(response.body.pipeThrough(ending), { headers })
  }
}

const done = new TextEncoder().encode('data: [DONE]\n\n')

async function* none(): AsyncGenerator<Chunk> {}
