import type { Env } from '#lib/kernel/env.ts'
import type { IntegrationConfig } from '#lib/protocol/integration.ts'
import { presets } from './presets.ts'

/** The services that every workspace of this server finds: the presets and, in local mode, the sample at `/samples/acme`. */
export function broughtIntegrations(env: Env): readonly (IntegrationConfig & { clientSecret?: string })[] {
  return presets
}
