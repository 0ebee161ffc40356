import type { IncomingMessage, ServerResponse } from 'node:http'
import { log } from '@waystation/base/log.ts'
import { NodeRequest, sendNodeResponse } from 'srvx/node'
import * as dispatch from '#lib/api/dispatch.ts'
import { type Answer, answerNextWith } from '#lib/http/from-next.ts'

/** The module that answers the URLs that are not Next's. */
export type Dispatch = typeof dispatch

/** Answers a request if its URL is not Next's. If it is, returns false and does nothing. */
export type Api = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Answers the API and its own pages in front of Next, at a tenth of the cost (decisions 016 and 049). `newest`
 * returns a function that gives the copy of the code to use for the next request.
 */
export function openApi(newest: (first: Dispatch) => () => Dispatch = first => () => first): Api {
  const current = newest(dispatch)
  answerNextWith(request => current().dispatch(request))
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1)
    const answer = current().answerFor(request.method ?? '', path)
    if (answer === undefined) return false
    send(answer, request, response).catch(error => {
      log('error', 'could not send a response', { method: request.method, error })
      response.destroy()
    })
    return true
  }
}

async function send(answer: Answer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const fetchRequest = new NodeRequest({ req: request, res: response }) as unknown as Request
  await sendNodeResponse(response, await answer(fetchRequest))
}
