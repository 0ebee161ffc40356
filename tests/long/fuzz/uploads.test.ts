import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { anyText, fuzz, fuzzTimeout, mutated } from '#tests/support/fuzz.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const multipart = [
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhi\r\n--b--\r\n',
  '--b\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\n1\r\n--b\r\n\r\n--b--'
]
const files = [
  '{"title":"A","text":"b"}',
  '[{"title":"A"}]',
  '<html><body>x</body></html>',
  '%PDF-1.7\n',
  'GIF89a'
]
const pieces = ['--b', '\r\n', '\r\n\r\n', '--', '"', ';', 'filename=', '\u0000', '[', '{', '<']

test(
  '001-21: every upload, multipart or not, is stored or rejected, and none breaks the server',
  async () => {
    const server = await startTestServer({ settings: { WAYSTATION_LIMIT_KEY: '1000000' } })
    const session = await server.startSession()
    const url = await serveApi()
    const { secret } = await createKey(server.ctx, { name: 'Robot', role: 'editor' })
    const type = fc.oneof(
      fc.constantFrom(
        'multipart/form-data; boundary=b',
        'multipart/form-data',
        'text/plain',
        'image/png',
        ''
      ),
      fc.string({ unit: 'grapheme-ascii', maxLength: 30 }).map(text => text.trim())
    )
    const inputs = fc.record({
      path: fc.constantFrom(`/api/sessions/${session.id}/files`, '/api/wikis/notes/import'),
      name: fc.option(anyText()),
      type,
      body: fc.oneof(
        mutated(fc.constantFrom(...multipart, ...files), pieces).map(text => Buffer.from(text)),
        fc.uint8Array({ maxLength: 3_000 }).map(bytes => Buffer.from(bytes))
      )
    })
    await fuzz(inputs, async ({ path, name, type, body }) => {
      const address = new URL(path, url)
      if (name !== null) address.searchParams.set('name', name)
      address.searchParams.set('file', `${name ?? 'a'}.json`)
      const headers = { authorization: `Bearer ${secret}`, ...(type === '' ? {} : { 'content-type': type }) }
      const response = await fetch(address, { method: 'POST', headers, body })
      const result = (await response.json()) as { code?: string }
      expect(response.status, JSON.stringify(result)).toBeLessThan(500)
      if (response.status >= 400) expect(result.code).toMatch(/^[A-Z_]+$/)
      await server.sql`delete from files`
    })
  },
  fuzzTimeout
)
