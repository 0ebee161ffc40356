/** Returns the response to a request. */
export type Answer = (request: Request) => Response | Promise<Response>

const dispatchKey = Symbol.for('waystation.dispatch')
const globals = globalThis as { [dispatchKey]?: Answer }

/** Sets the function that answers API requests which reach Next. */
export function answerNextWith(answer: Answer): void {
  globals[dispatchKey] = answer
}

/**
 * Answers an API request that Next received. Next bundles its own copy of each module, so it finds the server's code on
 * `globalThis` (docs/concepts/engine.md#processes). Throws if the server has not started.
 */
export const fromNext: Answer = request => {
  const answer = globals[dispatchKey]
  if (answer === undefined) throw new Error('The server has not started in this process.')
  return answer(request)
}
