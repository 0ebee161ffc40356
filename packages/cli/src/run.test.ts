import { expect, test } from 'vitest'
import { commands } from './commands.ts'
import type { Io } from './io.ts'
import { run } from './run.ts'

/** Runs a command line with a process of this test. It never reaches a server. */
async function runWith(argv: string[], env: Record<string, string> = {}) {
  const out: string[] = []
  const err: string[] = []
  const io: Io = {
    env: { WAYSTATION_URL: 'http://127.0.0.1:9', ...env },
    out: async text => void out.push(text),
    err: text => void err.push(text),
    stdin: async () => '',
    untilInterrupted: () => new AbortController().signal
  }
  const code = await run(argv, io)
  return { code, out: out.join(''), err: err.join('') }
}
const key = { WAYSTATION_API_KEY: 'a key' }

test('the help names every command, and the help of a command every option', async () => {
  const { code, out } = await runWith(['--help'])
  expect(code).toBe(0)
  for (const [name, command] of Object.entries(commands)) {
    expect(out).toContain(`\n  ${name} `)
    const help = await runWith([name, '--help'])
    expect(help).toMatchObject({ code: 0, err: '' })
    for (const option of [...Object.keys(command.options), 'url', 'key'])
      expect(help.out.match(new RegExp(`^  --${option}\\b(?!-)`, 'gm')), `${name} --${option}`).toHaveLength(
        1
      )
  }
})

test.each([
  ['no command', []],
  ['an unknown command', ['fly']],
  ['a name of every object', ['constructor']],
  ['an option before the command', ['--json', 'sessions']],
  ['a missing argument', ['send', 'order-7']],
  ['an argument too many', ['send', 'order-7', 'two', 'crates']],
  ['an unknown option', ['sessions', '--all']],
  ['an option without its value', ['sessions', '--agent']],
  ['a number that is none', ['events', 'order-7', '--after', '1e3']],
  ['a number outside the limits', ['sessions', '--limit', '201']],
  ['an unknown mode', ['send', 'order-7', 'hi', '--when-busy', 'wait']],
  ['an unknown status', ['sessions', '--status', 'asleep']],
  ['no answer', ['answer', 'call_1']],
  ['two answers', ['answer', 'call_1', '--approve', '--text', 'yes']],
  ['arguments that are not JSON', ['answer', 'call_1', '--approve', '--input', '{a}']],
  ['arguments without an approval', ['answer', 'call_1', '--decline', '--input', '{}']],
  ['a reason without a decision', ['answer', 'call_1', '--text', 'yes', '--reason', 'because']],
  ['a URL that is none', ['sessions', '--url', 'localhost']],
  ['a URL with a password', ['sessions', '--url', 'https://ada:secret@way.example']]
])('%s is a wrong command line: exit code 2, and nothing is printed for programs', async (_, argv) => {
  const { code, out, err } = await runWith(argv, key)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^[^\n]+ \[USAGE\]\n$/)
})

test('without an API key, a command says how to set one', async () => {
  const { code, err } = await runWith(['sessions'])
  expect(code).toBe(2)
  expect(err).toContain('WAYSTATION_API_KEY')
})

test('an error never shows the API key, even one that cannot be sent', async () => {
  const { code, err } = await runWith(['sessions'], { WAYSTATION_API_KEY: 'secret\nsecret' })
  expect(code).toBe(1)
  expect(err).not.toContain('secret')
})
