/** What became of a script. `note`: why it was ended, in a sentence; `exitCode` is the shell's, 128 and more for a signal. */
export type ScriptRun = {
  exitCode: number
  stdout: string
  stderr: string
  /** True: of what it wrote a part is left out, and says so at its place. */
  cut?: true
  timedOut?: true
  note?: string
  seconds: number
}

export type ScriptOrder = {
  script: string
  /** How long it may run, by the clock. */
  seconds: number
  /** Ends it at once. */
  signal: AbortSignal
  /** Answers what the script asks of us; throws a sentence for it. */
  ask: (method: string, input: unknown) => Promise<unknown>
}

/** Runs scripts of agents, each in a sandbox of its own (001-20). */
export type Scripts = {
  /** Why none can be run here, as a sentence. */
  readonly fault: string | undefined
  /** Never throws for what the script does; throws a sentence when it could not be begun. Once it returns, nothing of it runs. */
  run: (order: ScriptOrder) => Promise<ScriptRun>
}

/** Why there are no scripts here, for the model and for whoever looks which tools there are. */
export const offBecause = (fault: string): string =>
  `Scripts are off: ${fault} Ask the operator of this server to fix the sandbox.`
