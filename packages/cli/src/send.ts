import type { WhenBusy } from '@waystation/client'
import { command } from './command.ts'
import { pendingLines } from './describe-call.ts'
import { jsonLine, oneLine, printable } from './escape.ts'
import { Fault, UsageError } from './fault.ts'
import { noteConnection } from './note-connection.ts'
import { numberIn } from './number-in.ts'
import { readReply } from './read-reply.ts'

const modes: readonly WhenBusy[] = ['reject', 'queue', 'steer', 'interrupt']

export const send = command({
  args: ['<sessionId>', '<text|->'],
  summary: 'Send a message and print the reply while the agent writes it.',
  notes: [
    'With - as text, the message is read from the standard input.',
    'If the agent waits for an answer, the pending calls are printed on the standard error.'
  ],
  options: {
    'no-wait': { help: 'Do not wait for the reply.' },
    timeout: { value: 'seconds', help: 'Stop waiting for the reply after this time.' },
    'when-busy': {
      value: 'mode',
      help: 'While the agent works: reject (default), queue, steer or interrupt.'
    },
    'idempotency-key': { value: 'text', help: 'Send the message once, even if you repeat the command.' }
  },
  async run({ args: [sessionId = '', given = ''], values, json, client, io }) {
    const timeout = numberIn('--timeout', values.timeout, { least: 1, most: 2_000_000 })
    const whenBusy = modes.find(mode => mode === (values['when-busy'] ?? 'reject'))
    if (whenBusy === undefined) throw new UsageError(`--when-busy must be one of ${modes.join(', ')}.`)
    const text = given === '-' ? (await io.stdin()).replace(/\r?\n$/, '') : given
    const session = client.session(sessionId)
    const key = values['idempotency-key']
    const receipt = await session.send(text, { whenBusy, ...(key === undefined ? {} : { key }) })
    if (values['no-wait']) {
      await io.out(
        json
          ? `${jsonLine(receipt)}\n`
          : `Sent message ${printable(receipt.messageId)} (${receipt.status}).\n`
      )
      return
    }

    const limit = timeout === undefined ? [] : [AbortSignal.timeout(timeout * 1000)]
    const reply = await readReply({
      events: session.events({
        signal: AbortSignal.any([io.untilInterrupted(), ...limit]),
        onConnection: noteConnection(io)
      }),
      messageId: receipt.messageId,
      onText: piece => (json ? Promise.resolve() : io.out(printable(piece)))
    })
    if (reply === undefined)
      throw limit.some(({ aborted }) => aborted)
        ? new Fault('TIMEOUT', `No complete reply arrived within ${timeout} s. The agent continues.`)
        : new Fault('INTERRUPTED', 'You stopped waiting for the reply. The agent continues.')
    const pending = reply.outcome === 'parked' ? (await session.get()).session.waitingFor : []
    if (json) return io.out(`${jsonLine({ ...receipt, ...reply, pending })}\n`)
    if (reply.text !== '') await io.out('\n')
    for (const file of reply.files ?? []) await io.out(`[file ${oneLine(file)}]\n`)
    for (const call of pending) io.err(`${pendingLines(call)}\n`)
  }
})
