import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { parseEgressPolicy } from '#lib/net/egress-policy.ts'
import { safeFetch } from '#lib/net/safe-fetch.ts'
import { calls, says } from '#tests/support/fakes/openai-replies.ts'
import { startOtherSystem } from '#tests/support/fakes/other-system.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const isPrivate = (host: string) =>
  `${host} is a private address, or a name for one, and calls to those are refused. If this target is meant to be reached, whoever runs this server can name it in WAYSTATION_EGRESS_ALLOW.`

test.each([
  ['example.com/page', 'That is not a complete URL. Give one such as https://example.com/page.'],
  ['ftp://a.test/file', 'Only http and https URLs can be called, not ftp: ones.'],
  [
    'https://ada:secret@a.test/',
    'A URL must not carry a user name or password. Leave out what is before the @.'
  ],
  ['https://./', 'That URL names no host.'],
  ['http://127.0.0.1:1/', isPrivate('127.0.0.1')],
  ['http://169.254.169.254/latest/', isPrivate('169.254.169.254')],
  ['http://localhost/', isPrivate('localhost')],
  ['http://[::1]/', isPrivate('::1')]
])('the words for %s, which is refused before anything is sent', async (url, sentence) => {
  await expect(safeFetch(parseEgressPolicy(''), url)).rejects.toThrow(sentence)
})

test('the words for a response that cannot be used', async () => {
  const outside = await startOtherSystem((response, { path }) => {
    if (path === '/br')
      return void response.writeHead(200, { 'content-encoding': 'compress' }).end('not asked for')
    if (path === '/headers') return void response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end()
    if (path === '/moved') return void response.writeHead(302, { location: 'http://10.0.0.1/inside' }).end()
    if (path === '/large') return void response.end('x'.repeat(5000))
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(5000)).subarray(0, 20))
  })
  const rows: [path: string, sentence: string][] = [
    ['/br', 'The answer is compressed in a way that was not asked for.'],
    ['/headers', `${outside.host} sent more headers than we read.`],
    ['/broken', `The answer of ${outside.host} is damaged: it cannot be unpacked.`],
    ['/large', 'The answer is larger than the limit of 4 KiB.'],
    ['/moved', isPrivate('10.0.0.1')]
  ]
  for (const [path, sentence] of rows)
    await expect(
      safeFetch(parseEgressPolicy(outside.host), `${outside.url}${path}`, { maxBytes: 4096 }),
      path
    ).rejects.toThrow(sentence)
})

test('the words that a model reads when a page was not fetched', async () => {
  const outside = await startOtherSystem(
    response => void response.writeHead(200, { 'content-type': 'image/png' }).end('png')
  )
  const urls = [`${outside.url}/p.png`, 'http://10.0.0.1/inside']
  const { agent, session: open } = await testWorld({
    script: [calls(...urls.map(url => ({ name: 'web-fetch', input: { url } }))), says('I see.')],
    settings: { WAYSTATION_EGRESS_ALLOW: outside.host }
  })
  const session = await open(await agent({ chat: { tools: [{ name: 'web-fetch', approval: 'auto' }] } }))
  await session.says('fetch them')
  expect((await session.get()).calls.map(call => call.errorText)).toEqual([
    `${urls[0]} is image/png, which cannot be read as text here. Look for a page or a text version of it.`,
    isPrivate('10.0.0.1')
  ])
})
