import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { startServer } from '#tests/support/worlds/start-server.ts'
import { startChild } from './child.ts'
import { now } from './machine.ts'

/** Replies a second with sixty-four senders who wait for nothing but their answer, and the milliseconds of each at 50 a second. */
export type Callbacks = { rate: number; paced: number[] }

const senders = 64
const sessions = 64
const perSecond = 50
const agent = new Agent({ keepAlive: true, maxSockets: senders })

/**
 * Replies of external agents: to the real server over HTTP, spread over sixty-four sessions, and beside it to a bare Node server
 * that stores each body in one INSERT. The same senders, in turn.
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
    // A second each in turn, so that what else the machine does falls on both.
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
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(url + path, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {})
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json() as Promise<{ callbackUrl: string }>
  }
  const external = { inputUrl: 'https://acme.example/in' }
  await ask('POST', '/api/agents', { agentId: 'acme', displayName: 'Acme', type: 'external', external })
  const ids = Array.from({ length: sessions }, (_, i) => `reply-${i}`)
  for (const sessionId of ids)
    await ask('POST', '/api/plugins/sessions/operations/create', { agentId: 'acme', sessionId })
  return Promise.all(ids.map(async id => (await ask('GET', `/api/sessions/${id}/callback`)).callbackUrl))
}

/** Fifty a second, evenly: the milliseconds of each. */
async function pace(urls: string[], seconds: number): Promise<number[]> {
  const paced: number[] = []
  const sent: Promise<unknown>[] = []
  for (let n = 0, due = now(); n < perSecond * seconds; n++, due += 1000 / perSecond) {
    await pause(Math.max(0, due - now()))
    const began = now()
    sent.push(post(urls[n % urls.length] as string).then(() => paced.push(now() - began)))
  }
  await Promise.all(sent)
  return paced
}

/** How many replies are answered in this time. */
async function flood(urls: string[], seconds: number): Promise<number> {
  const until = now() + seconds * 1000
  let count = 0
  await Promise.all(
    Array.from({ length: senders }, async (_, sender) => {
      for (; now() < until; count++) await post(urls[sender % urls.length] as string)
    })
  )
  return count
}

const post = (url: string) =>
  new Promise<void>((resolve, reject) => {
    const sending = request(url, { agent, method: 'POST' }, answer => {
      answer.resume().on('end', () => {
        if (answer.statusCode === 200) resolve()
        else reject(new Error(`${url} answered ${answer.statusCode}.`))
      })
    })
    sending.on('error', reject).end('It is **on its way**, and will be there on Friday.')
  })
