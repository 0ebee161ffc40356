// A file watcher that tells a busy agent what changed: `KEY=… SESSION=… node watch.mjs src`. KEY is made under Settings;
// WAYSTATION is where the server is. What changes within a moment is told in one message, and none is told twice.
import { watch } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const { WAYSTATION = 'http://localhost:3000', KEY, SESSION, MOMENT = '500' } = process.env
const [directory = '.'] = process.argv.slice(2)
if (!KEY || !SESSION)
  throw new Error('KEY is a key of the workspace, SESSION the session whose agent is to know.')

const changed = new Set()
let telling = false

/** Tells it until the server has it, under one key: what is sent again is the same message. */
async function tell(content) {
  const key = crypto.randomUUID()
  for (;;) {
    const answer = await fetch(`${WAYSTATION}/api/sessions/${SESSION}/oob`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content, sourceId: 'watcher', priority: 'normal', key })
    }).catch(() => undefined)
    if (answer?.ok) return console.log(`told: ${content}`)
    if (answer !== undefined && answer.status !== 429 && answer.status < 500)
      return console.error(`refused: ${await answer.text()}`)
    // Too many within a minute, or nobody there: its own words say when, else a second.
    await pause(Number(answer?.headers.get('retry-after') ?? 1) * 1000)
  }
}

/** One message after the other; what changes meanwhile goes into the next. */
async function tellAll() {
  telling = true
  while (changed.size > 0) {
    await pause(Number(MOMENT))
    const files = [...changed].sort()
    changed.clear()
    const more = files.length > 20 ? ` and ${files.length - 20} more` : ''
    await tell(`Changed in ${directory}: ${files.slice(0, 20).join(', ')}${more}.`)
  }
  telling = false
}

watch(directory, { recursive: true }, (_, file) => {
  if (file === null || /(^|[\\/])(\.git|node_modules)([\\/]|$)/.test(file)) return
  changed.add(file)
  if (!telling) void tellAll()
})
console.log(`Watching ${directory}`)
