import { parseEgressPolicy, safeFetch } from '@waystation/egress'
import { expect, test } from 'vitest'
import { outboundError } from '#packages/egress/src/failure.ts'
import { serving } from '#tests/support/fakes/net-listen.ts'

test.each([
  ['ENOTFOUND', 'a.test is not a known host. Check the spelling.'],
  ['EAI_AGAIN', 'a.test could not be resolved. Try again later.'],
  ['ECONNREFUSED', 'a.test refused the connection. Check the host and the port.'],
  ['ECONNRESET', 'a.test closed the connection before its response was complete.'],
  ['HPE_INVALID_CONSTANT', 'a.test sent a response that is not valid HTTP.']
])('%s becomes a sentence that names the host', (code, sentence) => {
  expect(outboundError(Object.assign(new Error(code), { code }), 'a.test')).toMatchObject({
    message: sentence
  })
})

test('errors about limits and redirects contain the limit, and no error quotes a header', async () => {
  const policy = parseEgressPolicy('127.0.0.1')
  await using large = await serving((_request, response) => response.end(Buffer.alloc(2000)))
  await expect(safeFetch(policy, large.origin, { maxBytes: 1024 })).rejects.toThrow('1 KiB')
  await using silent = await serving(() => {})
  await expect(safeFetch(policy, silent.origin, { timeout: 150 })).rejects.toThrow('0.15 seconds')
  await using round = await serving((_request, response) => response.writeHead(302, { location: '/' }).end())
  await expect(safeFetch(policy, round.origin, { maxRedirects: 1 })).rejects.toThrow('more than 1 times')
  const headers = { authorization: 'Bearer a-secret\nof-ada' }
  await expect(safeFetch(policy, large.origin, { headers })).rejects.toThrow(
    /^a header has a name or a value that is not valid$/
  )
})
