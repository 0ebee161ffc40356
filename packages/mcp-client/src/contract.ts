import type { CallToolResult, GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js'
import type { ElicitedReply } from '@waystation/protocol/call/elicitation.ts'

/** The result of one MCP tool call. */
export type McpResult = CallToolResult
export type McpResource = ReadResourceResult
export type McpPrompt = GetPromptResult
/** A connection to an MCP server. */
export type McpConnection = {
  /** The display name of the server, from its handshake. */
  name: string | undefined
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

/** A session that an MCP server opened (`Mcp-Session-Id`), with the version that both sides agreed on. */
export type McpSession = { id: string; protocolVersion: string }

/** Keeps a session open after `withMcp`, so that later connections continue it. */
export type KeepSession = {
  /** The session to continue. Undefined: connect as a new client. */
  stored: McpSession | undefined
  /** Runs after each new connection. Undefined: the server has no sessions. */
  opened: (session: McpSession | undefined) => Promise<void>
}

/** Thrown before any work is done if the server does not know the stored session. */
export class SessionForgotten extends Error {}
