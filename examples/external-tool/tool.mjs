// An external tool that a person answers in this terminal, at any time. Run `SECRET=whsec_… PORT=4002 node tool.mjs`
// with the agent's signing secret, then give the agent a tool with where "external" and the url
// http://localhost:4002/. Pending calls are stored in the file QUEUE, so you can stop and restart the tool.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { answer, tool } from '@waystation/server'
import { nodeListener } from '@waystation/server/node'
import { z } from 'zod'

const { PORT = '4002', SECRET, QUEUE = 'queue.json' } = process.env

const queue = new Map(existsSync(QUEUE) ? JSON.parse(readFileSync(QUEUE, 'utf8')) : [])
// Writes a new file and renames it, so that a kill during the write leaves the previous file intact.
const save = () => {
  writeFileSync(`${QUEUE}.new`, JSON.stringify([...queue]))
  renameSync(`${QUEUE}.new`, QUEUE)
}
const show = ({ toolCallId, toolName, input, deadline }) =>
  console.log(`${toolCallId}: ${toolName} ${JSON.stringify(input)} (until ${deadline})`)

const order = tool({
  name: 'order',
  description: 'Orders from the store. A clerk answers, sometimes the next day.',
  inputSchema: z.object({ what: z.string() }),
  secret: SECRET,
  execute(input, { toolCallId, toolName, answerUrl, deadline, later }) {
    // The same call can arrive again after a restart. It is shown only once.
    if (!queue.has(toolCallId)) show({ toolCallId, toolName, input, deadline })
    queue.set(toolCallId, { toolCallId, toolName, input, answerUrl, deadline })
    save() // Save it before `later`, which confirms receipt.
    return later
  }
})
const server = createServer(nodeListener(order))
server.listen(Number(PORT), () => {
  console.log(`Listening on http://localhost:${server.address().port}/`)
  console.log('Answer with a line: <toolCallId> <JSON>, or <toolCallId> error <why>')
  for (const call of queue.values()) show(call)
})

// Replace this loop with your own event: a row in your database, or a button on your pages.
for await (const line of createInterface({ input: process.stdin })) {
  const [, toolCallId, error, output] = /^(\S+) (?:error (.+)|(.+))$/.exec(line.trim()) ?? []
  try {
    const { answerUrl } = queue.get(toolCallId) ?? {}
    if (answerUrl === undefined) throw new Error('No such call waits here.')
    const result = error === undefined ? { output: JSON.parse(output) } : { error }
    const { status, message = '' } = await answer({ answerUrl, ...result })
    console.log(`${toolCallId}: ${status} ${message}`)
    // A rejected call is still open, so it stays in the queue for a better answer.
    if (status !== 'rejected' && status !== 'unreachable') queue.delete(toolCallId)
    save()
  } catch (reason) {
    console.log(`Not sent: ${reason.message}`)
  }
}
