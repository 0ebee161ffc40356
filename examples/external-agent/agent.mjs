// An external agent in plain Node: `PORT=4001 node agent.mjs`, then an agent of type "external" with
// inputUrl http://localhost:4001/. SECRET is the agent's signing secret (whsec_…), if it has one.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const { PORT = '4001', SECRET } = process.env

/** A Standard Webhook signature: HMAC-SHA-256 over id, time and body. */
const sign = (id, time, body) =>
  `v1,${createHmac('sha256', Buffer.from(SECRET.replace('whsec_', ''), 'base64'))
    .update(`${id}.${time}.${body}`)
    .digest('base64')}`

function isGenuine(headers, body) {
  if (SECRET === undefined) return true
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given = '' } = headers
  const fresh = Math.abs(Date.now() / 1000 - Number(time)) < 300
  const expected = Buffer.from(sign(id, time, body))
  const fits = one => one.length === expected.length && timingSafeEqual(Buffer.from(one), expected)
  return fresh && given.split(' ').some(fits)
}

/** Says something in a session. `key` makes it once, however often it is sent. */
async function reply(callbackUrl, key, words) {
  const time = Math.floor(Date.now() / 1000)
  const signature = SECRET === undefined ? {} : { 'webhook-signature': sign(key, time, words) }
  const headers = { 'webhook-id': key, 'webhook-timestamp': String(time), ...signature }
  const answer = await fetch(callbackUrl, { method: 'POST', headers, body: words })
  if (!answer.ok) console.error(`The reply was refused: ${answer.status} ${await answer.text()}`)
}

const server = createServer(async (request, response) => {
  const body = await text(request)
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end()
  const { sessionId, callbackUrl, message } = JSON.parse(body)
  // "I have it": at once, within 5 seconds. The answer itself may take minutes or days.
  response.end('{"ok":true}')
  const key = `${request.headers['idempotency-key']}:1`
  await reply(callbackUrl, key, `You said **${message.text}** in \`${sessionId}\`.`)
})
server.listen(Number(PORT), () => console.log(`Listening on http://localhost:${server.address().port}/`))
