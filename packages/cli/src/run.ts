import { readFileSync } from 'node:fs'
import { commands } from './commands.ts'
import { connect, serverUrl } from './connect.ts'
import { errorText, exitCodeOf } from './error-text.ts'
import { oneLine } from './escape.ts'
import { UsageError } from './fault.ts'
import { commandHelp, programHelp } from './help.ts'
import type { Io } from './io.ts'
import { type Parsed, parse } from './parse.ts'

/** Runs the command in `argv`, prints its errors and returns the exit code: 0, 1 (error) or 2 (wrong command line). */
export async function run([name, ...argv]: readonly string[], io: Io): Promise<0 | 1 | 2> {
  let values: Parsed['values'] = {}
  try {
    if (name === '--help' || name === '-h' || name === 'help') await io.out(programHelp())
    else if (name === '--version') await io.out(`${version()}\n`)
    else {
      const command = commandOf(name)
      const parsed = parse(name ?? '', command, argv)
      values = parsed.values
      if (values.help === true) await io.out(commandHelp(name ?? '', command))
      else await command.run({ ...parsed, json: values.json === true, client: connect(values, io.env), io })
    }
    return 0
  } catch (error) {
    io.err(`${errorText(error, error instanceof UsageError ? '' : serverUrl(values, io.env))}\n`)
    return exitCodeOf(error)
  }
}

function commandOf(name: string | undefined) {
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command !== undefined) return command
  const problem =
    name === undefined
      ? 'A command is missing.'
      : name.startsWith('-')
        ? 'Put options after the command.'
        : `"${oneLine(name)}" is not a command.`
  throw new UsageError(`${problem} Run "waystation --help".`)
}

const version = (): string =>
  (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
    .version
