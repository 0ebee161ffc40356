import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage
} from '@ai-sdk/provider'
import type { CallOrigin, HostedPlugin, PluginPart, PluginRequest } from '@waystation/plugin-host/contract.ts'
import { pluginMessages } from '@waystation/plugin-host/plugin-messages.ts'
import { ModelNotConfigured } from '#lib/models/provider.ts'
import { toReadableStream } from '#lib/models/to-readable-stream.ts'

/** Parses a spec of the form `plugin:<name>/<model>`. Returns undefined for other specs. */
export function pluginOf(spec: string): { plugin: string; model: string } | undefined {
  const [, plugin, model] = /^plugin:([^/]+)\/(.+)$/s.exec(spec.trim()) ?? []
  return plugin === undefined || model === undefined ? undefined : { plugin, model }
}

/** Returns the origin of a model call. The plugin receives it as metadata. */
export type OriginOf = (request: PluginRequest) => Promise<CallOrigin>

/**
 * Returns a model of a gRPC plugin as an AI SDK model (003-10, 003-11). It streams text as it arrives, and a
 * tool call once it is complete. An abort cancels the call to the plugin. Creating the model sends no request.
 *
 * @throws ModelNotConfigured if there is no such plugin, or if it declares no models
 */
export function pluginModel(
  { plugin: name, model: modelId }: { plugin: string; model: string },
  plugins: readonly HostedPlugin[],
  originOf: OriginOf = async () => ({})
): LanguageModelV4 {
  const plugin = plugins.find(plugin => plugin.name === name)
  if (plugin === undefined)
    throw new ModelNotConfigured(
      `This workspace has no plugin "${name}". Add it to the workspace file, or choose another model.`
    )
  if (!plugin.hasModel)
    throw new ModelNotConfigured(`The plugin "${name}" has no models or has not started yet.`)
  return {
    specificationVersion: 'v4',
    provider: `plugin:${name}`,
    modelId,
    supportedUrls: {},
    async doStream(options) {
      const request = toRequest(modelId, options)
      const parts = plugin.complete(request, { ...(await originOf(request)), signal: options.abortSignal })
      return { stream: toReadableStream(toStreamParts(parts)) }
    },
    async doGenerate() {
      throw new Error('Plugin models support only streaming.')
    }
  }
}

function toRequest(
  model: string,
  { prompt, tools = [], temperature, topP, maxOutputTokens }: LanguageModelV4CallOptions
) {
  return {
    model,
    messages: pluginMessages(prompt),
    tools: tools.flatMap(tool =>
      tool.type === 'function'
        ? [
            {
              name: tool.name,
              description: tool.description ?? '',
              parameters: tool.inputSchema as Record<string, unknown>
            }
          ]
        : []
    ),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(maxOutputTokens === undefined ? {} : { maxTokens: maxOutputTokens })
  }
}

async function* toStreamParts(parts: AsyncIterable<PluginPart>): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  const calls = new Map<string, { toolName: string; input: string }>()
  let usage = toUsage()
  let hasText = false
  for await (const part of parts) {
    switch (part.type) {
      case 'text':
        if (!hasText) yield { type: 'text-start', id: 'text' }
        hasText = true
        yield { type: 'text-delta', id: 'text', delta: part.text }
        break
      case 'tool-call': {
        const { id, name = '', chunk } = part
        const call = calls.get(id) ?? { toolName: name, input: '' }
        if (!calls.has(id)) {
          calls.set(id, call)
          yield { type: 'tool-input-start', id, toolName: call.toolName }
        }
        call.input += chunk
        yield { type: 'tool-input-delta', id, delta: chunk }
        break
      }
      case 'usage':
        usage = toUsage(part.inputTokens, part.outputTokens)
        break
      case 'finish':
        if (hasText) yield { type: 'text-end', id: 'text' }
        for (const [toolCallId, { toolName, input }] of calls) {
          yield { type: 'tool-input-end', id: toolCallId }
          yield { type: 'tool-call', toolCallId, toolName, input: input.trim() === '' ? '{}' : input }
        }
        yield { type: 'finish', finishReason: toFinishReason(part.reason, calls.size > 0), usage }
    }
  }
}

/** Converts the finish reason. A plugin may report `stop` even though it called tools. */
function toFinishReason(
  reason: Extract<PluginPart, { type: 'finish' }>['reason'],
  hasCalls: boolean
): LanguageModelV4FinishReason {
  if (reason === 'max-tokens') return { unified: 'length', raw: reason }
  if (hasCalls || reason === 'tool-use') return { unified: 'tool-calls', raw: reason }
  return { unified: reason === 'stop' ? 'stop' : 'other', raw: reason }
}

/** Converts the token counts. Counts that the plugin did not report are undefined. */
const toUsage = (input?: number, output?: number): LanguageModelV4Usage => ({
  inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: output, text: output, reasoning: undefined }
})
