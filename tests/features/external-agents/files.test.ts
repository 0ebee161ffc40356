import type { Message } from '@waystation/protocol/session/message.ts'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { rotateLinkSecret } from '#lib/auth/workspaces/rotate-link-secret.ts'
import { resendMessage } from '#lib/deliveries/resend-message.ts'
import { rotateAgentSecret } from '#lib/features/external-agents/agent-secrets.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { fileOperations } from '#lib/http/operations/files.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { callEndpoint, requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { acme, asAgent, reply, tokenOfAda } from './acme.ts'
import { signed } from './signed.ts'

const params = { sessionId: 'order-1' }
const bytes = Uint8Array.from([0x25, 0x50, 0x44, 0x46, 0x2d, 0, 0xff, 0xfe, 10])
const bodyOf = ({ body }: { body: string }) => JSON.parse(body)

afterEach(() => {
  vi.useRealTimers()
})

/** Uploads a file as the end user Ada, and returns its ID. */
async function upload(name: string, raw: Uint8Array<ArrayBuffer>, token: string): Promise<string> {
  const { status, body } = await callEndpoint(fileOperations.upload, { params, query: { name }, raw }, token)
  expect(status).toBe(201)
  return String(body.id)
}

/** Requests the link to a sent file, without other credentials. */
async function open(url: string, change: Record<string, string> = {}) {
  const { pathname, searchParams } = new URL(url)
  const [, sessionId = '', fileId = ''] = /sessions\/([^/]+)\/files\/([^/]+)$/.exec(pathname) ?? []
  const token = change.token ?? searchParams.get('token') ?? ''
  const response = await requestEndpoint(externalOperations.sentFile, {
    params: { sessionId, fileId, ...change },
    query: { token }
  })
  const isFile = response.status === 200
  return {
    status: response.status,
    headers: response.headers,
    content: isFile ? Buffer.from(await response.arrayBuffer()) : undefined,
    code: isFile ? undefined : (await response.json()).code
  }
}

test('000-20: an end user sends files to an external agent, which reads each by a link that is valid for 15 minutes', async () => {
  let isUp = false
  const { ctx, externalSystem, session, ...server } = await acme({}, response =>
    isUp ? void response.end('ok') : void response.writeHead(503).end()
  )
  const ada = await tokenOfAda()
  const { body: view } = await callEndpoint(sessionOperations.get, { params }, ada)
  expect(view.session).toMatchObject({ attaching: { all: true, perMessage: 20 } })
  const files = [
    await upload('order.pdf', bytes, ada),
    await upload('page.html', Buffer.from('<script>1</script>'), ada)
  ]
  const sent = await callEndpoint(
    sessionOperations.send,
    { params, body: { text: 'See these.', files } },
    ada
  )
  expect(sent.status).toBe(202)
  const { message } = bodyOf(await externalSystem.request(0))
  const link = new RegExp(`^${server.env.url}/external/sessions/order-1/files/${files[0]}\\?token=`)
  expect(message).toMatchObject({
    text: 'See these.',
    files: [
      {
        fileId: files[0],
        name: 'order.pdf',
        type: 'application/pdf',
        size: 9,
        url: expect.stringMatching(link)
      },
      { fileId: files[1], name: 'page.html', type: 'text/html', size: 18, url: expect.any(String) }
    ]
  })
  const [pdf, html] = message.files.map(({ url }: { url: string }) => url)
  const { content, headers } = await open(pdf)
  expect(content).toEqual(Buffer.from(bytes))
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-disposition': expect.stringMatching(/^attachment; filename="?order.pdf"?$/),
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox')
  })
  expect((await open(html)).headers.get('content-disposition')).toContain('attachment')

  // Each link opens one file of one session.
  const token = new URL(pdf).searchParams.get('token') ?? ''
  const forged = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
  expect(await open(html, { token })).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
  expect(await open(pdf, { token: forged })).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
  expect(await open(pdf, { token: token.replace('~1~', '~2~') })).toMatchObject({ status: 401 })
  expect(await open(pdf, { token: '' })).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
  await createSession(ctx, { agentId: 'acme', sessionId: 'order-2' })
  expect(await open(pdf, { sessionId: 'order-2' })).toMatchObject({ status: 404, code: 'NOT_FOUND' })

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 14 * 60_000 })
  expect((await open(pdf)).status).toBe(200)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
  expect(await open(pdf)).toMatchObject({ status: 410, code: 'EXPIRED' })
  // Each attempt has links of its own.
  isUp = true
  await resendMessage(ctx, { ...params, messageId: String(sent.body.messageId) })
  const [again] = bodyOf(await externalSystem.request(1)).message.files
  expect((await open(again.url)).status).toBe(200)
  vi.useRealTimers()

  await deleteSession(ctx, params)
  expect(await open(again.url)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  await createSession(ctx, { agentId: 'acme', ...params })
  expect(await open(again.url)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
})

