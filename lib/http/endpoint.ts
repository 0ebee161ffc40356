import { isForTokens, type Operation } from './operation.ts'
import type { Handler } from './raw.ts'

/** HTTP methods of the API. */
export type Method = Operation['method']

/** A method and path that this server handles without Next. */
export type Endpoint = {
  method: Method
  path: string
  handler: Handler
  /** True if pages of other sites can call it with a session token. */
  isForTokens: boolean
}

/**
 * Pairs each operation of a noun with the function that makes its handler. A table does not compile if an operation is
 * missing or unknown, or if a verb has another input or answer.
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
