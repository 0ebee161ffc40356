import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { maskUrl } from '@waystation/protocol/external-agent/mask-url.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { covers } from '#lib/kernel/scope.ts'

/**
 * Shortens the URLs of external systems in a value, unless the caller is an editor or owner. It also replaces them in
 * sentences and differences. Only call it for responses, because running or saving a configuration needs the complete
 * URLs.
 */
export const redactUrlsFor = <Value>(ctx: Ctx, value: Value, configs: readonly AgentConfig[]): Value =>
  redactAddresses(ctx, value, configs.flatMap(addressesOf))

/** The same for these URLs. */
export function redactAddresses<Value>({ actor }: Ctx, value: Value, urls: readonly string[]): Value {
  if (covers(actor, 'edit')) return value
  const addresses = [...new Set(urls)].filter(hasMore)
  if (addresses.length === 0) return value
  // One URL can start with another, so the longest is replaced first.
  const longestFirst = addresses.toSorted((a, b) => b.length - a.length)
  const text = longestFirst.reduce(
    (text, address) => text.replaceAll(inJson(address), inJson(maskUrl(address))),
    JSON.stringify(value)
  )
  return JSON.parse(text) as Value
}

const addressesOf = (config: AgentConfig): string[] =>
  config.type === 'external'
    ? [config.external.inputUrl, config.external.checkUrl].filter(url => url !== undefined)
    : config.chat.tools.flatMap(tool => ('url' in tool ? [tool.url] : []))

/** Returns whether shortening would change the URL. */
const hasMore = (address: string): boolean => new URL(address).href !== maskUrl(address)

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)
