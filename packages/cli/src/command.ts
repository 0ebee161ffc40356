import type { WaystationClient } from '@waystation/client'
import type { Io } from './io.ts'

/** An option of a command. `value` names its value in the help, and is absent for a flag. */
type Option = { value?: string; multiple?: true; help: string }
export type Options = Readonly<Record<string, Option>>

type ValueOf<O extends Option> = O extends { value: string }
  ? O extends { multiple: true }
    ? string[]
    : string
  : boolean
/** The values of the options that were set. Without knowing the options, any values. */
type ValuesOf<O extends Options> = string extends keyof O
  ? Record<string, string | boolean | string[] | undefined>
  : { [Name in keyof O]?: ValueOf<O[Name]> }

/** A command line after it was parsed. `json` asks for machine output. */
export type Invocation<O extends Options = Options> = {
  args: string[]
  values: ValuesOf<O>
  json: boolean
  client: WaystationClient
  io: Io
}

/**
 * A command.
 * - `args` names its arguments for the help: `<sessionId>` is required, `[sessionId]` is not.
 * - `notes` are sentences of its help.
 * - `rewrite` changes the arguments before they are parsed.
 * - `run` throws a `WaystationError`, `UsageError` or `Fault`.
 */
export type Command<O extends Options = Options> = {
  args: readonly string[]
  summary: string
  notes?: readonly string[]
  options: O
  rewrite?: (argv: readonly string[]) => string[]
  run(invocation: Invocation<O>): Promise<void>
}

/** Declares a command. It only infers the types of the options. */
export const command = <const O extends Options>(declared: Command<O>): Command<O> => declared
