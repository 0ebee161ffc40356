import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { connect } from '#db/client.ts'
import { vaultWith } from '#lib/infra/vault.ts'
import { acmeAt } from '#packages/sample-acme/src/client.ts'
import { acmeProvider } from '#packages/sample-acme/src/provider.ts'
import type { AcmeOptions } from '#packages/sample-acme/src/settings.ts'
import { isOfAcme } from '#scripts/serve/samples.ts'
import { createDatabase } from '#tests/support/servers/database.ts'

type Options = Partial<Pick<AcmeOptions, 'accessTokenSeconds' | 'redirectUris'>>

const secret = 'a secret of thirty-two characters'

/** Serves Acme over real HTTP, with its own database, for one test. */
export async function serveAcme(options: Options = {}) {
  const database = await createDatabase()
  const sql = connect(database.url, { max: 6 })
  const vault = vaultWith([Buffer.alloc(32).toString('base64')])
  const server = createServer(async (request, response) => {
    if (isOfAcme(request.url)) return (await current)(request, response)
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Somebody else’s</h1>')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const open = () => acmeProvider({ sql, vault, origin, secret, ...options })
  let current = open()
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await sql.end()
    await database.drop()
  })
  return {
    ...acmeAt(origin, secret),
    origin,
    sql,
    /** Replaces the provider, like a restart: the new one has nothing of the old one's memory. */
    async restart() {
      current = open()
      await current
    }
  }
}

export type ServedAcme = Awaited<ReturnType<typeof serveAcme>>
