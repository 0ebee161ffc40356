import type { ConnectRouter } from '@connectrpc/connect'
import { ToolProvider } from '@waystation/plugin-host/generated/tool_pb.ts'
import { contextOf, type Registrations } from './context.ts'
import { PluginError } from './plugin-error.ts'
import { answering } from './services.ts'
import type { SettingFields } from './settings.ts'
import type { Tool } from './tool-types.ts'

/** A tool whose parameters have lost their type. */
export type AnyTool<Fields extends SettingFields> = Tool<never, Fields>

/** Serves the tools. One that throws fails with the error's message, for the model. */
export function serveTools<Fields extends SettingFields>(
  router: ConnectRouter,
  tools: Readonly<Record<string, AnyTool<Fields>>>,
  registrations: Registrations<Fields>
): void {
  router.service(ToolProvider, {
    listTools: () => ({
      tools: Object.entries(tools).map(([name, { description, parameters }]) => ({
        name,
        description,
        parametersJsonSchema: parameters === undefined ? '' : JSON.stringify(parameters)
      }))
    }),
    executeTool: answering(async ({ name, argumentsJson }, call) => {
      const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
      if (tool === undefined) return failed(`There is no tool “${name}”.`)
      try {
        const args = JSON.parse(argumentsJson || '{}')
        const result = await tool.run(args as never, contextOf(registrations, call))
        return { resultJson: JSON.stringify(result ?? null), isError: false }
      } catch (error) {
        if (call.signal.aborted) throw error
        if (!(error instanceof PluginError)) console.error(error)
        return failed(error instanceof Error ? error.message : String(error))
      }
    })
  })
}

const failed = (why: string) => ({ resultJson: JSON.stringify(why), isError: true })
