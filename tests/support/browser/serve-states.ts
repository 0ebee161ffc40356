import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, preview } from 'vite'
import { root } from '#scripts/setup/root.mjs'

/** The fonts of `app/globals.css`. */
const fonts = ['overpass', 'overpass-mono', 'source-serif-4']

/**
 * Bundles only the session page, in React's development mode, and serves it, such as at `/?state=parked`. There is
 * no server behind it, so tests mock responses of `/api` with `page.route`.
 */
export async function serveStates(): Promise<{ url: string; stop: () => Promise<void> }> {
  const outDir = await mkdtemp(join(tmpdir(), 'waystation-states-'))
  const shared = {
    configFile: false,
    root: join(root, 'tests/browser/fixtures'),
    logLevel: 'error',
    // The page uses the sources of the client (tsconfig.json), not what its build wrote.
    resolve: { tsconfigPaths: true }
  } as const
  await build({
    ...shared,
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"development"' },
    build: { outDir, minify: false, emptyOutDir: true }
  })
  // Tailwind keeps the relative font URLs of the fonts' own style sheets.
  for (const font of fonts)
    await cp(join(root, 'node_modules/@fontsource-variable', font, 'files'), join(outDir, 'assets/files'), {
      recursive: true
    })
  const server = await preview({
    ...shared,
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0 }
  })
  return {
    url: server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '',
    async stop() {
      await server.close()
      await rm(outDir, { recursive: true })
    }
  }
}
