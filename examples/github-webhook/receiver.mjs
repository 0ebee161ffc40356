// A receiver for GitHub's webhooks in plain Node. It tells a busy agent about failed workflows, pushes, comments and
// reviews. The README has the steps. SECRET is the webhook's secret, KEY an API key with the role operator, and
// SESSIONS maps repositories and branches to sessions: {"octo/app": "app", "octo/app#main": "release"}.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { messageFor } from './message-for.mjs'

const { PORT = '4005', WAYSTATION = 'http://localhost:3000', KEY, SECRET, SESSIONS = '{}' } = process.env
if (!KEY || !SECRET)
  throw new Error('Set KEY to an API key of the workspace, and SECRET to the secret of the webhook.')
const sessions = JSON.parse(SESSIONS)

/** Compares the signature of the raw body in constant time. Without a valid one, nothing in the request is read. */
function isSigned(body, signature = '') {
  const expected = Buffer.from(`sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`)
  const actual = Buffer.from(signature)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/**
 * Sends the message. GitHub's delivery ID is the key, so the server stores a redelivered event only once. Returns the
 * status and the text of the response to GitHub. A 502 marks the delivery as failed there, so that you can redeliver it.
 */
async function send(sessionId, message, delivery) {
  const response = await fetch(`${WAYSTATION}/api/sessions/${encodeURIComponent(sessionId)}/oob`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...message, source: 'external', key: `github-${delivery}` }),
    signal: AbortSignal.timeout(8000)
  }).catch(error => error)
  if (response instanceof Error) return [502, `Waystation did not answer: ${response.message}`]
  const text = await response.text()
  return response.ok ? [202, text] : [502, `Waystation answered ${response.status}: ${text}`]
}

async function receive(request) {
  const body = await buffer(request)
  if (!isSigned(body, request.headers['x-hub-signature-256'])) return [401, 'The signature is not valid.']
  const delivery = request.headers['x-github-delivery']
  if (!delivery) return [400, 'The header X-GitHub-Delivery is missing.']
  const event = JSON.parse(body.toString())
  const found = messageFor(request.headers['x-github-event'], event)
  if (found === undefined) return [202, 'Ignored: this receiver has no message for the event.']
  const repository = event.repository.full_name
  const named = new URL(request.url, 'http://localhost').searchParams.get('session')
  const sessionId = named ?? sessions[`${repository}#${found.branch}`] ?? sessions[repository]
  if (!sessionId) return [202, `Ignored: SESSIONS has no session for ${repository}.`]
  return send(sessionId, found.message, delivery)
}

const server = createServer(async (request, response) => {
  const [status, text] = await receive(request).catch(error => [
    400,
    `The request is not valid: ${error.message}`
  ])
  console.log(
    `${request.headers['x-github-event']} ${request.headers['x-github-delivery']}: ${status} ${text}`
  )
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
})
server.listen(Number(PORT), () => console.log(`Listening on http://localhost:${server.address().port}/`))
