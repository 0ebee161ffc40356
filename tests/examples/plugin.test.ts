import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('house-rules.mjs lets tools reach only some hosts, removes card numbers from results, and signs the answers', async () => {
  allowErrors(/: done$/)
  const externalSystem = await startExternalSystem(
    response => void response.end('Paid with 4111 1111 1111 1111.')
  )
  const fetches = (url: string) => ({ name: 'web-fetch', input: { url } })
  const server = await startTestServer({
    script: [
      replyCalls(fetches(`${externalSystem.url}/a`), fetches('http://elsewhere.example/')),
      replyText('It is paid.')
    ],
    settings: { WAYSTATION_PLUGINS: resolve('examples/plugin'), WAYSTATION_EGRESS_ALLOW: externalSystem.host }
  })
  const config = { only: [externalSystem.host], sign: '— the assistant' }
  await server.saveAgent({
    chat: {
      tools: [{ name: 'web-fetch' }],
      plugins: [{ name: 'house-rules', config, onFailure: 'stop' }]
    }
  })
  const session = await server.startSession('test')
  expect(await session.runTurn('was it paid?')).toMatchObject({ outcome: 'done' })
  expect(externalSystem.requests).toHaveLength(1)
  const [firstPrompt, secondPrompt] = server.model.requests.map(({ body }) => JSON.stringify(body.messages))
  expect(firstPrompt).toMatch(/It is 20\d\d-/)
  expect(secondPrompt).toContain('Paid with [card].')
  expect(secondPrompt).toContain('web-fetch may not reach elsewhere.example.')
  expect(await session.agentTexts()).toEqual(['It is paid.\n\n— the assistant'])
  const { messages } = await session.get()
  expect(JSON.stringify(messages)).not.toContain('4111')
})
