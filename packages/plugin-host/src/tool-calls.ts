import { setImmediate as breathe } from 'node:timers/promises'
import { createClient } from '@connectrpc/connect'
import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { schemaProblem } from '@waystation/protocol/plugin/schema-size.ts'
import type { CallOptions, Channel } from './channel.ts'
import { explain, notListening } from './explain.ts'
import { type ToolDefinition, ToolProvider } from './generated/tool_pb.ts'
import { deadlines, limits } from './limits.ts'
import { PluginError } from './plugin-error.ts'
import { checkList, checkText, parseUntrustedJson, toSingleLine } from './untrusted.ts'

/** A tool of a plugin. `parameters` is a JSON Schema of type object. */
export type PluginTool = { name: string; description: string; parameters: Record<string, unknown> }

/** The usable tools of a plugin, and the unusable ones with a sentence that says why. */
export type PluginTools = { tools: PluginTool[]; skipped: { name: string; reason: string }[] }

/** The outcome of a tool call. `reason` is text for the model. */
export type ToolOutcome = { ok: true; result: unknown } | { ok: false; reason: string }

/** Returns the tool calls of a plugin (003-9). */
export function toolCalls(channel: Channel) {
  const client = createClient(ToolProvider, channel.transport)
  return {
    /**
     * Lists the tools and skips invalid ones. Throws `PluginError` if the whole list is invalid or the call
     * fails.
     */
    async listTools(options?: CallOptions): Promise<PluginTools> {
      const { tools } = await channel.ask(deadlines.listTools, o => client.listTools({}, o), options)
      const size = tools.reduce((sum, tool) => sum + tool.parametersJsonSchema.length, 0)
      if (size > limits.schemas)
        throw new PluginError(
          'invalid',
          `The schemas of the plugin's tools are too large: ${size} characters.`
        )
      const list: PluginTools = { tools: [], skipped: [] }
      for (const definition of checkList(tools, limits.tools, "The plugin's list of tools")) {
        // Parsing a large schema takes a while, so let other work run in between.
        await breathe()
        try {
          const tool = toolOf(definition)
          if (list.tools.some(({ name }) => name === tool.name))
            throw new PluginError('invalid', 'Another tool of this plugin has the same name.')
          list.tools.push(tool)
        } catch (error) {
          list.skipped.push({
            name: toSingleLine(definition.name, limits.toolName),
            reason: explain(error).message
          })
        }
      }
      return list
    },
    /** Runs a tool and never throws. Do not retry a call that failed: it may already have taken effect. */
    async executeTool(
      { name, args }: { name: string; args: unknown },
      options?: CallOptions
    ): Promise<ToolOutcome> {
      try {
        const argumentsJson = JSON.stringify(args ?? {})
        const response = await channel.ask(
          deadlines.executeTool,
          o => client.executeTool({ name, argumentsJson }, o),
          options
        )
        const result = parseUntrustedJson(response.resultJson, limits.result, "The tool's result")
        if (!response.isError) return { ok: true, result }
        const message = typeof result === 'string' ? result : JSON.stringify(result)
        return { ok: false, reason: message.slice(0, limits.words).toWellFormed() }
      } catch (error) {
        const { reason, message } = explain(error, options?.signal)
        const mayHaveRun = reason === 'late' || (reason === 'unavailable' && message !== notListening)
        return { ok: false, reason: mayHaveRun ? `${message} The call may have taken effect.` : message }
      }
    }
  }
}

function toolOf({ name, description, parametersJsonSchema }: ToolDefinition): PluginTool {
  if (name.trim() === '') throw new PluginError('invalid', 'The tool has no name.')
  const parameters = parseUntrustedJson(parametersJsonSchema, limits.schema, 'Its schema') ?? {
    type: 'object'
  }
  if (!isJsonObject(parameters) || (parameters.type ?? 'object') !== 'object')
    throw new PluginError('invalid', 'Its schema does not describe an object.')
  const problem = schemaProblem(parameters)
  if (problem !== undefined) throw new PluginError('invalid', `Its schema ${problem}.`)
  return {
    name: checkText(name, limits.toolName, 'Its name'),
    description: checkText(description, limits.toolDescription, 'Its description'),
    parameters: { type: 'object', ...parameters }
  }
}
