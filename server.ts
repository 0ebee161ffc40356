import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { ApiError } from '@waystation/base/api-error.ts'
import { KnownError } from '@waystation/base/known-error.ts'
import { sendNodeResponse } from 'srvx/node'
import { migrate } from '#db/migrate.ts'
import { seed } from '#db/seed.ts'
import { claimLink } from '#lib/auth/sign-in/claim.ts'
import { localLink } from '#lib/auth/sign-in/local-link.ts'
import { composeServer } from '#lib/compose/compose.ts'
import { problem } from '#lib/http/response/problem.ts'
import { type Env, readEnv } from '#lib/kernel/settings/env.ts'
import { openApi } from '#scripts/serve/api.ts'
import { collectGarbageWhenIdle } from '#scripts/serve/collect-garbage.ts'
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
import { surviveTools } from '#scripts/serve/survive-tools.ts'
import { shadow, upgrade } from '#scripts/serve/upgrades.ts'
import { watched } from '#scripts/serve/watch.ts'

/**
 * Runs all of Waystation in one process: the bundled database if none is configured, the server's services (worker,
 * bus, models) and HTTP, whose pages Next renders. It starts them in this order and stops them in reverse. If a step
 * fails, it stops what has already started.
 *
 * If a parent process started it with an IPC channel, it reports each step and the outcome there.
 */
async function main() {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const dev = process.env.NODE_ENV === 'development'
  const stop = stopSignal()
  const settings = readEnv()
  await using up = new AsyncDisposableStack()

  const http = await openHttpServer(settings.host, settings.port)
  up.defer(() => http.drain(1_000))
  const boundEnv =
    settings.port === http.port ? settings : readEnv({ ...process.env, PORT: String(http.port) })

  await reportToParent({ step: 'database' })
  const database = await openDatabase(boundEnv)
  up.defer(() => database.stop())
  const env = { ...boundEnv, databaseUrl: database.url }

  await reportToParent({ step: 'migrate' })
  await migrate(database.url)
  await seed(database.url, env)

  await reportToParent({ step: 'serve' })
  const app = env.role === 'worker' ? undefined : await prepareNext(env, dev)
  if (app) up.defer(() => app.close())
  up.defer(() => http.drain(1_000))
  if (env.tools !== undefined || env.plugins !== undefined) surviveTools()
  const services = await composeServer(env)
  up.defer(() => within(6_000, services.stop()))
  up.defer(() => http.shut())

  if (app) http.server.on('upgrade', (request, socket, head) => upgrade(request, socket, head, dev))
  const api = openApi(dev ? reloadApi : undefined)
  const handle = app ? limitPages(app.getRequestHandler()) : workerOnly
  // In development, Next also serves the static files, because they change with each page.
  const files = app && !dev ? openStaticFiles(join(import.meta.dirname, '.next', 'static')) : undefined
  const samples = app ? openSamples(env) : undefined
  http.open(
    watched((request, response) => {
      secure(request, response, env, dev)
      // Next would answer 500 to each of these, or resolve the path to another one.
      if (request.method === 'TRACE') return void response.writeHead(405, { Allow: methods }).end()
      if (!URL.canParse(`http://${request.headers.host || 'localhost'}`))
        return void response.writeHead(400, { Connection: 'close' }).end()
      if (!isPlainPath(request.url?.split('?', 1)[0] ?? '/')) return malformedPath(response)
      if (files?.(request, response) || samples?.(request, response)) return
      if ((app || isForWorkers(request)) && api(request, response)) return
      return handle(request, response)
    })
  )
  const claim = env.role === 'worker' ? undefined : await claimLink()
  const signIn = env.local && env.role !== 'worker' ? [localLine(localLink(env))] : []
  const ready = [readyLine(env), ...signIn, ...(claim ? [claimLine(claim)] : [])].join('\n')
  const collecting = collectGarbageWhenIdle()
  up.defer(() => clearInterval(collecting))
  if (!(await reportToParent({ ready }))) console.log(ready)
  await stop
}

/**
 * Next and React choose their build by NODE_ENV when they are loaded, so this sets it first. Everything except
 * development runs in production mode, even under a test runner.
 */
async function prepareNext({ host, port }: Env, dev: boolean) {
  Object.assign(process.env, { NODE_ENV: dev ? 'development' : 'production', NEXT_TELEMETRY_DISABLED: '1' })
  const { default: next } = await import('next')
  const app = next({ dev, dir: import.meta.dirname, hostname: host, port, httpServer: shadow })
  await app.prepare()
  return app
}

const malformedPath = (response: ServerResponse) =>
  notFound(response, 'Nothing found at this URL: its path is malformed.')

const notFound = (response: ServerResponse, error: string) =>
  sendNodeResponse(response, problem(new ApiError('NOT_FOUND', error)))

/** The methods that endpoints of this server can have (RFC 9110, 15.5.6). */
const methods = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT'

/** A process with the role `worker` serves only its health and metrics. */
const isForWorkers = ({ url = '' }: IncomingMessage) => url === '/api/health' || url === '/metrics'

const workerOnly: Handler = (_, response) =>
  notFound(response, 'A worker serves only GET /api/health and GET /metrics.')

/** Waits for `work`, but at most `timeoutMs`, so that later steps of the shutdown still run. */
async function within(timeoutMs: number, work: Promise<void>) {
  const timeout = Promise.withResolvers<void>()
  const timer = setTimeout(timeout.resolve, timeoutMs)
  await Promise.race([work, timeout.promise])
  clearTimeout(timer)
}

type Report = { step: 'database' | 'migrate' | 'serve' } | { ready: string } | { failed: string }

/** Sends a report to the parent process. Resolves to false if there is none. */
function reportToParent(report: Report): Promise<boolean> {
  return new Promise(done => {
    if (process.connected) process.send?.(report, undefined, undefined, () => done(true))
    else done(false)
  })
}

/** Describes an error: a message for an expected one, a stack for a bug. */
function describe(error: unknown) {
  if (!(error instanceof Error)) return String(error)
  const message =
    error instanceof KnownError || error.name === 'Error' ? error.message : (error.stack ?? error.message)
  return error.cause instanceof Error ? `${message}\n${error.cause.message}` : message
}

try {
  await main()
  process.exit(0)
} catch (error) {
  const failed = describe(error)
  if (!(await reportToParent({ failed }))) console.error(failed)
  process.exit(1)
}
