import { gzipSync } from 'node:zlib'
import { parseEgressPolicy, safeFetch } from '@waystation/egress'
import { expect, test } from 'vitest'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const isPrivate = (host: string) =>
  `Blocked: ${host} is a private address, or a name for one. To allow it, the server operator can add it to WAYSTATION_EGRESS_ALLOW.`

test.each([
  ['example.com/page', 'The URL is not complete. Use one such as https://example.com/page.'],
  ['ftp://a.test/file', 'The protocol ftp: is not supported. Use an http or https URL.'],
  [
    'https://ada:secret@a.test/',
    'A URL cannot contain a user name or password. Remove the part before the @.'
  ],
  ['https://./', 'The URL has no host.'],
  ['http://127.0.0.1:1/', isPrivate('127.0.0.1')],
  ['http://169.254.169.254/latest/', isPrivate('169.254.169.254')],
  ['http://localhost/', isPrivate('localhost')],
  ['http://[::1]/', isPrivate('::1')]
])('errors explain why %s is refused before a request is sent', async (url, sentence) => {
  await expect(safeFetch(parseEgressPolicy(''), url)).rejects.toThrow(sentence)
})

test('errors explain why a response cannot be used', async () => {
  const externalServer = await startExternalSystem((response, { path }) => {
    if (path === '/br')
      return void response.writeHead(200, { 'content-encoding': 'compress' }).end('not asked for')
    if (path === '/headers') return void response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end()
    if (path === '/moved') return void response.writeHead(302, { location: 'http://10.0.0.1/inside' }).end()
    if (path === '/large') return void response.end('x'.repeat(5000))
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(5000)).subarray(0, 20))
  })
  const rows: [path: string, sentence: string][] = [
    ['/br', 'The response uses a compression format that was not requested.'],
    ['/headers', `${externalServer.host} sent response headers that are too large.`],
    ['/broken', `The response from ${externalServer.host} is damaged and cannot be decompressed.`],
    ['/large', 'The response is larger than the limit of 4 KiB.'],
    ['/moved', isPrivate('10.0.0.1')]
  ]
  for (const [path, sentence] of rows)
    await expect(
      safeFetch(parseEgressPolicy(externalServer.host), `${externalServer.url}${path}`, { maxBytes: 4096 }),
      path
    ).rejects.toThrow(sentence)
})

test('errors tell the model why a page was not fetched', async () => {
  const externalServer = await startExternalSystem(
    response => void response.writeHead(200, { 'content-type': 'image/png' }).end('png')
  )
  const urls = [`${externalServer.url}/p.png`, 'http://10.0.0.1/inside']
  const { saveAgent, startSession: openSession } = await startTestServer({
    script: [replyCalls(...urls.map(url => ({ name: 'web-fetch', input: { url } }))), replyText('I see.')],
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  const session = await openSession(
    await saveAgent({ chat: { tools: [{ name: 'web-fetch', approval: 'auto' }] } })
  )
  await session.runTurn('fetch them')
  expect((await session.get()).calls.map(call => call.errorText)).toEqual([
    `${urls[0]} has the type image/png, which cannot be read as text. Look for a page or a text version.`,
    isPrivate('10.0.0.1')
  ])
})
