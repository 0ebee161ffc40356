import { expect, test } from 'vitest'
import { createDatabase } from '#tests/support/worlds/database.ts'
import { startServer } from '#tests/support/worlds/start-server.ts'

test('a server that is asked to stop while it streams is gone within ten seconds', async () => {
  const server = await startServer({ DATABASE_URL: (await createDatabase()).url })
  const headers = { authorization: `Bearer ${server.apiKey}` }
  const stream = await fetch(`${server.url}/api/sessions/welcome/events?after=0`, { headers })
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  const began = performance.now()
  server.process.kill('SIGTERM')
  await stream.text().catch(() => 'cut off')
  expect(await server.exited).toBe(0)
  expect(performance.now() - began).toBeLessThan(10_000)
})
