import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Handler } from '#lib/http/route.ts'
import { type Api, answer, openApi } from '#scripts/serve/api.ts'
import { openSamples } from '#scripts/serve/samples.ts'

/** The pages on which an account is connected, by their route files. */
const pages: [RegExp, string][] = [
  [/^\/api\/connections\/callback$/, 'app/api/connections/callback/route.ts'],
  [/^\/connect\/done\/(?<attemptId>[^/]+)$/, 'app/connect/done/[attemptId]/route.ts'],
  [/^\/connect\/(?<ticket>[^/]+)$/, 'app/connect/[ticket]/route.ts']
]

/**
 * The API, the pages of connecting and Acme behind a real HTTP server, as `server.ts` and Next call them. It listens before there
 * is a world, which is to be told this address as its own (`WAYSTATION_URL`).
 */
export async function serveConnect(): Promise<string> {
  const api = await openApi()
  const doors = await Promise.all(
    pages.map(async ([fits, file]) => ({
      fits,
      handlers: (await import(`${process.cwd()}/${file}`)) as Record<string, Handler>
    }))
  )
  const server = createServer((request, response) => {
    if (samples?.(request, response)) return
    const [path = ''] = (request.url ?? '').split('?', 1)
    const door = doors.find(({ fits }) => fits.test(path))
    const handler = door?.handlers[request.method ?? '']
    if (door === undefined || handler === undefined) {
      if (!api(request, response)) response.writeHead(405).end()
      return
    }
    const params = Promise.resolve({ ...door.fits.exec(path)?.groups })
    answer(asked => handler(asked, { params }), request, response)
  })
  let samples: Api | undefined
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  samples = openSamples({ local: true, url, authSecret: 'a secret of thirty-two characters' })
  return url
}
