import { parseArgs } from 'node:util'
import type { Command, Options } from './command.ts'
import { printable } from './escape.ts'
import { UsageError } from './fault.ts'
import { globalOptions } from './global-options.ts'

/** The arguments of a command and the values of its options. */
export type Parsed = { args: string[]; values: Record<string, string | boolean | string[] | undefined> }

/** Parses the arguments after the name of a command. Throws a `UsageError`. */
export function parse(name: string, command: Command, argv: readonly string[]): Parsed {
  const { values, positionals } = read(name, { ...globalOptions, ...command.options }, [
    ...(command.rewrite?.(argv) ?? argv)
  ])
  if (values.help === true) return { args: positionals, values }
  const required = command.args.filter(arg => arg.startsWith('<'))
  const missing = required[positionals.length]
  if (missing !== undefined) throw new UsageError(`${missing} is missing. ${seeHelp(name)}`)
  const extra = positionals[command.args.length]
  if (extra !== undefined)
    throw new UsageError(
      `"${printable(extra)}" is one argument too many. Put text with spaces in quotes. ${seeHelp(name)}`
    )
  return { args: positionals, values }
}

function read(name: string, options: Options, args: string[]) {
  const config = Object.entries(options).map(([option, { value, multiple = false }]) => [
    option,
    value === undefined ? { type: 'boolean' as const } : { type: 'string' as const, multiple }
  ])
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { ...Object.fromEntries(config), help: { type: 'boolean', short: 'h' } },
      allowPositionals: true
    })
    return { values: values as Parsed['values'], positionals }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // Node adds advice that takes several sentences.
    const [sentence = ''] = error.message.split(/(?<=\.)\s|\n/)
    throw new UsageError(`${printable(sentence.replace(/\.?$/, '.'))} ${seeHelp(name)}`)
  }
}

const seeHelp = (name: string): string => `Run "waystation ${name} --help".`
