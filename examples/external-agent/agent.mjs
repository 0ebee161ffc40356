// An external agent in plain Node. Run `PORT=4001 node agent.mjs`, then create an agent of type "external" with the
// inputUrl and checkUrl http://localhost:4001/. Set SECRET to the agent's signing secret (whsec_…), if it has one.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'

const { PORT = '4001', SECRET } = process.env

/** Returns a Standard Webhooks signature: HMAC-SHA-256 over the ID, the time and the body. */
const sign = (id, time, body) =>
  `v1,${createHmac('sha256', Buffer.from(SECRET.replace('whsec_', ''), 'base64'))
    .update(`${id}.${time}.${body}`)
    .digest('base64')}`

function isGenuine(headers, body) {
  if (SECRET === undefined) return true
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers
  const isFresh = Math.abs(Date.now() / 1000 - Number(time)) < 300
  const expected = Buffer.from(sign(id, time, body))
  const matches = signature =>
    signature.length === expected.length && timingSafeEqual(Buffer.from(signature), expected)
  return isFresh && signatures.split(' ').some(matches)
}

/** The conversations that this agent knows, by session ID. */
const known = new Map()

/** Answers the questions of the `checkUrl`: whether a conversation exists, and which ones match a query. */
function answerCheck({ type, sessionId, query = '' }) {
  if (type === 'check') return { exists: known.has(sessionId), title: known.get(sessionId) }
  const found = [...known].filter(entry => entry.join(' ').includes(query))
  return { sessions: found.slice(0, 100).map(([sessionId, title]) => ({ sessionId, title })) }
}

/**
 * Sends a reply or a result to a session, or with another URL a status. Retries while the server is down or busy. With
 * the same `key`, they add a reply only once.
 */
async function post(url, key, body) {
  for (let seconds = 1; ; seconds = Math.min(seconds * 2, 60)) {
    const time = Math.floor(Date.now() / 1000)
    const signature = SECRET === undefined ? {} : { 'webhook-signature': sign(key, time, body) }
    const headers = { 'webhook-id': key, 'webhook-timestamp': String(time), ...signature }
    const response = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined)
    if (response?.ok) return
    if (response !== undefined && response.status !== 429 && response.status < 500)
      return console.error(`The server answered ${response.status}: ${await response.text()}`)
    await setTimeout(seconds * 1000)
  }
}

const server = createServer(async (request, response) => {
  const body = await text(request)
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end()
  const question = JSON.parse(body)
  if (question.message === undefined) return response.end(JSON.stringify(answerCheck(question)))
  const { sessionId, callbackUrl, finishUrl, message } = question
  if (!known.has(sessionId)) known.set(sessionId, message.text)
  // Confirm receipt at once, within 5 seconds. The reply itself can take minutes or days.
  response.end('{"ok":true}')
  const key = request.headers['idempotency-key']
  if (message.type === 'handoff') return post(callbackUrl, `${key}:1`, 'I have taken over. How can I help?')
  // This agent is done at once, so a `cancel` finds nothing to stop. It also ignores types that it does not know.
  if (message.type !== 'user') return
  const statusUrl = callbackUrl.replace('/messages?', '/status?')
  await post(statusUrl, `${key}:status`, JSON.stringify({ text: 'Reading your message…' }))
  const files = (message.files ?? []).map(({ name }) => ` I got ${name}.`).join('')
  const words = `You said **${message.text}** in \`${sessionId}\`.${files}`
  // A chat agent gave us a task, and waits for its result.
  if (finishUrl !== undefined) await post(finishUrl, `${key}:1`, JSON.stringify({ output: words }))
  else await post(callbackUrl, `${key}:1`, words)
})
server.listen(Number(PORT), () => console.log(`Listening on http://localhost:${server.address().port}/`))
