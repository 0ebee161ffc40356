import type { Ctx } from '#lib/kernel/ctx.ts'
import { covers } from '#lib/kernel/scope.ts'
import type { AgentConfig } from '#lib/protocol/agent/agent.ts'
import { cutAddress } from '#lib/protocol/external-agent/cut-address.ts'

/**
 * A value about these configurations as the caller may see it. Editors and owners see addresses of other systems whole.
 * Everyone else sees them cut, also inside sentences and differences. Only verbs that answer a reader call it: whatever runs or
 * saves a configuration needs the addresses.
 */
export function shownTo<Value>({ actor }: Ctx, value: Value, configs: readonly AgentConfig[]): Value {
  if (covers(actor, 'edit')) return value
  const addresses = [...new Set(configs.flatMap(addressesOf))].filter(hasMore)
  if (addresses.length === 0) return value
  // One address may begin with another: the longest goes first.
  const longestFirst = addresses.toSorted((a, b) => b.length - a.length)
  const text = longestFirst.reduce(
    (text, address) => text.replaceAll(inJson(address), inJson(cutAddress(address))),
    JSON.stringify(value)
  )
  return JSON.parse(text) as Value
}

const addressesOf = (config: AgentConfig): string[] =>
  config.type === 'external'
    ? [config.external.inputUrl]
    : config.chat.tools.flatMap(tool => ('url' in tool ? [tool.url] : []))

/** Whether anything of it would be cut. */
const hasMore = (address: string): boolean => new URL(address).href !== cutAddress(address)

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)
