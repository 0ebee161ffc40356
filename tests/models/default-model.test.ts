import { expect, test } from 'vitest'
import { says } from '#tests/support/fakes/openai-replies.ts'
import { testWorld } from '#tests/support/servers/test-server.ts'

test('22 B5: an agent whose model is "default" uses the model that the server’s setting names', async () => {
  const { agent, session, model } = await testWorld({
    script: [says('Hello.')],
    settings: { WAYSTATION_DEFAULT_MODEL: 'qwen3' }
  })
  const opened = await session(await agent({ chat: { model: 'default' } }))
  expect(await opened.says('Hi.')).toMatchObject({ outcome: 'done' })
  expect(model.requests[0]?.body).toMatchObject({ model: 'qwen3' })
})
