import { createClient, type WaystationClient } from '@waystation/client'
import { UsageError } from './fault.ts'

type Settings = { url?: unknown; key?: unknown }

/** Returns the URL of the server: the option, the setting or the default. Throws a `UsageError` if it is invalid. */
export function serverUrl({ url }: Settings, env: Readonly<Record<string, string | undefined>>): string {
  const given = typeof url === 'string' ? url : env.WAYSTATION_URL || 'http://localhost:3000'
  const parsed = URL.parse(given)
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.search !== '')
    throw new UsageError(
      'The URL of the server is invalid. Set --url or WAYSTATION_URL to an origin such as https://waystation.example.'
    )
  return given
}

/** Creates the client for a command. Throws a `UsageError` without a key. */
export function connect(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>
): WaystationClient {
  const key = (typeof settings.key === 'string' ? settings.key : (env.WAYSTATION_API_KEY ?? '')).trim()
  if (key === '')
    throw new UsageError(
      'No API key is set. Set WAYSTATION_API_KEY or --key to an API key or a session token.'
    )
  // A session token is sent like a key.
  return createClient({ url: serverUrl(settings, env), apiKey: key })
}
