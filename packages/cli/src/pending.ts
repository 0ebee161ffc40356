import { command } from './command.ts'
import { pendingLines } from './describe-call.ts'
import { jsonLine } from './escape.ts'
import { listPending } from './list-pending.ts'

export const pending = command({
  args: [],
  summary: 'List the pending calls, nearest deadline first, and how to answer each.',
  options: {
    session: { value: 'sessionId', help: 'Only the calls of this session.' },
    mine: { help: 'Only the calls that this API key can answer.' }
  },
  async run({ values: { session, mine }, json, client, io }) {
    const calls = await listPending(client, { session, mine })
    if (json) return io.out(`${jsonLine({ calls })}\n`)
    await io.out(
      calls.length === 0
        ? 'There are no pending calls.\n'
        : calls.map(call => `${pendingLines(call, call.sessionId)}\n`).join('\n')
    )
  }
})
