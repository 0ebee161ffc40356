import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { sendNodeResponse } from 'srvx/node'
import { migrate } from '#db/migrate.ts'
import { seed } from '#db/seed.ts'
import { claimLink } from '#lib/auth/sign-in/claim.ts'
import { localLink } from '#lib/auth/sign-in/local-link.ts'
import { composeServer } from '#lib/compose/compose.ts'
import { problem } from '#lib/http/response/problem.ts'
import { KnownError } from '#lib/kernel/known-error.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { type Env, readEnv } from '#lib/kernel/settings/env.ts'
import { openApi } from '#scripts/serve/api.ts'
import { openDatabase } from '#scripts/serve/database.ts'
import { secure } from '#scripts/serve/headers.ts'
import { type Handler, openHttpServer } from '#scripts/serve/http-server.ts'
import { limitPages } from '#scripts/serve/limit-pages.ts'
import { isPlainPath } from '#scripts/serve/plain-path.ts'
import { claimLine, localLine, readyLine } from '#scripts/serve/ready.ts'
import { reloadApi } from '#scripts/serve/reload-api.ts'
import { openSamples } from '#scripts/serve/samples.ts'
import { openStaticFiles } from '#scripts/serve/static-files.ts'
import { stopSignal } from '#scripts/serve/stop-signal.ts'
import { shadow, upgrade } from '#scripts/serve/upgrades.ts'
import { watched } from '#scripts/serve/watch.ts'

/**
 * The whole of Waystation in one process: the database if it is ours, the world (worker, bus, models), and HTTP,
 * whose pages Next answers. It starts in this order and stops in the opposite one; whatever fails on the way up,
 * what was already up is taken down.
 *
 * A starter that holds a channel to us hears each step as it begins, and how it ended.
 */
async function main() {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const dev = process.env.NODE_ENV === 'development'
  const stop = stopSignal()
  const wanted = readEnv()
  await using up = new AsyncDisposableStack()

  const door = await openHttpServer(wanted.host, wanted.port)
  up.defer(() => door.drain(1_000))
  const given = wanted.port === door.port ? wanted : readEnv({ ...process.env, PORT: String(door.port) })

  await tell({ step: 'database' })
  const database = await openDatabase(given)
  up.defer(() => database.stop())
  const env = { ...given, databaseUrl: database.url }

  await tell({ step: 'migrate' })
  await migrate(database.url)
  await seed(database.url, env)

  await tell({ step: 'serve' })
  const app = env.role === 'worker' ? undefined : await prepareNext(env, dev)
  if (app) up.defer(() => app.close())
  up.defer(() => door.drain(1_000))
  const world = await composeServer(env)
  up.defer(() => within(6_000, world.stop()))
  up.defer(() => door.shut())

  if (app) door.server.on('upgrade', (request, socket, head) => upgrade(request, socket, head, dev))
  const api = openApi(dev ? reloadApi : undefined)
  const handle = app ? limitPages(app.getRequestHandler()) : notHere
  // In development Next answers for the files too: they change with each page.
  const files = app && !dev ? openStaticFiles(join(import.meta.dirname, '.next', 'static')) : undefined
  const samples = app ? openSamples(env) : undefined
  door.open(
    watched((request, response) => {
      secure(request, response, env, dev)
      // Next would answer 500 to each of these, or resolve the path to another one.
      if (request.method === 'TRACE') return void response.writeHead(405, { Allow: methods }).end()
      if (!URL.canParse(`http://${request.headers.host || 'localhost'}`))
        return void response.writeHead(400, { Connection: 'close' }).end()
      if (!isPlainPath(request.url?.split('?', 1)[0] ?? '/')) return nothingHere(response)
      if (files?.(request, response) || samples?.(request, response)) return
      if ((app || isForWorkers(request)) && api(request, response)) return
      return handle(request, response)
    })
  )
  const claim = env.role === 'worker' ? undefined : await claimLink()
  const signIn = env.local && env.role !== 'worker' ? [localLine(localLink(env))] : []
  const ready = [readyLine(env), ...signIn, ...(claim ? [claimLine(claim)] : [])].join('\n')
  if (!(await tell({ ready }))) console.log(ready)
  await stop
}

/**
 * Next and React choose their build by NODE_ENV when they are loaded, so that is settled first: everything that is
 * not development is production, also a server that a test runner starts.
 */
async function prepareNext({ host, port }: Env, dev: boolean) {
  Object.assign(process.env, { NODE_ENV: dev ? 'development' : 'production', NEXT_TELEMETRY_DISABLED: '1' })
  const { default: next } = await import('next')
  const app = next({ dev, dir: import.meta.dirname, hostname: host, port, httpServer: shadow })
  await app.prepare()
  return app
}

const nothingHere = (response: ServerResponse) =>
  notFound(response, 'Nothing found at this URL: its path is malformed.')

const notFound = (response: ServerResponse, error: string) =>
  sendNodeResponse(response, problem(new Refusal('NOT_FOUND', error)))

/** The methods that any address of this server can have (RFC 9110, 15.5.6). */
const methods = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT'

/** A pure worker answers for its health and its figures, and nothing else. */
const isForWorkers = ({ url = '' }: IncomingMessage) => url === '/api/health' || url === '/metrics'

const notHere: Handler = (_, response) =>
  notFound(response, 'A worker serves only GET /api/health and GET /metrics.')

/** Waits for `work`, but no longer than `patience` milliseconds: others have to be put away too. */
async function within(patience: number, work: Promise<void>) {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, patience)
  await Promise.race([work, late.promise])
  clearTimeout(timer)
}

type News = { step: 'database' | 'migrate' | 'serve' } | { ready: string } | { failed: string }

/** Resolves when it is told; false when nobody listens. */
function tell(news: News): Promise<boolean> {
  return new Promise(done => {
    if (process.connected) process.send?.(news, undefined, undefined, () => done(true))
    else done(false)
  })
}

/** An expected error is a sentence with advice. A bug is shown with its stack. */
function describe(error: unknown) {
  if (!(error instanceof Error)) return String(error)
  const said =
    error instanceof KnownError || error.name === 'Error' ? error.message : (error.stack ?? error.message)
  return error.cause instanceof Error ? `${said}\n${error.cause.message}` : said
}

try {
  await main()
  process.exit(0)
} catch (error) {
  const failed = describe(error)
  if (!(await tell({ failed }))) console.error(failed)
  process.exit(1)
}
