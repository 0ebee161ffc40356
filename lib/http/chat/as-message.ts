import { asEvents } from '#lib/http/response/formats.ts'
import type { Format } from '#lib/http/stream.ts'
import type { Chunk } from '#lib/protocol/session/event.ts'

/**
 * The chunks of a message in the AI SDK's protocol (ai@7 "Stream Protocol"): each as an event without a name, `[DONE]` at the
 * end. A message that is interrupted breaks the connection, so that the client knows that it can resume.
 */
export const asMessage: Format<unknown, Chunk> = (chunks, about) => {
  let last: Chunk['type'] | undefined
  const remembered = async function* () {
    for await (const chunk of chunks) {
      last = chunk.type
      yield chunk
    }
  }
  const response = asEvents<Chunk>(data => ({ data }))(remembered(), about)
  const { headers } = response
  headers.set('x-vercel-ai-ui-message-stream', 'v1')
  const ending = new TransformStream<Uint8Array, Uint8Array>({
    flush(controller) {
      if (last === 'finish' || last === 'error') controller.enqueue(done)
      else controller.error(new Error('The stream was interrupted before its turn ended.'))
    }
  })
  return new Response(response.body?.pipeThrough(ending), { headers })
}

const done = new TextEncoder().encode('data: [DONE]\n\n')
