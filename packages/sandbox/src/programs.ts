import type { McpAnswers, McpConnection } from '@waystation/mcp-client'

/**
 * A program that agents can run as an MCP server. `network`: it has network access. `readOnly` and `readWrite` are
 * absolute paths that it sees. `sandbox: false`: it runs without a sandbox.
 */
export type Program = {
  command: string
  args: string[]
  env: Record<string, string>
  description: string
  network: boolean
  readOnly: string[]
  readWrite: string[]
  sandbox: boolean
}

/** The owner of a running program: one generation of one session. */
export type ProgramOwner = { workspaceId: string; sessionKey: number; generation: number }

/** MCP servers that are programs on this machine. Only programs that the operator allows can be used (001-19). */
export type McpPrograms = {
  /** By name: a description, and a digest of the command that starts it. */
  readonly offered: ReadonlyMap<string, { description: string; digest: string }>
  /**
   * Runs `work` with the session's own instance of a program, and starts it if needed. Throws a `ToolError` if it
   * cannot start, exits or does not respond. The next call can start it again.
   */
  talk: <T>(
    life: ProgramOwner,
    name: string,
    signal: AbortSignal,
    work: (talk: McpConnection) => Promise<T>,
    answers?: McpAnswers
  ) => Promise<T>
  /**
   * Keeps the session's programs running during a turn. Returns a function that releases them, at once or after a short
   * idle time.
   */
  hold: (life: ProgramOwner) => (atOnce?: boolean) => void
  /** Returns the owners of the running programs. */
  owners: () => ProgramOwner[]
  /** Returns a number that changes when a program reports a changed tool list. */
  revision: (name: string) => number
  stop: () => Promise<void>
}
