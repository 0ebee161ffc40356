import type { SessionStatus } from '@waystation/client'
import { command } from './command.ts'
import { jsonLine, oneLine, printable } from './escape.ts'
import { UsageError } from './fault.ts'
import { numberIn } from './number-in.ts'

const statuses: readonly SessionStatus[] = ['idle', 'running', 'parked', 'failed']

export const sessions = command({
  args: [],
  summary: 'List sessions, most recently active first.',
  options: {
    status: { value: 'status', help: 'Only sessions that are idle, running, parked or failed.' },
    agent: { value: 'agentId', help: 'Only sessions with this agent.' },
    search: { value: 'text', help: 'Only sessions with this text in the ID, the title or the last message.' },
    limit: { value: 'number', help: 'How many sessions to list, up to 200. Default: 50.' },
    cursor: { value: 'cursor', help: 'Continue after an earlier page, at its nextCursor.' }
  },
  async run({ values, json, client, io }) {
    const limit = numberIn('--limit', values.limit, { least: 1, most: 200 })
    const status = statuses.find(name => name === values.status)
    if (values.status !== undefined && status === undefined)
      throw new UsageError(`--status must be one of ${statuses.join(', ')}.`)
    const { sessions, nextCursor } = await client.sessions.list({
      ...(status === undefined ? {} : { status }),
      ...(limit === undefined ? {} : { limit }),
      ...(values.agent === undefined ? {} : { agentId: values.agent }),
      ...(values.search === undefined ? {} : { q: values.search }),
      ...(values.cursor === undefined ? {} : { cursor: values.cursor })
    })
    if (json) return io.out(`${jsonLine({ sessions, nextCursor })}\n`)
    const rows = sessions.map(({ id, status, agentId, activeAt, title }) =>
      [printable(id), status, printable(agentId), activeAt, oneLine(title, 80)].join('\t')
    )
    await io.out(rows.length === 0 ? 'There are no sessions.\n' : `${rows.join('\n')}\n`)
    if (nextCursor !== null)
      io.err(`There are more sessions. Continue with --cursor ${printable(nextCursor)}.\n`)
  }
})
