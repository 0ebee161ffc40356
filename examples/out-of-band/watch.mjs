// A file watcher that tells a busy agent which files changed. Run `KEY=… SESSION=… node watch.mjs src`. Create KEY
// under Settings; WAYSTATION is the server's URL. Changes within half a second go into one message, and each
// message arrives only once.
import { watch } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const { WAYSTATION = 'http://localhost:3000', KEY, SESSION, MOMENT = '500' } = process.env
const [directory = '.'] = process.argv.slice(2)
if (!KEY || !SESSION)
  throw new Error('KEY is a key of the workspace, SESSION the session whose agent is to know.')

const changed = new Set()
let isSending = false

/**
 * Sends a message until the server accepts it. All attempts use one key, so the server stores the message only
 * once.
 */
async function send(content) {
  const key = crypto.randomUUID()
  for (;;) {
    const response = await fetch(`${WAYSTATION}/api/sessions/${SESSION}/oob`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content, sourceId: 'watcher', priority: 'normal', key })
    }).catch(() => undefined)
    if (response?.ok) return console.log(`told: ${content}`)
    if (response !== undefined && response.status !== 429 && response.status < 500)
      return console.error(`refused: ${await response.text()}`)
    // The rate limit was exceeded, or the server is down. Wait as long as the response says, or else a second.
    await pause(Number(response?.headers.get('retry-after') ?? 1) * 1000)
  }
}

/** Sends one message after the other. Changes that happen meanwhile go into the next message. */
async function sendChanges() {
  isSending = true
  while (changed.size > 0) {
    await pause(Number(MOMENT))
    const files = [...changed].sort()
    changed.clear()
    const more = files.length > 20 ? ` and ${files.length - 20} more` : ''
    await send(`Changed in ${directory}: ${files.slice(0, 20).join(', ')}${more}.`)
  }
  isSending = false
}

watch(directory, { recursive: true }, (_, file) => {
  if (file === null || /(^|[\\/])(\.git|node_modules)([\\/]|$)/.test(file)) return
  changed.add(file)
  if (!isSending) void sendChanges()
})
console.log(`Watching ${directory}`)
