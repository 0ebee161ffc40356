import { command } from './command.ts'
import { jsonLine, oneLine } from './escape.ts'
import { noteConnection } from './note-connection.ts'
import { numberIn } from './number-in.ts'
import { transcript } from './transcript.ts'

export const follow = command({
  args: ['<sessionId>'],
  summary: 'Print the transcript of a session, and what happens from now on. Ctrl-C ends it.',
  notes: ['After a disconnect, it reconnects and continues. With --json, it prints one event per line.'],
  options: {
    last: { value: 'number', help: 'How many earlier messages to print, up to 50. Default: 10.' }
  },
  async run({ args: [sessionId = ''], values, json, client, io }) {
    const last = numberIn('--last', values.last, { least: 0, most: 50 }) ?? 10
    const session = client.session(sessionId)
    // Reports a wrong URL or ID, before it follows for as long as the session exists.
    const { session: facts } = await session.get()
    const show = transcript({ agentName: facts.agentName ?? facts.agentId, last })
    const events = session.events({ signal: io.untilInterrupted(), onConnection: noteConnection(io) })
    if (!json)
      await io.out(`Session ${oneLine(facts.id)}: ${oneLine(facts.title) || 'no title'} (${facts.status})\n`)
    for await (const event of events) {
      const text = json ? `${jsonLine(event)}\n` : show(event)
      if (text !== '') await io.out(text)
    }
    if (!json) await io.out('\n')
  }
})
