/**
 * A process whose own clock is wrong by `SKEW_SECONDS`: takes jobs and serves the API on a port of its own, until SIGTERM or
 * until its starter is gone. Says its address when it is ready.
 */
import { createServer } from 'node:http'
import { flushCompileCache } from 'node:module'
import type { AddressInfo } from 'node:net'

const Right = Date
const now = () => Right.now() + Number(process.env.SKEW_SECONDS) * 1000
globalThis.Date = new Proxy(Right, {
  apply: () => new Right(now()).toString(),
  construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [now()] : given, as),
  get: (target, name, self) => (name === 'now' ? now : Reflect.get(target, name, self))
})

// From here on: nothing was loaded that could have looked at the right clock.
const { readEnv } = await import('#lib/kernel/settings/env.ts')
const { composeServer } = await import('#lib/compose/compose.ts')
const { openApi } = await import('#scripts/serve/api.ts')

const world = await composeServer(readEnv())
const api = openApi()
const server = createServer((request, response) => {
  if (!api(request, response)) response.writeHead(405).end()
})
const stop = async () => {
  await world.stop()
  process.exit()
}
process.once('SIGTERM', stop)
process.stdin.resume().once('end', stop)
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port} ${new Date().toISOString()}`)
  // Killed, it would leave nothing to the next process.
  flushCompileCache()
})
