import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `scripts/serve/headers.ts` sets the security headers, because each response needs a new nonce. This file is
 * JavaScript: for TypeScript, Next would load its compiler into the server, which takes 24 MB of memory.
 *
 * @type {import('next').NextConfig}
 */
const config = {
  // Else a stray lock file in a directory above makes that one the root.
  turbopack: { root: import.meta.dirname },
  allowedDevOrigins: ['127.0.0.1', 'localhost'],
  poweredByHeader: false,
  // No page uses it, and it would make pictures for strangers.
  images: { unoptimized: true },
  // An upgrade can change these files, so a browser asks again after a day. Next's own default is each time.
  headers: async () =>
    readdirSync(join(import.meta.dirname, 'public')).map(file => ({
      source: `/${file}`,
      headers: [{ key: 'Cache-Control', value: 'public, max-age=86400' }]
    })),
  // Its badge lies over the foot of the list.
  devIndicators: false,
  // They read files beside their own code, or must be one copy with the worker's.
  serverExternalPackages: ['postgres', 'pg', 'graphile-worker', 'undici'],
  // `npm run check` does it for the whole tree, tests and scripts included.
  typescript: { ignoreBuildErrors: true }
}

export default config
