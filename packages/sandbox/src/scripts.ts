/** The result of a script. `note` says why it was stopped. `exitCode` is the shell's: 128 and higher for a signal. */
export type ScriptRun = {
  exitCode: number
  stdout: string
  stderr: string
  /** Part of the output was removed. A marker in the output shows where. */
  cut?: true
  timedOut?: true
  note?: string
  seconds: number
}

/** A script to run. */
export type ScriptRequest = {
  script: string
  /** Maximum wall-clock time in seconds. */
  seconds: number
  /** Stops the script at once. */
  signal: AbortSignal
  /** Handles a request of the script. Errors are passed to the script. */
  ask: (method: string, input: unknown) => Promise<unknown>
}

/** Runs scripts of agents, each in its own sandbox (001-20). */
export type Scripts = {
  /** The reason why scripts cannot run on this server, as a sentence. */
  readonly error: string | undefined
  /**
   * Runs a script. Throws only if the script could not be started. When it returns, no process of the script is
   * running.
   */
  run: (order: ScriptRequest) => Promise<ScriptRun>
}

/** Returns the reason for the model and for lists of tools. */
export const scriptsOffReason = (error: string): string =>
  `Scripts are off: ${error} Ask the operator of this server to fix the sandbox.`
