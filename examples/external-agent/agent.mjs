// An external agent in plain Node. Run `PORT=4001 node agent.mjs`, then create an agent of type "external" with the
// inputUrl http://localhost:4001/. Set SECRET to the agent's signing secret (whsec_…), if it has one.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

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

/** Sends a reply to a session. Retries with the same `key` add it only once. */
async function reply(callbackUrl, key, message) {
  const time = Math.floor(Date.now() / 1000)
  const signature = SECRET === undefined ? {} : { 'webhook-signature': sign(key, time, message) }
  const headers = { 'webhook-id': key, 'webhook-timestamp': String(time), ...signature }
  const response = await fetch(callbackUrl, { method: 'POST', headers, body: message })
  if (!response.ok) console.error(`The reply was refused: ${response.status} ${await response.text()}`)
}

const server = createServer(async (request, response) => {
  const body = await text(request)
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end()
  const { sessionId, callbackUrl, message } = JSON.parse(body)
  // Confirm receipt at once, within 5 seconds. The reply itself can take minutes or days.
  response.end('{"ok":true}')
  const key = `${request.headers['idempotency-key']}:1`
  await reply(callbackUrl, key, `You said **${message.text}** in \`${sessionId}\`.`)
})
server.listen(Number(PORT), () => console.log(`Listening on http://localhost:${server.address().port}/`))
