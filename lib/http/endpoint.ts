import { isForTokens, type Operation } from './operation.ts'
import type { Handler } from './raw.ts'

export type Method = Operation['method']

/** One method of an address that this server answers itself. */
export type Endpoint = {
  method: Method
  path: string
  handler: Handler
  /** Whether pages of other sites can call it with a session token. */
  isForTokens: boolean
}

/**
 * Names what answers each operation of a noun. TypeScript refuses a table in which an operation is missing, is unknown, or has
 * a verb with another input or another answer.
 */
export const bind = <Group extends Record<string, Operation>>(
  operations: Group,
  handlers: { [Name in keyof NoInfer<Group>]: (operation: NoInfer<Group>[Name]) => Handler }
): Endpoint[] =>
  Object.entries(operations).map(([name, operation]) => ({
    method: operation.method,
    path: operation.path,
    handler: handlers[name as keyof Group](operation as Group[keyof Group]),
    isForTokens: isForTokens(operation)
  }))
