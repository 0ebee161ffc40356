import { createClient } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import { ToolProvider } from '@waystation/plugin-host/generated/tool_pb.ts'
import { ViewProvider } from '@waystation/plugin-host/generated/view_pb.ts'

/** Returns a plain gRPC client for a plugin at `http://host:port`. */
export function bareClient(url: string) {
  const transport = createGrpcTransport({ baseUrl: url })
  const [tools, views] = [createClient(ToolProvider, transport), createClient(ViewProvider, transport)]
  return {
    callTool: (name: string, argumentsJson: string) => tools.executeTool({ name, argumentsJson }),
    handleStream: (messages: AsyncIterable<{ data: Uint8Array<ArrayBuffer> }>) => views.handleStream(messages)
  }
}

export type BareClient = ReturnType<typeof bareClient>
