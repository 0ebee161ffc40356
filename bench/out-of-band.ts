import { Agent, get, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { startServer } from '#tests/support/servers/start-server.ts'
import { startChild } from './child.ts'
import { now } from './machine.ts'

const sessions = 100
const perSecond = 50
/** One word every twenty seconds: the turns stay in progress, and streaming does not affect the measurement. */
const wordsPerSecond = 0.05
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

/**
 * 004-4 and 004-16: sends out-of-band messages to the real server over HTTP, evenly and fifty a second. They go to
 * a hundred sessions, each with a turn in progress and a reader of its stream. Returns the milliseconds from each
 * POST until the session's reader receives it.
 */
export async function measureOutOfBand(databaseUrl: string, seconds: number): Promise<number[]> {
  await using model = await startChild('model-server.ts', [`${wordsPerSecond}`, '600'])
  const server = await startServer({
    DATABASE_URL: databaseUrl,
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: 'none',
    WAYSTATION_LIMIT_OUT_OF_BAND: '0'
  })
  const headers = { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' }
  const post = (path: string, body: object) => send(server.url + path, headers, body)
  const lags: number[] = []
  const streamAbort = new AbortController()
  try {
    const ids = Array.from({ length: sessions }, (_, n) => `beside-${n}`)
    for (const sessionId of ids) {
      await post('/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId })
      await read(`${server.url}/api/sessions/${sessionId}/events`, headers, streamAbort.signal, sent =>
        lags.push(now() - sent)
      )
      await post(`/api/sessions/${sessionId}/messages`, { text: 'Speak, clock.' })
    }
    const warm = perSecond
    const sent: Promise<void>[] = []
    for (let n = 0, due = now(); n < warm + perSecond * seconds; n++, due += 1000 / perSecond) {
      await pause(Math.max(0, due - now()))
      sent.push(post(`/api/sessions/${ids[n % sessions]}/oob`, { content: `sent:${now().toFixed(2)};` }))
    }
    await Promise.all(sent)
    while (lags.length < sent.length) await pause(5)
    return lags.slice(warm)
  } finally {
    streamAbort.abort()
    await server.stop()
  }
}

/**
 * Reads an event stream and passes the send time in each out-of-band message to `seen`. Resolves when the stream
 * opens.
 */
function read(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
  onMessage: (sent: number) => void
): Promise<void> {
  const opened = Promise.withResolvers<void>()
  let rest = ''
  get(url, { agent, headers, signal }, response => {
    if (response.statusCode === 200) opened.resolve()
    else opened.reject(new Error(`${url} answered ${response.statusCode}.`))
    response.setEncoding('utf8').on('data', (text: string) => {
      const endOfEvents = (rest + text).lastIndexOf('\n\n')
      for (const [, sent] of (rest + text)
        .slice(0, endOfEvents + 1)
        .matchAll(/"content":"sent:(\d+\.\d+);"/g))
        onMessage(Number(sent))
      rest = (rest + text).slice(endOfEvents + 1)
    })
    response.on('error', error => opened.reject(error))
  }).on('error', error => opened.reject(error))
  return opened.promise
}

const send = (url: string, headers: Record<string, string>, body: object) =>
  new Promise<void>((resolve, reject) => {
    const outgoing = request(url, { agent, method: 'POST', headers }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', data => {
        text += data
      })
      response.on('end', () => {
        if (response.statusCode !== undefined && response.statusCode < 300) resolve()
        else reject(new Error(`${url} answered ${response.statusCode}: ${text}`))
      })
    })
    outgoing.on('error', reject).end(JSON.stringify(body))
  })
