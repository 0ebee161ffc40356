import { command } from './command.ts'
import { jsonLine, printable } from './escape.ts'

export const stop = command({
  args: ['<sessionId>'],
  summary: 'Stop the running turn, or ask an external agent to stop.',
  notes: ['Pending calls stay open. If the agent does not work, the command does nothing.'],
  options: {},
  async run({ args: [sessionId = ''], json, client, io }) {
    const receipt = await client.session(sessionId).cancel()
    await io.out(
      json
        ? `${jsonLine(receipt)}\n`
        : `Stopped the agent in session ${printable(sessionId)}, if it worked.\n`
    )
  }
})
