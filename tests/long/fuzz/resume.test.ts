import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { anyText, fuzz, fuzzTimeout } from '#tests/support/fuzz.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test(
  'a stream that resumes from any cursor and breaks anywhere continues after the cursor or is rejected',
  async () => {
    const server = await startTestServer({ settings: { WAYSTATION_LIMIT_KEY: '1000000' } })
    const session = await server.startSession()
    for (const text of ['one', 'two', 'three']) await session.runTurn(text)
    const url = await serveApi()
    const { secret } = await createKey(server.ctx, { name: 'Robot', role: 'viewer' })
    const last = (await session.log()).at(-1)?.seq ?? 0
    const cursor = fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 0, max: last }).map(String) },
      fc.integer().map(String),
      fc.bigInt().map(String),
      fc.double().map(String),
      fc.string({ unit: 'grapheme-ascii', maxLength: 30 })
    )
    const inputs = fc.record({
      header: fc.option(cursor),
      query: fc.option(fc.oneof(cursor, anyText())),
      bytes: fc.nat(4_000)
    })
    await fuzz(inputs, async ({ header, query, bytes }) => {
      const address = new URL(`/api/sessions/${session.id}/events`, url)
      if (query !== null) address.searchParams.set('after', query)
      const controller = new AbortController()
      const response = await fetch(address, {
        headers: {
          authorization: `Bearer ${secret}`,
          ...(header === null ? {} : { 'last-event-id': header.trim() })
        },
        signal: controller.signal
      })
      expect(response.status).toBeLessThan(500)
      let text = ''
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true })
        if (text.length >= bytes || response.status !== 200 || text.includes(`id: ${last}\n`)) break
      }
      controller.abort()
      const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
      expect(ids).toEqual(ids.toSorted((a, b) => a - b))
      const from = Number(header ?? query)
      if (/^\d+$/.test(header ?? query ?? '') && from < last && ids.length > 0) expect(ids[0]).toBe(from + 1)
    })
  },
  fuzzTimeout
)
