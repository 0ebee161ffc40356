import type { Chunk } from '@waystation/protocol/session/event.ts'
import { asEvents } from '#lib/http/response/formats.ts'
import type { Format } from '#lib/http/stream.ts'

/**
 * Writes a message's chunks in the AI SDK's protocol (ai@7 "Stream Protocol"): unnamed events, with `[DONE]` at the
 * end. If a message is interrupted, the connection breaks, so that the client knows that it can resume.
 */
export const asUiMessage: Format<unknown, Chunk> = (chunks, about) => {
  let lastType: Chunk['type'] | undefined
  const tracked = async function* () {
    for await (const chunk of chunks) {
      lastType = chunk.type
      yield chunk
    }
  }
  const response = asEvents<Chunk>(data => ({ data }))(tracked(), about)
  const { headers } = response
  headers.set('x-vercel-ai-ui-message-stream', 'v1')
  const ending = new TransformStream<Uint8Array, Uint8Array>({
    flush(controller) {
      if (lastType === 'finish' || lastType === 'error') controller.enqueue(doneEvent)
      else controller.error(new Error('The stream was interrupted before its turn ended.'))
    }
  })
  return new Response(response.body?.pipeThrough(ending), { headers })
}

const doneEvent = new TextEncoder().encode('data: [DONE]\n\n')
