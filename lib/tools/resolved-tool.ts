import type { JsonSchema } from '@waystation/protocol/agent/agent.ts'
import type { AnswerPolicy } from '@waystation/protocol/call/answer-policy.ts'
import type { CallKind, OnDeadline, RenderHint, ToolWhere } from '@waystation/protocol/call/call.ts'
import type { ToolChange } from '@waystation/protocol/connection/mcp.ts'
import type { Tool } from './tool.ts'

/** A tool of one session with its agent's settings. A call stores them when it opens. */
export type ResolvedTool = {
  name: string
  description: string
  inputSchema: JsonSchema
  outputSchema: (input: unknown) => JsonSchema | undefined
  where: ToolWhere
  /** The kind of a new call. A call that needs approval starts as an approval for every tool. */
  kind: CallKind
  render?: RenderHint
  title: (input: unknown) => string | undefined
  /** The time limit in the agent's configuration. Absent: the tool's own limit, or else the default. */
  timeoutSeconds?: number
  deadlineSeconds?: number
  /** The agent's setting for how many later steps the results stay in the prompt. Absent: forever. */
  duration?: number
  onDeadline?: OnDeadline
  /** The users who can answer its requests. */
  answer?: AnswerPolicy
  repeatable: boolean
  /** For a tool of an MCP server: the server's URL or program. */
  address?: string
  /** For external tools only: the URL that receives opened calls. */
  url?: string
  retries: number
  server?: Tool
  /** True if the schema is foreign. It then validates the arguments. */
  foreign?: true
  /** The wikis that it can read. Absent: all wikis of the workspace. */
  wikis?: readonly string[]
  /** For a tool of an MCP server whose definition changed: the offered definition. */
  change?: ToolChange
  /** True if the model does not see the tool. Earlier calls of it can still run. */
  hidden?: true
  /** The reason why it does not run on this server. */
  unavailable?: string
  alwaysAsked?: true
}

/** The tools of a session by name. */
export type ResolvedTools = ReadonlyMap<string, ResolvedTool>
