/**
 * A server process whose own clock is wrong by `SKEW_SECONDS`. It runs jobs and serves the API on its own port
 * until SIGTERM or until its parent exits, and prints its URL when it is ready.
 */
import { createServer } from 'node:http'
import { flushCompileCache } from 'node:module'
import type { AddressInfo } from 'node:net'

const RealDate = Date
const now = () => RealDate.now() + Number(process.env.SKEW_SECONDS) * 1000
globalThis.Date = new Proxy(RealDate, {
  apply: () => new RealDate(now()).toString(),
  construct: (target, args, as) => Reflect.construct(target, args.length === 0 ? [now()] : args, as),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver))
})

// Everything is imported after this line, so that no module has read the correct clock.
const { readEnv } = await import('#lib/kernel/settings/env.ts')
const { composeServer } = await import('#lib/compose/compose.ts')
const { openApi } = await import('#scripts/serve/api.ts')

const testServer = await composeServer(readEnv())
const api = openApi()
const server = createServer((request, response) => {
  if (!api(request, response)) response.writeHead(405).end()
})
const stop = async () => {
  await testServer.stop()
  process.exit()
}
process.once('SIGTERM', stop)
process.stdin.resume().once('end', stop)
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port} ${new Date().toISOString()}`)
  // The test kills this process, which would discard the compile cache.
  flushCompileCache()
})
