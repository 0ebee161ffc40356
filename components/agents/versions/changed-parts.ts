import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { ConfigChange } from '@waystation/protocol/agent/comparison.ts'
import { diffConfigs } from '@waystation/protocol/agent/config-diff.ts'
import {
  type DefaultApprovals,
  privilegeEscalations
} from '@waystation/protocol/agent/privilege-escalations.ts'
import { kindWord, placeOf } from '#components/ui/change-words.ts'

/** How many parts a sentence names. */
const most = 3

/** Says what changed between two versions: "Removed web-fetch. Changed Model. No new permissions." */
export function changedParts(before: AgentConfig, after: AgentConfig, usual: DefaultApprovals): string {
  const named = new Map<string, string>()
  for (const change of diffConfigs(before, after)) {
    const { name, isPart } = partOf(change)
    if (!named.has(name)) named.set(name, kindWord[isPart ? 'changed' : change.kind])
  }
  if (named.size === 0) return 'No changes.'
  const sentences = Object.values(kindWord).flatMap(word => {
    const names = [...named].flatMap(([name, of]) => (of === word ? [name] : []))
    const more = names.length > most ? ` and ${names.length - most} more` : ''
    return names.length === 0 ? [] : [`${word} ${names.slice(0, most).join(', ')}${more}.`]
  })
  const widens = privilegeEscalations(before, after, usual).length > 0
  return [...sentences, widens ? 'New permissions.' : 'No new permissions.'].join(' ')
}

/** The tool or the field that a change belongs to. `isPart`: only a part of it changed. */
function partOf({ path }: ConfigChange): { name: string; isPart: boolean } {
  const [first, list, tool] = path
  if (first === 'chat' && list === 'tools' && tool !== undefined)
    return { name: tool, isPart: path.length > 3 }
  const field = path.slice(0, first === 'chat' || first === 'external' ? 2 : 1)
  return { name: placeOf({ path: field }), isPart: path.length > field.length }
}
