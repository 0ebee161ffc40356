/** A wrong command line. `run` prints its message and exits with 2. */
export class UsageError extends Error {}

/** An error of the command itself, such as a turn that failed. `run` prints its message with `code` and exits with 1. */
export class Fault extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
