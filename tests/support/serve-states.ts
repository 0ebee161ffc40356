import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createViteServer } from 'vitest/node'

const page = `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content" />
  <title>A session</title>
  <link rel="stylesheet" href="/app/globals.css" />
  <body><script type="module" src="/tests/browser/fixtures/show-state.tsx"></script></body>
</html>`

/**
 * Serves the session's page alone, straight from its sources: `/?state=parked`. There is no server behind it; what a
 * test wants `/api` to say, it says with `page.route`.
 */
export async function serveStates(): Promise<{ url: string; stop: () => Promise<void> }> {
  const vite = await createViteServer({
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    cacheDir: join(tmpdir(), 'waystation-states'),
    server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
    optimizeDeps: { entries: ['tests/browser/fixtures/show-state.tsx'] },
    plugins: [
      {
        name: 'states',
        configureServer: server => () =>
          void server.middlewares.use(async (request, response) => {
            response.setHeader('content-type', 'text/html')
            response.end(await server.transformIndexHtml(request.url ?? '/', page))
          })
      }
    ]
  })
  await vite.listen()
  const address = vite.httpServer?.address()
  if (typeof address !== 'object' || address === null) throw new Error('The states are not served.')
  return { url: `http://127.0.0.1:${address.port}`, stop: () => vite.close() }
}
