// An external tool in plain Node that a person answers in this terminal, at any time. Run `PORT=4002 node
// tool.mjs`, then give an agent a tool with where "external" and the url http://localhost:4002/. Set SECRET to the
// agent's signing secret (whsec_…), if it has one. Pending calls are stored in the file QUEUE, so you can stop and
// restart the tool.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

const { PORT = '4002', SECRET, QUEUE = 'queue.json' } = process.env

const queue = new Map(existsSync(QUEUE) ? JSON.parse(readFileSync(QUEUE, 'utf8')) : [])
// Writes a new file and renames it, so that a kill during the write leaves the previous file intact.
const save = () => {
  writeFileSync(`${QUEUE}.new`, JSON.stringify([...queue]))
  renameSync(`${QUEUE}.new`, QUEUE)
}
const show = ({ toolCallId, toolName, input, deadline }) =>
  console.log(`${toolCallId}: ${toolName} ${JSON.stringify(input)} (until ${deadline})`)

/**
 * Verifies a Standard Webhooks signature: HMAC-SHA-256 over the ID, the time and the body, with any of the valid
 * secrets.
 */
function isGenuine(headers, body) {
  if (SECRET === undefined) return true
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers
  const key = Buffer.from(SECRET.replace('whsec_', ''), 'base64')
  const expected = Buffer.from(
    `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`
  )
  const matches = signature =>
    signature.length === expected.length && timingSafeEqual(Buffer.from(signature), expected)
  return Math.abs(Date.now() / 1000 - Number(time)) < 300 && signatures.split(' ').some(matches)
}

const server = createServer(async (request, response) => {
  const body = await text(request)
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end()
  const call = JSON.parse(body)
  // The same call can arrive twice, after a crash on either side or when it is sent again manually.
  const isNew = !queue.has(call.toolCallId)
  queue.set(call.toolCallId, call)
  save() // Save it before the response: a 2xx confirms receipt.
  if (isNew) show(call)
  response.end()
})
server.listen(Number(PORT), () => {
  console.log(`Listening on http://localhost:${server.address().port}/`)
  console.log('Answer with a line: <toolCallId> <JSON>, or <toolCallId> error <why>')
  for (const call of queue.values()) show(call)
})

// Replace this loop with your own event: a row in your database, or a button on your pages.
for await (const line of createInterface({ input: process.stdin })) {
  const [, toolCallId, error, output] = /^(\S+) (?:error (.+)|(.+))$/.exec(line.trim()) ?? []
  await answer(toolCallId, () => (error === undefined ? { output: JSON.parse(output) } : { error })).catch(
    reason => console.log(`Not sent: ${reason.message}`)
  )
}

async function answer(toolCallId, result) {
  const call = queue.get(toolCallId)
  if (call === undefined) throw new Error('No such call waits here.')
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(call.answerUrl, { method: 'POST', headers, body: JSON.stringify(result()) })
  console.log(`${toolCallId}: ${response.status} ${await response.text()}`)
  // 404 and 409: the call is no longer pending. After any other error it stays in the queue, so that you can send a
  // better answer.
  if (!response.ok && response.status !== 404 && response.status !== 409) return
  queue.delete(toolCallId)
  save()
}
