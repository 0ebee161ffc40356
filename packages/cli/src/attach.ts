import { command } from './command.ts'
import { jsonLine, printable } from './escape.ts'

/** The result, by the outcome that the server predicted. */
const outcomes = {
  new: 'Created session',
  revive: 'Created the deleted session again, empty:',
  attach: 'Attached to session'
}

/** The answer of an external agent with a `checkUrl` about an ID. */
type Known = { exists?: boolean; title?: string; error?: string }

export const attach = command({
  args: ['<agentId>', '[sessionId]'],
  summary: 'Create a session with this agent, or attach to it if it exists.',
  notes: [
    'The ID is the same in the playground, in the API and in the system of an external agent.',
    'An external agent needs an ID. For other agents, the server generates one if you omit it.',
    'If the external agent does not know the ID, a note on the standard error says so.'
  ],
  options: {
    title: { value: 'text', help: 'The title of a new session.' },
    subject: { value: 'name', help: 'The end user that a new session is for. Needs the role editor.' }
  },
  async run({ args: [agentId = '', sessionId], values: { title, subject }, json, client, io }) {
    // Without an ID, the session is always new.
    const check =
      sessionId === undefined
        ? undefined
        : await client.call('checkSession', { query: { agentId, sessionId } })
    const { exists, title: knownTitle, error } = (check?.external ?? {}) as Known
    const created = await client.sessions.create({
      agentId,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...((title ?? knownTitle) === undefined ? {} : { title: title ?? knownTitle }),
      ...(subject === undefined ? {} : { subject })
    })
    const outcome = created.created ? (check?.outcome === 'revive' ? 'revive' : 'new') : 'attach'
    if (error !== undefined) io.err(`${printable(error)}\n`)
    if (exists === false) io.err('The external agent does not know this ID. You can still use it.\n')
    if (json) return io.out(`${jsonLine({ ...created, outcome })}\n`)
    await io.out(
      `${outcomes[outcome]} ${printable(created.sessionId)} (agent ${printable(created.agentId)}).\n`
    )
  }
})