test('000-11, 000-20: a history brings the files of earlier messages, with links', async () => {
  const { externalSystem, send, token } = await acme({ history: 5 })
  const query = { name: 'notes.txt' }
  const { body: file } = await asAgent(externalOperations.replyFile, token, { query, raw: 'two crates' })
  await asAgent(externalOperations.reply, token, { body: { fileIds: [file.id] } })
  await send('hello')
  const { history, message } = bodyOf(await externalSystem.request(0))
  expect(message).not.toHaveProperty('files')
  expect(history).toMatchObject([
    { role: 'assistant', text: '', files: [{ fileId: file.id, name: 'notes.txt', size: 10 }] }
  ])
  expect((await open(history[0].files[0].url)).content?.toString()).toBe('two crates')
})

test('000-20: replacing the link secret ends the links to files, and a data: URL is sent as a file', async () => {
  const { ctx, externalSystem } = await acme()
  const file = {
    type: 'file',
    mediaType: 'text/plain',
    filename: 'note.txt',
    url: 'data:text/plain,two%20crates'
  }
  await sendMessage(ctx, SendMessage.parse({ ...params, parts: [file] }))
  const { message } = bodyOf(await externalSystem.request(0))
  expect(message).toMatchObject({
    text: '',
    files: [{ name: 'note.txt', type: 'text/plain', size: 10, fileId: expect.any(String) }]
  })
  const [{ url }] = message.files
  expect((await open(url)).content?.toString()).toBe('two crates')
  const owner = { kind: 'person', userId: 'o', name: 'Olga', role: 'owner', workspaceId: 'default' } as const
  await rotateLinkSecret({ ...ctx, actor: owner } as never, {})
  expect(await open(url)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
})

test('000-16, 000-20: an external agent replies with files, which are shown like other files, with the receipt of a text reply', async () => {
  const { ctx, token, send } = await acme()
  const { messageId } = await send('The invoice, please.')
  const put = (name: string, raw: Uint8Array<ArrayBuffer> | string, headers = {}) =>
    asAgent(externalOperations.replyFile, token, { query: { name }, raw, headers })
  const post = (body: unknown, headers = {}) => asAgent(externalOperations.reply, token, { body, headers })
  const stored = await put('invoice.pdf', bytes, { 'idempotency-key': 'f1' })
  expect(stored).toEqual({
    status: 201,
    body: {
      id: expect.stringMatching(/^file_/),
      name: 'invoice.pdf',
      mediaType: 'application/pdf',
      size: 9,
      url: `/api/sessions/order-1/files/${stored.body.id}`
    }
  })
  expect(await put('invoice.pdf', bytes, { 'idempotency-key': 'f1' })).toEqual(stored)
  const body = { text: 'Here it is.\n', inReplyTo: messageId, fileIds: [stored.body.id] }
  const receipt = await post(body, { 'idempotency-key': 'r1' })
  expect(receipt).toEqual({ status: 200, body: { ok: true, messageId: expect.any(String) } })
  expect(await post(body, { 'idempotency-key': 'r1' })).toEqual(receipt)
  expect((await post({ text: 'Other' }, { 'idempotency-key': 'r1' })).body.code).toBe('KEY_REUSED')

  const alone = await put('notes.txt', 'two crates')
  expect((await post({ fileIds: [alone.body.id] })).status).toBe(200)
  const messages = async (): Promise<Message[]> => (await getSession(ctx, params)).messages
  const shown = (await messages()).slice(1)
  expect(shown).toMatchObject([
    {
      id: receipt.body.messageId,
      role: 'assistant',
      metadata: { sentBy: 'Acme', inReplyTo: messageId },
      parts: [
        { type: 'text', text: 'Here it is.' },
        { type: 'file', filename: 'invoice.pdf', mediaType: 'application/pdf', url: stored.body.url }
      ]
    },
    { role: 'assistant', parts: [{ type: 'file', filename: 'notes.txt', mediaType: 'text/plain' }] }
  ])
  const { sessions } = (await callEndpoint(sessionOperations.list)).body as {
    sessions: { snippet: string }[]
  }
  expect(sessions[0]?.snippet).toBe('notes.txt')
  const ada = await tokenOfAda()
  const read = await requestEndpoint(fileOperations.get, {
    params: { ...params, fileId: String(stored.body.id) },
    headers: { authorization: `Bearer ${ada}` }
  })
  expect(Buffer.from(await read.arrayBuffer())).toEqual(Buffer.from(bytes))

  // A text reply has the same key for both endpoints.
  const text = await reply('Bye.', { token }, { 'idempotency-key': 'r2' })
  expect(await post({ text: 'Bye.' }, { 'idempotency-key': 'r2' })).toEqual(text)
  expect(await messages()).toHaveLength(4)
})

test('000-20: a reply with a file that is unknown, sent or of another session is refused, and nothing is stored', async () => {
  const { ctx, token } = await acme()
  await createSession(ctx, { agentId: 'acme', sessionId: 'order-2' })
  const headers = { authorization: 'Bearer the-admin-key-of-every-test' }
  const put = (sessionId: string) =>
    asAgent(externalOperations.replyFile, undefined, {
      params: { sessionId },
      query: { name: 'a.txt' },
      raw: 'a',
      headers
    })
  const [mine, foreign] = [await put('order-1'), await put('order-2')]
  const post = (body: unknown) => asAgent(externalOperations.reply, token, { body })
  expect((await post({ fileIds: [mine.body.id] })).status).toBe(200)
  for (const [body, status, code] of [
    [{ fileIds: [foreign.body.id] }, 422, 'INVALID_INPUT'],
    [{ fileIds: [mine.body.id] }, 422, 'INVALID_INPUT'],
    [{ fileIds: ['file_unknown'] }, 422, 'INVALID_INPUT'],
    [{ text: 'Lost.', inReplyTo: 'msg_unknown' }, 422, 'INVALID_INPUT'],
    [{ text: 1 }, 422, 'INVALID_INPUT'],
    [{ text: ' \n' }, 400, 'EMPTY_MESSAGE'],
    [{}, 400, 'EMPTY_MESSAGE'],
    [{ text: 'x'.repeat(1024 * 1024 + 1) }, 413, 'TOO_LARGE']
  ] as const) {
    const answer = await post(body)
    expect([answer.status, answer.body.code], JSON.stringify(body).slice(0, 80)).toEqual([status, code])
  }
  expect((await getSession(ctx, params)).messages).toHaveLength(1)
})

test('000-16: an upload needs the link or a key, and the signature of an agent with a secret', async () => {
  const { ctx, token, sql } = await acme()
  const put = async (token: string | undefined, headers = {}, raw = bytes) => {
    const query = { name: 'a.pdf' }
    const { status, body } = await asAgent(externalOperations.replyFile, token, { query, raw, headers })
    return [status, body.code]
  }
  const forged = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
  const large = new Uint8Array(10 * 1024 * 1024 + 1)
  expect(await put(undefined, {}, large)).toEqual([401, 'UNAUTHENTICATED'])
  expect(await put(forged, {}, large)).toEqual([401, 'UNAUTHENTICATED'])
  expect(await put(token, {}, large)).toEqual([413, 'TOO_LARGE'])
  expect(await put(token, {}, new Uint8Array())).toEqual([422, 'INVALID_INPUT'])
  expect(await put(token, { 'content-type': 'image/png' }, Uint8Array.from([1]))).toEqual([
    415,
    'UNSUPPORTED_TYPE'
  ])
  const { secret } = await rotateAgentSecret(ctx, { agentId: 'acme', overlapSeconds: 0 })
  expect(await put(token)).toEqual([401, 'UNAUTHENTICATED'])
  expect(await put(undefined, signed(secret, bytes))).toEqual([401, 'UNAUTHENTICATED'])
  expect(await put(token, signed(secret, bytes.slice(1)))).toEqual([401, 'UNAUTHENTICATED'])
  expect(await sql`select from files`).toHaveLength(0)
  expect(await put(token, signed(secret, bytes))).toEqual([201, undefined])
  expect(await sql`select from files`).toHaveLength(1)
})
