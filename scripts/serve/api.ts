import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { NodeRequest, sendNodeResponse } from 'srvx/node'
import { operations } from '#lib/http/operations/all.ts'
import type { Handler } from '#lib/http/route.ts'
import { log } from '#lib/kernel/log.ts'

/** Answers a request if it is one of the API's; false: it is somebody else's, and nothing was done. */
export type Api = (request: IncomingMessage, response: ServerResponse) => boolean

type Door = { fits: RegExp; handlers: Partial<Record<string, Handler>> }

/**
 * The API's doors, in front of Next: the same route files that Next would call, called by us, at a tenth of the cost. What
 * fits no declared call exactly (another method, HEAD, a path that cannot be decoded, sign-in) is left to Next.
 */
export async function openApi(): Promise<Api> {
  const paths = [...new Set(operations.map(({ path }) => path))].sort(literalFirst)
  const doors = await Promise.all(paths.map(openDoor))
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1)
    for (const { fits, handlers } of doors) {
      const match = fits.exec(path)
      if (match === null) continue
      const handler = handlers[request.method ?? '']
      const params = handler && decoded(match.groups)
      if (handler === undefined || params === undefined) return false
      const context = { params: Promise.resolve(params) }
      answer(asked => handler(asked, context), request, response).catch(error => {
        log('error', 'could not send a response', { method: request.method, error })
        response.destroy()
      })
      return true
    }
    return false
  }
}

/** `/api/agents/{agentId}` is answered by `app/api/agents/[agentId]/route.ts`. */
export const fileOf = (path: string) => `app${path.replaceAll('{', '[').replaceAll('}', ']')}/route.ts`

async function openDoor(path: string): Promise<Door> {
  const file = join(import.meta.dirname, '..', '..', fileOf(path))
  if (!existsSync(file)) throw new Error(`${path} is declared, but ${fileOf(path)} does not exist.`)
  return {
    fits: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    handlers: await import(pathToFileURL(file).href)
  }
}

/** Has a Fetch handler answer a request of Node's. */
export async function answer(
  handle: (request: Request) => Promise<Response>,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  await sendNodeResponse(
    response,
    await handle(new NodeRequest({ req: request, res: response }) as unknown as Request)
  )
}

/** The parameters of a path as they were meant; undefined when they cannot be decoded. */
function decoded(groups: Record<string, string> = {}): Record<string, string> | undefined {
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)])
    )
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** A literal segment wins over a parameter. */
const literalFirst = (a: string, b: string) =>
  Number(a.includes('{')) - Number(b.includes('{')) || (a < b ? -1 : 1)
