import type { Command, Options } from './command.ts'
import { commands } from './commands.ts'
import { globalOptions } from './global-options.ts'

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

const optionRows = (options: Options): [string, string][] =>
  Object.entries(options).map(([name, { value, help }]) => [
    `--${name}${value === undefined ? '' : ` <${value}>`}`,
    help
  ])

const usageOf = (name: string, { args }: Command): string => ['waystation', name, ...args].join(' ')

/** Returns the help of the program: its commands, options, settings and exit codes. */
export const programHelp = (): string => `Usage: waystation <command> [arguments] [options]

Commands:
${columns(Object.entries(commands).map(([name, command]) => [[name, ...command.args].join(' '), command.summary]))}

Options of every command:
${columns(optionRows(globalOptions))}

Run "waystation <command> --help" for the options of a command.

Exit codes: 0 success, 1 error, 2 wrong command line.
`

/** Returns the help of a command. Its own options can replace those of every command. */
export function commandHelp(name: string, command: Command): string {
  const { summary, notes = [], options } = command
  const rows = optionRows({ ...options, ...without(globalOptions, Object.keys(options)) })
  return `Usage: ${usageOf(name, command)} [options]

${[summary, ...notes].join('\n')}

Options:
${columns(rows)}
`
}

const without = (options: Options, names: readonly string[]): Options =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)))
