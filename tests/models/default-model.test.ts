import { expect, test } from 'vitest'
import { replyText } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('22 B5: an agent whose model is "default" uses the model that the server’s setting names', async () => {
  const { saveAgent, startSession, model } = await startTestServer({
    script: [replyText('Hello.')],
    settings: { WAYSTATION_DEFAULT_MODEL: 'qwen3' }
  })
  const opened = await startSession(await saveAgent({ chat: { model: 'default' } }))
  expect(await opened.runTurn('Hi.')).toMatchObject({ outcome: 'done' })
  expect(model.requests[0]?.body).toMatchObject({ model: 'qwen3' })
})
