import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `scripts/serve/headers.ts` sets the security headers, because each response needs a new nonce. This file is
 * JavaScript: for TypeScript, Next would load its compiler into the server, which takes 24 MB of memory.
 *
 * @type {import('next').NextConfig}
 */
const config = {
  // Without this, a lock file in a folder above would make that folder the root.
  turbopack: { root: import.meta.dirname },
  allowedDevOrigins: ['127.0.0.1', 'localhost'],
  poweredByHeader: false,
  // No page uses Next's image service, and anyone could use it to convert images.
  images: { unoptimized: true },
  // Browsers ask again after a day, because an upgrade can change these files. By default, they would ask each time.
  headers: async () =>
    readdirSync(join(import.meta.dirname, 'public')).map(file => ({
      source: `/${file}`,
      headers: [{ key: 'Cache-Control', value: 'public, max-age=86400' }]
    })),
  // The badge would cover the bottom of the session list.
  devIndicators: false,
  // These read files beside their code, or must be the same copy that the worker uses.
  serverExternalPackages: ['postgres', 'pg', 'graphile-worker', 'undici'],
  // `npm run check` checks the types of the whole project.
  typescript: { ignoreBuildErrors: true }
}

export default config
