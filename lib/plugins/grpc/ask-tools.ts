import { setImmediate as breathe } from 'node:timers/promises'
import { createClient } from '@connectrpc/connect'
import { isJsonObject } from '#lib/protocol/json-object.ts'
import { schemaProblem } from '#lib/protocol/plugin/schema-size.ts'
import type { CallOptions, Channel } from './channel.ts'
import { explain } from './explain.ts'
import { type ToolDefinition, ToolProvider } from './generated/tool_pb.ts'
import { deadlines, most } from './limits.ts'
import { PluginError } from './plugin-error.ts'
import { jsonOf, listOf, textOf, wordsOf } from './untrusted.ts'

export type PluginTool = { name: string; description: string; parameters: Record<string, unknown> }

/** The tools that can be called, and those that cannot with why: a sentence each. */
export type PluginTools = { tools: PluginTool[]; skipped: { name: string; reason: string }[] }

/** What became of a tool's call: always one of the two. `reason` is for the model. */
export type ToolOutcome = { ok: true; result: unknown } | { ok: false; reason: string }

/** The tools of a plugin (003-9). */
export function askTools(channel: Channel) {
  const client = createClient(ToolProvider, channel.transport)
  return {
    /** Throws `PluginError`; a single tool that is not as it should be is skipped. */
    async listTools(options?: CallOptions): Promise<PluginTools> {
      const { tools } = await channel.ask(deadlines.listTools, o => client.listTools({}, o), options)
      const size = tools.reduce((sum, tool) => sum + tool.parametersJsonSchema.length, 0)
      if (size > most.schemas)
        throw new PluginError(
          'invalid',
          `The schemas of the plugin's tools are too large: ${size} characters.`
        )
      const read: PluginTools = { tools: [], skipped: [] }
      for (const told of listOf(tools, most.tools, "The plugin's list of tools")) {
        // Reading a large schema takes a while: others have their turn in between.
        await breathe()
        try {
          const tool = toolOf(told)
          if (read.tools.some(({ name }) => name === tool.name))
            throw new PluginError('invalid', 'Another tool of this plugin has the same name.')
          read.tools.push(tool)
        } catch (error) {
          read.skipped.push({ name: wordsOf(told.name, most.toolName), reason: explain(error).message })
        }
      }
      return read
    },
    /** Never throws. A call that ended without an answer may have had its effect: it is not made again. */
    async executeTool(
      { name, args }: { name: string; args: unknown },
      options?: CallOptions
    ): Promise<ToolOutcome> {
      try {
        const argumentsJson = JSON.stringify(args ?? {})
        const said = await channel.ask(
          deadlines.executeTool,
          o => client.executeTool({ name, argumentsJson }, o),
          options
        )
        const result = jsonOf(said.resultJson, most.result, "The tool's result")
        if (!said.isError) return { ok: true, result }
        const words = typeof result === 'string' ? result : JSON.stringify(result)
        return { ok: false, reason: words.slice(0, most.words).toWellFormed() }
      } catch (error) {
        return { ok: false, reason: explain(error, options?.signal).message }
      }
    }
  }
}

function toolOf({ name, description, parametersJsonSchema }: ToolDefinition): PluginTool {
  if (name.trim() === '') throw new PluginError('invalid', 'The tool has no name.')
  const parameters = jsonOf(parametersJsonSchema, most.schema, 'Its schema') ?? { type: 'object' }
  if (!isJsonObject(parameters) || (parameters.type ?? 'object') !== 'object')
    throw new PluginError('invalid', 'Its schema does not describe an object.')
  const fault = schemaProblem(parameters)
  if (fault !== undefined) throw new PluginError('invalid', `Its schema ${fault}.`)
  return {
    name: textOf(name, most.toolName, 'Its name'),
    description: textOf(description, most.toolDescription, 'Its description'),
    parameters: { type: 'object', ...parameters }
  }
}
