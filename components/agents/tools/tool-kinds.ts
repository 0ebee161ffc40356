import type { AgentTool } from '@waystation/protocol/agent/agent.ts'

/** A kind of tool that the form edits in a row of its own. */
export type ToolKind = 'http' | 'mcp' | 'plugin' | 'catalog'

type KindText = {
  kind: ToolKind
  label: string
  /** Helps the user to choose. */
  when: string
}

/** The kinds in the order in which the form offers them. */
export const toolKinds: readonly KindText[] = [
  {
    kind: 'http',
    label: 'HTTP tool',
    when: 'Your own service answers, at once or days later. It can be in any language.'
  },
  {
    kind: 'mcp',
    label: 'MCP server',
    when: 'The tools of a server that speaks the Model Context Protocol. Set it up under Connections first.'
  },
  {
    kind: 'plugin',
    label: 'Plugin',
    when: 'The tools of a gRPC plugin. A plugin can also have hooks, models and pages.'
  },
  {
    kind: 'catalog',
    label: 'From the catalog',
    when: 'A tool that several agents share, or that runs in the user’s browser.'
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
