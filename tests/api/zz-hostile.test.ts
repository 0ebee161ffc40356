import { connect as tcp } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { AgentConfig } from '#lib/protocol/agent.ts'
import { callbackLinkOf } from '#lib/sessions/callback-link-of.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { createKey } from '#lib/auth/create-key.ts'
import { serveApi } from '#tests/support/serve-api.ts'
import { testWorld } from '#tests/support/world.ts'

const wait = (ms: number) => new Promise(r => setTimeout(r, ms))
async function raw(url: string, text: string | Buffer, ms = 500, leave = false) {
  const { port } = new URL(url)
  const socket = tcp(Number(port), '127.0.0.1')
  let got = ''
  socket.on('data', d => { got += d })
  socket.on('error', e => { got += `\n[${e.message}]` })
  socket.on('close', () => { got += '\n[closed]' })
  await once(socket, 'connect')
  socket.write(text)
  await wait(leave ? 60 : ms)
  if (leave) { socket.resetAndDestroy(); await wait(ms) }
  socket.destroy()
  return got.replace(/Date:.*\r\n/g, '').slice(0, 900)
}

test('raw', async () => {
  const world = await testWorld()
  const external = { inputUrl: 'https://acme.example/in' }
  await createAgent(world.ctx, AgentConfig.parse({ agentId: 'acme', displayName: 'Acme', type: 'external', external }))
  await createSession(world.ctx, { agentId: 'acme', sessionId: 's1' })
  const { callbackUrl } = await callbackLinkOf(world.ctx, { sessionId: 's1' })
  const cb = new URL(callbackUrl); const path = cb.pathname + cb.search
  const { secret } = await createKey(world.ctx, { name: 'Robot', role: 'owner' })
  const auth = `Authorization: Bearer ${secret}\r\n`
  const url = await serveApi()
  const show = async (name: string, text: string, ms?: number, leave?: boolean) => console.log(`--- ${name}\n${await raw(url, text, ms, leave)}`)
  await show('bad host GET sessions', `GET /api/sessions HTTP/1.1\r\nHost: [\r\n${auth}\r\n`)
  await show('bad host w/ origin', `GET /api/sessions/x HTTP/1.1\r\nHost: a b<>\r\nOrigin: https://x\r\nAuthorization: Bearer wst_abc\r\n\r\n`)
  await show('OPTIONS bad host', `OPTIONS /api/sessions/x HTTP/1.1\r\nHost: ^^\r\nOrigin: https://x\r\n\r\n`)
  await show('no host http/1.0', `GET /api/health HTTP/1.0\r\n\r\n`)
  await show('401 unread body then smuggle', `POST /api/sessions/x/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\nGET /api/health HTTP/1.1\r\nHost: smuggle\r\n` + `GET /api/openapi.jsonX HTTP/1.1\r\nHost: x\r\n\r\n`)
  await show('413 declared', `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\nabc`)
  const chunk = 'x'.repeat(65536)
  await show('413 chunked', `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n` + `10000\r\n${chunk}\r\n`.repeat(20), 1500)
  await show('413 chunked api', `POST /api/agents HTTP/1.1\r\nHost: x\r\n${auth}Transfer-Encoding: chunked\r\n\r\n` + `10000\r\n${chunk}\r\n`.repeat(40), 1500)
  await show('leave in the middle', `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\nabc`, 400, true)
  await show('leave in the middle api', `POST /api/agents HTTP/1.1\r\nHost: x\r\n${auth}Content-Length: 5000\r\n\r\nabc`, 400, true)
  await show('expect', `POST /api/agents HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5000\r\n\r\n`)
  await show('CL+TE', `POST /api/agents HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`)
  await show('proto params', `GET /api/sessions/__proto__ HTTP/1.1\r\nHost: x\r\n${auth}\r\n`)
  await show('null', `GET /api/sessions/%00 HTTP/1.1\r\nHost: x\r\n${auth}\r\n`)
  await show('slash', `GET /api/sessions/a%2Fb%3f%0d%0aX-Foo:1 HTTP/1.1\r\nHost: x\r\n${auth}\r\n`)
  await show('query proto', `GET /api/sessions?__proto__=1&constructor=2&status=idle HTTP/1.1\r\nHost: x\r\n${auth}\r\n`)
  await show('callback __proto__ query', `POST ${path}&__proto__=x HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi`)
  await show('dup auth', `GET /api/sessions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer nope\r\n${auth}\r\n`)
  await show('huge url', `GET /api/sessions/${'a'.repeat(17000)} HTTP/1.1\r\nHost: x\r\n${auth}\r\n`)
  await show('latin1 header', `GET /api/sessions/x HTTP/1.1\r\nHost: x\r\nIdempotency-Key: \xff\xfe\r\n${auth}\r\n`)
  await show('callback emoji at 160', `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: ${159 + 8}\r\n\r\n${'a'.repeat(159)}😀😀`)
  const token = cb.searchParams.get('token') as string
  await show('json ctl', `POST /external/calls/x HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`)
  await show('forged', `POST ${path.replace(token.slice(-4), 'AAAA')} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`)
  await show('int8 overflow', `POST /external/sessions/s1/messages?token=default~999999999999999~999999999~${'A'.repeat(43)} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`)
})
