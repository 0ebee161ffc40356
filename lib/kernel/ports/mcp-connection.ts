import type { CallToolResult, GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js'
import type { ElicitedReply } from '@waystation/protocol/call/elicitation.ts'

/** The result of one MCP tool call. */
export type McpResult = CallToolResult
export type McpResource = ReadResourceResult
export type McpPrompt = GetPromptResult
/** A connection to an MCP server. */
export type McpConnection = {
  /**
   * Returns the tools as the server lists them. They are not validated, so that one invalid tool does not affect the
   * others.
   */
  listTools: () => Promise<unknown[]>
  callTool: (name: string, input: Record<string, unknown>) => Promise<McpResult>
  /** The server's capabilities besides tools, from its handshake. */
  has: { resources: boolean; prompts: boolean }
  /**
   * Returns resources and templates without validation, like tools. Templates are URIs with `{names}` to fill in (RFC
   * 6570).
   */
  listResources: () => Promise<{ resources: unknown[]; templates: unknown[] }>
  readResource: (uri: string) => Promise<McpResource>
  listPrompts: () => Promise<unknown[]>
  getPrompt: (name: string, input: Record<string, string>) => Promise<McpPrompt>
}

/**
 * A question that an MCP server asks a user (elicitation, form mode). `schema` is flat, as the specification requires.
 */
export type McpQuestion = { message: string; schema: Record<string, unknown> }
/** Answers a question. If it throws, the server receives `cancel` and the call ends with that error. */
export type McpAnswers = (question: McpQuestion) => ElicitedReply

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
  /** Returns a number that changes when a program reports a changed tool list. */
  revision: (name: string) => number
  stop: () => Promise<void>
}
