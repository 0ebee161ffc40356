import {
  type Block,
  HclError,
  type HclValue,
  type Located,
  meant,
  oneOf,
  readBlock,
  type Scope,
  shown,
  unique
} from '@waystation/hcl'
import { ChatConfig, ExternalConfig } from '@waystation/protocol/agent/agent.ts'
import { maxHandOffIdChars } from '@waystation/protocol/agent/hand-off.ts'
import { OobDefaults } from '@waystation/protocol/out-of-band/oob-settings.ts'
import type { z } from 'zod'

/**
 * An agent of a workspace file. `model` is `provider/model` or `plugin:<name>/<model>`. `handoffs` are the
 * agents to which it can hand off. `approval` applies to its `tools`. `settings` are further settings of a chat agent,
 * `external` are those of an external agent, and `outOfBand` those of its out-of-band messages.
 */
export type WorkspaceAgent = {
  name: string
  displayName?: string
  description?: string
  approval?: 'ask' | 'auto'
  settings?: Partial<ChatConfig>
  external?: ExternalConfig
  outOfBand?: OobDefaults
  model?: string
  instructions?: string
  tools: string[]
  handoffs: string[]
}

/** The attributes of an agent. */
export const agentShape = {
  labels: ['name'],
  attributes: {
    display_name: 'string?',
    description: 'string?',
    model: 'string?',
    instructions: 'string?',
    tools: 'strings?',
    handoffs: 'strings?',
    approval: 'string?',
    settings: 'any?',
    external: 'any?',
    out_of_band: 'any?'
  }
} as const

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
  const { labels, values } = readBlock(block, agentShape, scope)
  const name = labels[0]!
  if (!/^[A-Za-z0-9_-]+$/.test(name) || name.length > maxHandOffIdChars)
    throw new HclError(
      block.labels[0]!,
      `an agent's name can have only letters, digits, "-" and "_", at most ${maxHandOffIdChars} characters`
    )
  const { model, instructions, display_name: displayName, description, approval, settings, external } = values
  const { out_of_band: outOfBand } = values
  const handoffs = checkUnique(values.handoffs?.value, 'in "handoffs"')
  for (const handoff of handoffs) {
    checkName(handoff, names)
    if (handoff.value === name) throw new HclError(handoff, `agent ${shown(name)} cannot hand off to itself`)
  }
  const chatOnly = [model, instructions, values.tools, values.handoffs, approval, settings].find(Boolean)
  if (external && chatOnly)
    throw new HclError(chatOnly, 'an external agent has no settings of a chat agent: remove one of the two')
  return {
    name,
    ...(displayName && { displayName: displayName.value }),
    ...(description && { description: description.value }),
    ...(approval && { approval: oneOf(['ask', 'auto'], approval, 'an approval') }),
    ...(settings && { settings: valid(ChatConfig.partial(), settings, 'settings') }),
    ...(outOfBand && { outOfBand: valid(OobDefaults, outOfBand, 'out_of_band') }),
    ...(external && { external: valid(ExternalConfig, external, 'external') }),
    ...(model && { model: model.value }),
    ...(instructions && { instructions: instructions.value }),
    tools: checkUnique(values.tools?.value, 'in "tools"').map(({ value }) => value),
    handoffs: handoffs.map(({ value }) => value)
  }
}

/** Validates settings with the schema of the API. Throws an `HclError` that names the first invalid field. */
function valid<Output>(
  schema: z.ZodType<Output>,
  { value, ...position }: Located<HclValue>,
  name: string
): Output {
  const checked = schema.safeParse(value)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  const field = [name, ...(issue?.path ?? [])].join('.')
  throw new HclError(position, `${shown(field)} is not valid: ${issue?.message ?? 'unexpected value'}`)
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
