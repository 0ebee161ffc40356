import type { AgentTool } from '@waystation/protocol/agent/agent.ts'

/** A kind of tool that the form edits in a row of its own. */
export type ToolKind = 'http' | 'mcp' | 'plugin' | 'catalog'

type KindText = {
  kind: ToolKind
  label: string
  /** The entry of the library that adds one of any name. */
  another: string
  /** Helps the user to choose. */
  when: string
}

/** The kinds in the order in which the form offers them. */
export const toolKinds: readonly KindText[] = [
  {
    kind: 'mcp',
    label: 'MCP',
    another: 'Other MCP server',
    when: 'Add the server under Connections first.'
  },
  {
    kind: 'http',
    label: 'HTTP',
    another: 'New HTTP tool',
    when: 'Your own service answers, at once or days later.'
  },
  {
    kind: 'plugin',
    label: 'Plugins',
    another: 'Other plugin',
    when: 'The tools of a gRPC plugin, or of all plugins.'
  },
  {
    kind: 'catalog',
    label: 'Catalog',
    another: 'Other entry',
    when: 'A tool that several agents share.'
  }
]

/** Returns the kind of a tool that is not one of the server's own. */
export const kindOf = (tool: AgentTool): ToolKind =>
  '@ag.embed' in tool ? 'catalog' : 'mcp' in tool ? 'mcp' : 'plugin' in tool ? 'plugin' : 'http'

/** Returns a new tool of a kind. The user has to complete it. Its calls need approval. */
export function newTool(kind: ToolKind): AgentTool {
  switch (kind) {
    case 'http':
      return {
        name: '',
        where: 'external',
        description: '',
        inputSchema: { type: 'object', properties: {} },
        url: '',
        approval: 'ask',
        retries: 0
      }
    case 'mcp':
      return { mcp: '', approval: 'ask' }
    case 'plugin':
      return { plugin: '', approval: 'ask' }
    case 'catalog':
      return { '@ag.embed': { '@ag.references': { workflow: { slug: '' } } }, approval: 'ask' }
  }
}
