import { z } from 'zod'
import { isLoopback } from '#lib/kernel/is-loopback.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import type { EgressPolicy } from '#lib/net/egress-policy.ts'
import { OutboundError } from '#lib/net/outbound-error.ts'
import { safeFetch } from '#lib/net/safe-fetch.ts'
import { SettingOption } from '#lib/protocol/plugin-settings.ts'
import type { PluginSource } from './reach.ts'

const limits = { ms: 5000, bytes: 1024 * 1024, options: 1000, characters: 500 }

const Answer = z
  .array(SettingOption.extend({ value: z.coerce.string(), label: z.coerce.string() }))
  .max(limits.options)

/**
 * Asks an address of a plugin's manifest for options, with `q` added to its query (003-8): within 5 s and 1 MiB, without
 * redirects, and with nothing of whoever asks. A private address is called only where the plugin itself is on that host.
 * Throws `Refusal` `UNAVAILABLE`.
 */
export async function fetchOptions(
  policy: EgressPolicy,
  source: PluginSource | undefined,
  from: string,
  q: string
): Promise<SettingOption[]> {
  const url = new URL(from)
  url.searchParams.set('q', q)
  const unavailable = (why: string) => new Refusal('UNAVAILABLE', `The options cannot be had: ${why}`)
  const answer = await safeFetch(ownHost(policy, source, url), url, {
    headers: { accept: 'application/json' },
    redirect: 'manual',
    timeout: limits.ms,
    maxBytes: limits.bytes
  }).catch(error => {
    throw error instanceof OutboundError ? unavailable(error.message) : error
  })
  if (answer.status !== 200) throw unavailable(`${url.host} answered ${answer.status}.`)
  try {
    const options = Answer.parse(JSON.parse(answer.text()))
    return options.map(({ value, label }) => ({
      value: value.slice(0, limits.characters),
      label: label.slice(0, limits.characters)
    }))
  } catch {
    throw unavailable(`${url.host} answered with something that is no list of {value, label}.`)
  }
}

/** The policy that lets a plugin's own host be called. */
function ownHost(policy: EgressPolicy, source: PluginSource | undefined, { hostname }: URL): EgressPolicy {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const isOwn = source?.kind === 'remote' ? source.address.target.host === host : isLoopback(host)
  return isOwn && source !== undefined
    ? { ...policy, rules: [...policy.rules, { kind: 'host', host }] }
    : policy
}
