/** The parts of its process that the program uses. Tests pass their own. */
export type Io = {
  env: Readonly<Record<string, string | undefined>>
  /** Writes to the standard output. Resolves when the reader can take more. */
  out: (text: string) => Promise<void>
  /** Writes to the standard error. */
  err: (text: string) => void
  /** Reads the whole standard input as text. */
  stdin: () => Promise<string>
  /** Returns a signal that aborts at Ctrl-C. Before the first call, Ctrl-C ends the process. */
  untilInterrupted: () => AbortSignal
}
