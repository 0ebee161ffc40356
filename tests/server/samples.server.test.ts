import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '#tests/support/servers/database.ts'
import { startServer } from '#tests/support/servers/start-server.ts'

test('22 A10: production never loads the sample services, and local mode works without them and reports that they are missing', async () => {
  const [production, local] = await Promise.all([
    start("new Error('production asked for ' + name)", {
      WAYSTATION_LOCAL: 'off',
      AUTH_SECRET: 'a secret of thirty-two characters',
      WAYSTATION_VAULT_KEY: Buffer.alloc(32).toString('base64')
    }),
    start("Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' })")
  ])
  for (const server of [production, local]) {
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200)
    const headers = { authorization: `Bearer ${server.apiKey}` }
    const lists = ['/api/tools', '/api/integrations'].map(async path => {
      const response = await fetch(server.url + path, { headers })
      return [response.status, await response.text()]
    })
    for (const [code, text] of await Promise.all(lists)) {
      expect(code).toBe(200)
      expect(text).not.toContain('acme')
    }
  }
  for (const path of ['/samples/acme/account', '/samples/page', '/samples/dispatcher']) {
    expect(await typeOf(production.url + path), path).toEqual([404, expect.stringContaining('html')])
    // A sentence that says what to install.
    expect(await typeOf(local.url + path), path).toEqual([404, expect.stringContaining('plain')])
  }
}, 120_000)

const typeOf = async (url: string) => {
  const { status, headers } = await fetch(url)
  return [status, headers.get('content-type')]
}

/** Starts a server that cannot load the package or its library: their imports throw `fault`. */
async function start(fault: string, settings: Record<string, string> = {}) {
  const hook = `import { registerHooks } from 'node:module'
    registerHooks({
      resolve(name, context, next) {
        if (/@waystation\\/sample-acme|packages\\/sample-acme|^oidc-provider$/.test(name)) throw ${fault}
        return next(name, context)
      }
    })`
  const { url: DATABASE_URL } = await createDatabase()
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hook).replaceAll("'", '%27')}`
  const server = await startServer({ DATABASE_URL, NODE_OPTIONS, ...settings })
  onTestFinished(() => server.stop())
  return server
}
