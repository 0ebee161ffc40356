// A receiver for a workspace's webhook, in plain Node with `npm i standardwebhooks`. Run `SECRET=whsec_… PORT=4003
// node receiver.mjs`, then create a webhook to http://localhost:4003/ under Settings, which shows the secret once.
// The receiver prints pending calls and the links to answer them, for example for a chat channel. See
// docs/webhooks.md for who can then answer.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const { PORT = '4003', SECRET } = process.env
if (SECRET === undefined) throw new Error('Set SECRET to the signing secret of the webhook (whsec_…).')
const webhook = new Webhook(SECRET)

/** The newest 10,000 events by webhook-id, because the same event can arrive again with the same ID. */
const seen = new Set()

function isNew(id) {
  if (seen.has(id)) return false
  seen.add(id)
  if (seen.size > 10_000) seen.delete(seen.values().next().value)
  return true
}

/** Returns one line about an event. A link to the answer page is a credential: anyone who has it can answer. */
function describe({ type, data: { sessionId, call, answerPage, url, error } }) {
  switch (type) {
    case 'call.opened':
    case 'call.expiring':
      return `${call.toolName} in ${sessionId} waits until ${call.deadline}: ${answerPage ?? url}`
    case 'call.settled':
      return `${call.toolName} in ${sessionId}: ${call.state}, by ${call.answeredBy ?? 'nobody'}`
    case 'turn.failed':
      return `${sessionId} stopped: ${JSON.stringify(error)} ${url}`
    default:
      return undefined // Ignore types that this receiver does not know, because new ones can be added.
  }
}

const server = createServer(async (request, response) => {
  const body = await text(request)
  let event
  try {
    event = webhook.verify(body, request.headers)
  } catch {
    return response.writeHead(401).end('Not signed by my secret in the last five minutes.')
  }
  // In production, store the event first, then respond within five seconds, and process it afterwards.
  response.end()
  const line = isNew(request.headers['webhook-id']) ? describe(event) : undefined
  if (line !== undefined) console.log(line)
})
server.listen(Number(PORT), () => console.log(`Listening on http://localhost:${server.address().port}/`))
