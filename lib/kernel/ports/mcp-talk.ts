import type { CallToolResult, GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js'
import type { ElicitedReply } from '#lib/protocol/call/elicitation.ts'

/** What an MCP server answered to one call. */
export type McpResult = CallToolResult
export type McpResource = ReadResourceResult
export type McpPrompt = GetPromptResult
/** A conversation with an MCP server. */
export type McpTalk = {
  /** As the server tells them: what form each has is not checked, so that one bad tool does not spoil the others. */
  listTools: () => Promise<unknown[]>
  callTool: (name: string, input: Record<string, unknown>) => Promise<McpResult>
  /** What it has besides tools, by its own word at hello. */
  has: { resources: boolean; prompts: boolean }
  /** As it tells them, like its tools; templates are addresses with `{names}` to be filled in (RFC 6570). */
  listResources: () => Promise<{ resources: unknown[]; templates: unknown[] }>
  readResource: (uri: string) => Promise<McpResource>
  listPrompts: () => Promise<unknown[]>
  getPrompt: (name: string, input: Record<string, string>) => Promise<McpPrompt>
}

/** What an MCP server asks a person (elicitation, form mode): `schema` is flat, by the specification. */
export type McpQuestion = { message: string; schema: Record<string, unknown> }
/** Answers it. What it throws ends the call, once the server was told that nobody answers (`cancel`). */
export type McpAnswers = (question: McpQuestion) => ElicitedReply

/** Whose a running program is: one life of one session. */
export type ProgramLife = { workspaceId: string; sessionKey: number; generation: number }

/** The MCP servers that are programs of this machine: those that whoever runs this server allows, and no other (001-19). */
export type McpPrograms = {
  /** By name: what it is for, and a digest of how it is started. */
  readonly offered: ReadonlyMap<string, { description: string; digest: string }>
  /**
   * Works with the session's own copy of a program, which is started when it is not running. Throws a sentence when it
   * cannot be started, ends, or does not answer; another may be started after that.
   */
  talk: <T>(
    life: ProgramLife,
    name: string,
    signal: AbortSignal,
    work: (talk: McpTalk) => Promise<T>,
    answers?: McpAnswers
  ) => Promise<T>
  /** Keeps what the session has running while a turn goes on; returns what lets it go, at once or after a short idle time. */
  hold: (life: ProgramLife) => (atOnce?: boolean) => void
  /** Another number once a program has said that its tools are others. */
  revision: (name: string) => number
  stop: () => Promise<void>
}
