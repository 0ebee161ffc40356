import { type AgentTool, agentToolName } from '@waystation/protocol/agent/agent.ts'
import type { ToolChoice } from '#components/agents/agent-form.ts'

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

/** The calls of an HTTP tool run at once if its configuration does not say otherwise. */
const defaultApproval = (kind: ToolKind) => (kind === 'http' ? 'auto' : 'ask')

/** Returns the name of a tool. One that is not complete yet has none. */
export function nameOf(tool: AgentTool): string {
  if ('mcp' in tool) return tool.mcp
  if ('plugin' in tool) return tool.plugin
  if ('@ag.embed' in tool && !tool.name) {
    const { workflow, agent } = tool['@ag.embed']?.['@ag.references'] ?? {}
    return (workflow ?? agent)?.slug ?? (workflow ?? agent)?.id ?? ''
  }
  return agentToolName(tool)
}

/** Returns if the calls of a tool of the server need an approval, and if that can change. */
export function approvalOf(
  tools: readonly ToolChoice[],
  { name, approval }: { name: string; approval?: 'ask' | 'auto' | undefined }
) {
  const tool = tools.find(known => known.name === name)
  return {
    approval: tool?.alwaysAsked ? 'ask' : (approval ?? tool?.approval ?? 'ask'),
    alwaysAsked: tool?.alwaysAsked,
    answered: tool?.where === 'approver'
  }
}

/** Returns the same for a tool of another system. */
export const approvalOfOther = (tool: AgentTool): 'ask' | 'auto' =>
  (tool as { approval?: 'ask' | 'auto' }).approval ?? defaultApproval(kindOf(tool))
