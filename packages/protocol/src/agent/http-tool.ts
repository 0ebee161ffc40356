import { UnmaskedUrl } from '@waystation/protocol/external-agent/mask-url.ts'
import { z } from 'zod'
import { AgentId, ApprovalMode, ExternalTool, InputSchema, JsonSchema } from './agent.ts'

/** Asks an HTTP tool for its definition with `GET`. */
export const ReadHttpTool = z.strictObject({ url: UnmaskedUrl })
export type ReadHttpTool = z.infer<typeof ReadHttpTool>

/** The definition of an HTTP tool, as it describes itself (docs/http-tools.md#definition). */
export const HttpToolDefinition = z.object({
  name: ExternalTool.shape.name,
  title: ExternalTool.shape.title,
  description: z.string().max(4000).default(''),
  inputSchema: InputSchema,
  outputSchema: JsonSchema.optional(),
  approval: ApprovalMode.optional()
})
export type HttpToolDefinition = z.infer<typeof HttpToolDefinition>

/** Sends a test call to an HTTP tool, signed with the secrets of the agent. */
export const TestHttpTool = z.strictObject({
  url: UnmaskedUrl,
  name: ExternalTool.shape.name,
  agentId: AgentId,
  input: z.record(z.string(), z.unknown())
})
export type TestHttpTool = z.infer<typeof TestHttpTool>
