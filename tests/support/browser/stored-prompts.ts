import type { ListedPrompt, StoredPrompt } from '@waystation/protocol/session/prompt.ts'
import { jsonSchema, type ModelMessage, streamText, tool } from 'ai'
import { expect } from 'vitest'
import { promptOperations } from '#lib/http/operations/prompts.ts'
import { serverProviders } from '#lib/models/configured.ts'
import { modelFor } from '#lib/models/registry.ts'
import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { replyText } from '#tests/support/fakes/openai-replies.ts'
import { startOpenAIServer } from '#tests/support/fakes/openai-server.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'

/** Returns the stored prompts of a session, oldest first: the list entries, and each complete prompt. */
export async function listStoredPrompts(
  sessionId: string
): Promise<{ listed: ListedPrompt[]; full: StoredPrompt[] }> {
  const listed: ListedPrompt[] = []
  const query: Record<string, string> = { limit: '3' }
  for (;;) {
    const { status, body } = await callEndpoint(promptOperations.list, { params: { sessionId }, query })
    expect(status).toBe(200)
    listed.push(...(body.prompts as ListedPrompt[]))
    if (body.nextBefore === null) break
    query.before = String(body.nextBefore)
  }
  listed.reverse()
  return {
    listed,
    full: await Promise.all(listed.map(({ promptId }) => getStoredPrompt(sessionId, promptId)))
  }
}

/** Returns a complete stored prompt. */
export async function getStoredPrompt(sessionId: string, promptId: number): Promise<StoredPrompt> {
  const { status, body } = await callEndpoint(promptOperations.get, {
    params: { sessionId, promptId: String(promptId) }
  })
  expect(status).toBe(200)
  return body as unknown as StoredPrompt
}

/** Returns the parts of a request that depend on the prompt: the conversation and the tools. */
export const sentOf = ({ body: { messages, tools } }: ModelRequest) => ({ messages, tools })

/** Returns what a provider would receive if the stored prompts were sent again. */
export async function replayPrompts(prompts: readonly StoredPrompt[]): Promise<ReturnType<typeof sentOf>[]> {
  await using model = await startOpenAIServer({ script: () => replyText('Again.') })
  for (const { instructions, messages, tools } of prompts) {
    const result = streamText({
      model: modelFor('default', { providers: serverProviders({ OPENAI_BASE_URL: model.url }) }),
      instructions,
      messages: messages as ModelMessage[],
      tools: Object.fromEntries(
        tools.map(({ name, description, inputSchema }) => [
          name,
          tool({ description, inputSchema: jsonSchema(inputSchema as never) } as never)
        ])
      )
    })
    await result.consumeStream()
  }
  return model.requests.map(sentOf)
}
