import type { PluginStatus } from '#lib/protocol/plugin.ts'

/** A tool of a plugin in another language, by its own name. */
export type PluginTool = { name: string; description: string; parameters: Record<string, unknown> }

/** A message to a plugin's model; `toolCallId`: it is the result of that call, said as the user (003-10). */
export type PluginMessage = {
  role: 'system' | 'user' | 'assistant'
  content: string
  toolCalls?: { id: string; name: string; argumentsJson: string }[]
  toolCallId?: string
}

export type PluginRequest = {
  model: string
  messages: PluginMessage[]
  tools: PluginTool[]
  temperature?: number
  maxTokens?: number
}

/** A piece of what a plugin's model says: `chunk` is a part of a call's JSON, whose first piece has its name. */
export type PluginPart =
  | { type: 'text'; text: string }
  | { type: 'tool-call'; id: string; name?: string; chunk: string }
  | { type: 'usage'; inputTokens: number; outputTokens: number }
  | { type: 'finish'; reason: 'stop' | 'tool-use' | 'max-tokens' | 'other' }

/** A plugin in another language, as one workspace has it. What it offers is what it said at its last start. */
export type HostedPlugin = {
  name: string
  tools: readonly PluginTool[]
  hasModel: boolean
  /** Always comes to one of the two; `reason` is for the model. */
  callTool: (
    name: string,
    input: unknown,
    signal: AbortSignal
  ) => Promise<{ ok: true; result: unknown } | { ok: false; reason: string }>
  /** What its model says, a `finish` last. Throws a sentence. */
  complete: (request: PluginRequest, signal: AbortSignal | undefined) => AsyncIterable<PluginPart>
}

/** The plugins in other languages that this process keeps running, by workspace (docs/plugins-grpc.md). */
export type PluginHost = {
  /** Those of a workspace in the order of its file. */
  of: (workspaceId: string) => readonly HostedPlugin[]
  /** Resolves once each has said what it has or came to nothing, or that time is over. */
  settled: (workspaceId: string, milliseconds: number) => Promise<void>
  list: (workspaceId: string) => PluginStatus[]
  stop: () => Promise<void>
}
