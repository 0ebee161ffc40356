import type { z } from 'zod'

/** The call that `execute` runs for. */
export type ToolContext = {
  /** Aborts at the time limit, when a user stops the turn, and when another process takes over the session. */
  signal: AbortSignal
  sessionId: string
  workspaceId: string
  /** The agent that makes the call. */
  agentId: string
  /** The only person who asked for the agent's current work: `person:…`, `key:…` or `subject:…`. */
  userId?: string
  toolCallId: string
  /** The same value each time that this call runs. `fetch` sends it as `Idempotency-Key`. */
  idempotencyKey: string
  /** Sends a request. It reaches only what the server's egress rules allow, and ends with the call. */
  fetch: (url: string | URL, init?: ToolRequest) => Promise<Response>
}

export type ToolRequest = {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** `manual` returns a redirect instead of following it. */
  redirect?: 'follow' | 'manual'
}

type Common<Input extends z.ZodType> = {
  /** 1 to 64 letters, digits, `-` and `_`. It must differ from the names of all other tools of the server. */
  name: string
  /** Tells the model when to use the tool. Up to 4,000 characters. */
  description: string
  /** A zod object for the arguments. The model receives it as a JSON Schema. */
  inputSchema: Input
  /** The agents' default. `ask`: a person approves each call. Default: `ask`. */
  approval?: 'ask' | 'auto'
}

/** A tool whose calls this server runs. */
export type ServerTool<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType
> = Common<Input> & {
  where?: 'server'
  /** Checks the result. A result that does not match becomes an error that the model reads. */
  outputSchema?: Output
  /** The time limit in seconds, 1 to 3,600. Default: that of the agent or the workspace, 30 s. */
  timeout?: number
  /** True if running a call twice is harmless. The server then repeats a call whose process died. */
  repeatable?: boolean
  /** Returns a JSON value. If it throws, the model reads the error's message. */
  execute(input: z.output<Input>, context: ToolContext): z.input<Output> | Promise<z.input<Output>>
}

/** A tool whose calls a client of the session answers, such as a page. */
export type BrowserTool<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType
> = Common<Input> & {
  where: 'browser'
  /** Checks the client's answer. */
  outputSchema?: Output
}

/** Returns the tool. It gives `execute` its types, which follow from the schemas. */
export function defineTool<Input extends z.ZodType, Output extends z.ZodType = z.ZodType<unknown, unknown>>(
  tool: ServerTool<Input, Output>
): ServerTool<Input, Output>
export function defineTool<Input extends z.ZodType, Output extends z.ZodType = z.ZodType<unknown, unknown>>(
  tool: BrowserTool<Input, Output>
): BrowserTool<Input, Output>
