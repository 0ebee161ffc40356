import { ApiError } from '@waystation/base/api-error.ts'
import { isLoopback } from '@waystation/base/is-loopback.ts'
import { type EgressPolicy, OutboundError, safeFetch, targetOf } from '@waystation/egress'
import { SettingOption } from '@waystation/protocol/plugin/plugin-settings.ts'
import { z } from 'zod'
import type { PluginAddress } from './address.ts'

const limits = { ms: 5000, bytes: 1024 * 1024, options: 1000, characters: 500 }

const OptionsSchema = z
  .array(SettingOption.extend({ value: z.coerce.string(), label: z.coerce.string() }))
  .max(limits.options)

/**
 * Fetches options from an address in a plugin's manifest, with `q` added to its query (003-8). Limits: 5 s, 1
 * MiB, no redirects. The request contains nothing about the user. A private address is called only if the
 * egress policy allows it, or if it is the address of the local plugin. Throws `ApiError` `UNAVAILABLE`.
 */
export async function fetchOptions(
  policy: EgressPolicy,
  local: PluginAddress | undefined,
  from: string,
  q: string
): Promise<SettingOption[]> {
  const url = new URL(from)
  url.searchParams.set('q', q)
  const unavailable = (why: string) => new ApiError('UNAVAILABLE', `The options cannot be loaded: ${why}`)
  const response = await safeFetch(allowOwnPort(policy, local, url), url, {
    headers: { accept: 'application/json' },
    redirect: 'manual',
    timeout: limits.ms,
    maxBytes: limits.bytes
  }).catch(error => {
    throw error instanceof OutboundError ? unavailable(error.message) : error
  })
  if (response.status !== 200) throw unavailable(`${url.host} returned ${response.status}.`)
  try {
    const options = OptionsSchema.parse(JSON.parse(response.text()))
    return options.map(({ value, label }) => ({
      value: value.slice(0, limits.characters),
      label: label.slice(0, limits.characters)
    }))
  } catch {
    throw unavailable(`${url.host} did not return a list of {value, label}.`)
  }
}

/**
 * Returns a policy that also allows the local plugin's own port, under any loopback name. Remote plugins need
 * no exception: the policy already allows their address.
 */
function allowOwnPort(policy: EgressPolicy, local: PluginAddress | undefined, url: URL): EgressPolicy {
  const { host, port } = targetOf(url)
  return local !== undefined && port === local.target.port && isLoopback(host)
    ? { ...policy, rules: [...policy.rules, { kind: 'host', host, port }] }
    : policy
}
