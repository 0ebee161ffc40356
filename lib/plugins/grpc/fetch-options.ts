import { z } from 'zod'
import { isLoopback } from '#lib/kernel/is-loopback.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import type { EgressPolicy } from '#lib/net/egress-policy.ts'
import { OutboundError } from '#lib/net/outbound-error.ts'
import { safeFetch } from '#lib/net/safe-fetch.ts'
import { targetOf } from '#lib/net/target.ts'
import { SettingOption } from '#lib/protocol/plugin/plugin-settings.ts'
import type { PluginAddress } from './address.ts'

const limits = { ms: 5000, bytes: 1024 * 1024, options: 1000, characters: 500 }

const Answer = z
  .array(SettingOption.extend({ value: z.coerce.string(), label: z.coerce.string() }))
  .max(limits.options)

/**
 * Asks an address of a plugin's manifest for options, with `q` added to its query (003-8): within 5 s and 1 MiB, without
 * redirects, and with nothing of the person who asks. A private address is called where the settings allow it, or where `local`
 * listens: the address of a local plugin. Throws `Refusal` `UNAVAILABLE`.
 */
export async function fetchOptions(
  policy: EgressPolicy,
  local: PluginAddress | undefined,
  from: string,
  q: string
): Promise<SettingOption[]> {
  const url = new URL(from)
  url.searchParams.set('q', q)
  const unavailable = (why: string) => new Refusal('UNAVAILABLE', `The options cannot be loaded: ${why}`)
  const answer = await safeFetch(withOwn(policy, local, url), url, {
    headers: { accept: 'application/json' },
    redirect: 'manual',
    timeout: limits.ms,
    maxBytes: limits.bytes
  }).catch(error => {
    throw error instanceof OutboundError ? unavailable(error.message) : error
  })
  if (answer.status !== 200) throw unavailable(`${url.host} returned ${answer.status}.`)
  try {
    const options = Answer.parse(JSON.parse(answer.text()))
    return options.map(({ value, label }) => ({
      value: value.slice(0, limits.characters),
      label: label.slice(0, limits.characters)
    }))
  } catch {
    throw unavailable(`${url.host} did not return a list of {value, label}.`)
  }
}

/**
 * The policy that lets a local plugin's own port be called, under any name of this machine. A remote plugin needs no more than
 * the settings allow: it is itself called by them.
 */
function withOwn(policy: EgressPolicy, local: PluginAddress | undefined, url: URL): EgressPolicy {
  const { host, port } = targetOf(url)
  return local !== undefined && port === local.target.port && isLoopback(host)
    ? { ...policy, rules: [...policy.rules, { kind: 'host', host, port }] }
    : policy
}
