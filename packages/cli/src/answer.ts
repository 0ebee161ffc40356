import { answerOf } from './answer-of.ts'
import { command } from './command.ts'
import { jsonLine, printable } from './escape.ts'
import { findCall } from './find-call.ts'

/** The forms of an answer beside which `--json` has no value, and asks for machine output as everywhere. */
const otherForms = ['--approve', '--decline', '--text']
const isOtherForm = (arg: string): boolean =>
  otherForms.some(form => arg === form || arg.startsWith(`${form}=`))

export const answer = command({
  args: ['<toolCallId>'],
  summary: 'Answer a pending call. Set one of --approve, --decline, --text and --json.',
  notes: [
    'List the pending calls and their IDs with "waystation pending".',
    'With --json, the result is JSON too. Beside --approve, --decline or --text, --json takes no value.'
  ],
  options: {
    approve: { help: 'Approve the call, or continue at a limit.' },
    decline: { help: 'Deny an approval, or decline any other call.' },
    reason: { value: 'text', help: 'Why you approve or decline.' },
    input: { value: 'json', help: 'Approve the call with these arguments instead of its own.' },
    text: { value: 'text', multiple: true, help: 'Answer a question. Repeat it to select several options.' },
    json: { value: 'json', help: 'Answer with this output, as the schema of the call requires.' },
    session: { value: 'sessionId', help: 'The session of the call. Required with a session token.' },
    'print-json': { help: 'Print the result as JSON.' }
  },
  rewrite: argv =>
    argv.some(isOtherForm) ? argv.map(arg => (arg === '--json' ? '--print-json' : arg)) : [...argv],
  async run({ args: [toolCallId = ''], values, client, io }) {
    // Reports a wrong command line before any request.
    answerOf(values, { kind: 'approval', input: undefined })
    const { sessionId, call } = await findCall(client, toolCallId, values.session)
    const { state } = await client.session(sessionId).calls.answer(toolCallId, answerOf(values, call))
    await io.out(
      values['print-json'] || values.json !== undefined
        ? `${jsonLine({ toolCallId, sessionId, state })}\n`
        : `Call ${printable(toolCallId)} in session ${printable(sessionId)}: ${state}.\n`
    )
  }
})
