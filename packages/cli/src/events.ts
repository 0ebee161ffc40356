import { command } from './command.ts'
import { jsonLine } from './escape.ts'
import { noteConnection } from './note-connection.ts'
import { numberIn } from './number-in.ts'

export const events = command({
  args: ['<sessionId>'],
  summary: 'Print the events of a session, one JSON object per line. Ctrl-C ends it.',
  notes: [
    'Without --after, the first event is a reset with the current session.',
    'After a disconnect, it reconnects and continues after the last event that it printed.'
  ],
  options: {
    after: { value: 'seq', help: 'Print the events after this seq. 0 starts at the first event.' }
  },
  async run({ args: [sessionId = ''], values, client, io }) {
    const after = numberIn('--after', values.after, { least: 0 })
    const stream = client.session(sessionId).events({
      signal: io.untilInterrupted(),
      onConnection: noteConnection(io),
      ...(after === undefined ? {} : { after })
    })
    for await (const event of stream) await io.out(`${jsonLine(event)}\n`)
  }
})
