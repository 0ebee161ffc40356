// An external tool in plain Node that a person answers, from this terminal, when they like: `PORT=4002 node tool.mjs`,
// then a tool of an agent with where "external" and url http://localhost:4002/. SECRET is the agent's signing secret
// (whsec_…), if it has one. What waits is kept in the file QUEUE, so that it may be stopped and started meanwhile.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

const { PORT = '4002', SECRET, QUEUE = 'queue.json' } = process.env

const queue = new Map(existsSync(QUEUE) ? JSON.parse(readFileSync(QUEUE, 'utf8')) : [])
// Written beside it and put in its place, so that a kill in the middle leaves what was there.
const keep = () => {
  writeFileSync(`${QUEUE}.new`, JSON.stringify([...queue]))
  renameSync(`${QUEUE}.new`, QUEUE)
}
const show = ({ toolCallId, toolName, input, deadline }) =>
  console.log(`${toolCallId}: ${toolName} ${JSON.stringify(input)} (until ${deadline})`)

/** A Standard Webhook: HMAC-SHA-256 over id, time and body, with any of the secrets that hold. */
function isGenuine(headers, body) {
  if (SECRET === undefined) return true
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given = '' } = headers
  const key = Buffer.from(SECRET.replace('whsec_', ''), 'base64')
  const expected = Buffer.from(
    `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`
  )
  const fits = one => one.length === expected.length && timingSafeEqual(Buffer.from(one), expected)
  return Math.abs(Date.now() / 1000 - Number(time)) < 300 && given.split(' ').some(fits)
}

const server = createServer(async (request, response) => {
  const body = await text(request)
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end()
  const call = JSON.parse(body)
  // The same call may come twice: after a crash on either side, or sent again by hand.
  const isNew = !queue.has(call.toolCallId)
  queue.set(call.toolCallId, call)
  keep() // First of all; a 2xx says "I have it".
  if (isNew) show(call)
  response.end()
})
server.listen(Number(PORT), () => {
  console.log(`Listening on http://localhost:${server.address().port}/`)
  console.log('Answer with a line: <toolCallId> <JSON>, or <toolCallId> error <why>')
  for (const call of queue.values()) show(call)
})

// The event that this waits for is yours: a line here, a row in your database, a button in your own pages.
for await (const line of createInterface({ input: process.stdin })) {
  const [, toolCallId, error, output] = /^(\S+) (?:error (.+)|(.+))$/.exec(line.trim()) ?? []
  await answer(toolCallId, () => (error === undefined ? { output: JSON.parse(output) } : { error })).catch(
    fault => console.log(`Not sent: ${fault.message}`)
  )
}

async function answer(toolCallId, result) {
  const call = queue.get(toolCallId)
  if (call === undefined) throw new Error('No such call waits here.')
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(call.answerUrl, { method: 'POST', headers, body: JSON.stringify(result()) })
  console.log(`${toolCallId}: ${reply.status} ${await reply.text()}`)
  // 404 and 409: nobody waits for it any more. Anything else that is refused stays here, to be answered better.
  if (!reply.ok && reply.status !== 404 && reply.status !== 409) return
  queue.delete(toolCallId)
  keep()
}
