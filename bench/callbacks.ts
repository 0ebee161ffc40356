import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { startServer } from '#tests/support/servers/start-server.ts'
import { startChild } from './child.ts'
import { now } from './machine.ts'

/**
 * `rate` is the number of replies a second from 64 senders, each of which waits only for its response. `paced`
 * contains the duration of each reply in milliseconds, at 50 replies a second.
 */
export type Callbacks = { rate: number; paced: number[] }

const senders = 64
const sessions = 64
const perSecond = 50
const agent = new Agent({ keepAlive: true, maxSockets: senders })

/**
 * Sends replies of external agents to the real server over HTTP, for 64 sessions. The baseline is a bare Node
 * server that stores each body with one INSERT. Both get replies from the same senders, alternately.
 */
export async function measureCallbacks(
  databaseUrl: string,
  seconds: number
): Promise<{ ours: Callbacks; bare: Callbacks }> {
  const server = await startServer({ DATABASE_URL: databaseUrl })
  try {
    await using bare = await startChild('bare-insert.ts', [databaseUrl])
    const sides = { ours: await callbackUrls(server), bare: [`${bare.url}/`] }
    const counts = { ours: 0, bare: 0 }
    for (const urls of Object.values(sides)) await flood(urls, 1)
    // One second each, alternately, so that other load on the machine affects both.
    for (let second = 0; second < seconds; second++)
      for (const side of ['ours', 'bare'] as const) counts[side] += await flood(sides[side], 1)
    return {
      ours: { rate: counts.ours / seconds, paced: await pace(sides.ours, seconds) },
      bare: { rate: counts.bare / seconds, paced: await pace(sides.bare, seconds) }
    }
  } finally {
    await server.stop()
  }
}

async function callbackUrls({ url, apiKey }: { url: string; apiKey: string }): Promise<string[]> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {})
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.json() as Promise<{ callbackUrl: string }>
  }
  const external = { inputUrl: 'https://acme.example/in' }
  await send('POST', '/api/agents', { agentId: 'acme', displayName: 'Acme', type: 'external', external })
  const ids = Array.from({ length: sessions }, (_, i) => `reply-${i}`)
  for (const sessionId of ids)
    await send('POST', '/api/plugins/sessions/operations/create', { agentId: 'acme', sessionId })
  return Promise.all(ids.map(async id => (await send('GET', `/api/sessions/${id}/callback`)).callbackUrl))
}

/** Sends fifty replies a second, evenly. Returns the duration of each in milliseconds. */
async function pace(urls: string[], seconds: number): Promise<number[]> {
  const paced: number[] = []
  const sent: Promise<unknown>[] = []
  for (let n = 0, due = now(); n < perSecond * seconds; n++, due += 1000 / perSecond) {
    await pause(Math.max(0, due - now()))
    const startedAt = now()
    sent.push(post(urls[n % urls.length] as string).then(() => paced.push(now() - startedAt)))
  }
  await Promise.all(sent)
  return paced
}

/** Sends replies as fast as possible for `seconds`. Returns how many received a response. */
async function flood(urls: string[], seconds: number): Promise<number> {
  const deadline = now() + seconds * 1000
  let count = 0
  await Promise.all(
    Array.from({ length: senders }, async (_, sender) => {
      for (; now() < deadline; count++) await post(urls[sender % urls.length] as string)
    })
  )
  return count
}

const post = (url: string) =>
  new Promise<void>((resolve, reject) => {
    const outgoing = request(url, { agent, method: 'POST' }, response => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`${url} answered ${response.statusCode}.`))
      })
    })
    outgoing.on('error', reject).end('It is **on its way**, and will be there on Friday.')
  })
