// Where a workspace's webhook goes, in plain Node and `npm i standardwebhooks`: `SECRET=whsec_… PORT=4003 node receiver.mjs`,
// then a webhook to http://localhost:4003/ under Settings, which shows the secret once. It says what waits, and where it
// can be answered; put that into your chat channel. See docs/webhooks.md for who may then answer.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const { PORT = '4003', SECRET } = process.env
if (SECRET === undefined) throw new Error('SECRET is not set: what is not signed is not believed.')
const webhook = new Webhook(SECRET)

/** What was told already, the newest 10,000: the same event may come again, under the same webhook-id. */
const told = new Set()

function isNew(id) {
  if (told.has(id)) return false
  told.add(id)
  if (told.size > 10_000) told.delete(told.values().next().value)
  return true
}

/** One line of what happened. A link to the answer page is a credential: who has it may answer. */
function words({ type, data: { sessionId, call, answerPage, url, error } }) {
  switch (type) {
    case 'call.opened':
    case 'call.expiring':
      return `${call.toolName} in ${sessionId} waits until ${call.deadline}: ${answerPage ?? url}`
    case 'call.settled':
      return `${call.toolName} in ${sessionId}: ${call.state}, by ${call.answeredBy ?? 'nobody'}`
    case 'turn.failed':
      return `${sessionId} stopped: ${JSON.stringify(error)} ${url}`
    default:
      return undefined // New types may come: what one does not know is not one's own.
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
  // In a real one: keep it first, answer then, and do the rest afterwards. Five seconds are all there is.
  response.end()
  const line = isNew(request.headers['webhook-id']) ? words(event) : undefined
  if (line !== undefined) console.log(line)
})
server.listen(Number(PORT), () => console.log(`Listening on http://localhost:${server.address().port}/`))
