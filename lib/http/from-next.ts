/** Answers one request. */
export type Answer = (request: Request) => Response | Promise<Response>

const place = Symbol.for('waystation.dispatch')
const here = globalThis as { [place]?: Answer }

/** Sets what answers the requests that Next receives for addresses of the API. */
export function answerNextWith(answer: Answer): void {
  here[place] = answer
}

/**
 * Answers a request that Next received. Next's bundle finds the server's code on `globalThis`, so that it has no copy of the
 * handlers and their verbs (docs/concepts/engine.md#processes).
 */
export const fromNext: Answer = request => {
  const answer = here[place]
  if (answer === undefined) throw new Error('The server has not started in this process.')
  return answer(request)
}
