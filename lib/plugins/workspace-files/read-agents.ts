import {
  type Block,
  HclError,
  type Located,
  meant,
  readBlock,
  type Scope,
  shown,
  unique
} from '@waystation/hcl'
import { maxHandOffIdChars } from '@waystation/protocol/agent/hand-off.ts'

/**
 * An agent of a workspace file. `model` is `provider:model` or `plugin:<name>/<model>`. `handoffs` are the
 * agents to which it can hand off.
 */
export type WorkspaceAgent = {
  name: string
  model?: string
  instructions?: string
  tools: string[]
  handoffs: string[]
}

/**
 * Reads the agents of a workspace in order. All agents that they name must be among them. Without
 * `default_agent`, the first agent is the default. Throws `HclError`.
 */
export function readAgents(
  blocks: Block[],
  defaultName: Located<string> | undefined,
  scope: Scope
): { agents: WorkspaceAgent[]; defaultAgent?: string } {
  const nameOf = unique('agent')
  const names = new Set(blocks.map(nameOf))
  const agents = blocks.map(block => readAgent(block, names, scope))
  if (defaultName) checkName(defaultName, names)
  const defaultAgent = defaultName?.value ?? agents[0]?.name
  return { agents, ...(defaultAgent !== undefined && { defaultAgent }) }
}

function readAgent(block: Block, names: Set<string>, scope: Scope): WorkspaceAgent {
  const { labels, values } = readBlock(
    block,
    {
      labels: ['name'],
      attributes: { model: 'string?', instructions: 'string?', tools: 'strings?', handoffs: 'strings?' }
    },
    scope
  )
  const name = labels[0]!
  if (!/^[A-Za-z0-9_-]+$/.test(name) || name.length > maxHandOffIdChars)
    throw new HclError(
      block.labels[0]!,
      `an agent's name can have only letters, digits, "-" and "_", at most ${maxHandOffIdChars} characters`
    )
  const { model, instructions } = values
  const handoffs = checkUnique(values.handoffs?.value, 'in "handoffs"')
  for (const handoff of handoffs) {
    checkName(handoff, names)
    if (handoff.value === name) throw new HclError(handoff, `agent ${shown(name)} cannot hand off to itself`)
  }
  return {
    name,
    ...(model && { model: model.value }),
    ...(instructions && { instructions: instructions.value }),
    tools: checkUnique(values.tools?.value, 'in "tools"').map(({ value }) => value),
    handoffs: handoffs.map(({ value }) => value)
  }
}

function checkUnique(items: Located<string>[] = [], where: string): Located<string>[] {
  const seen = new Set<string>()
  for (const item of items) {
    if (seen.has(item.value))
      throw new HclError(item, `${shown(item.value)} is ${where} twice: remove one of the two`)
    seen.add(item.value)
  }
  return items
}

function checkName(name: Located<string>, names: Set<string>): void {
  if (!names.has(name.value))
    throw new HclError(
      name,
      `there is no agent ${shown(name.value)} in this workspace: ${meant(name.value, [...names])}`
    )
}
