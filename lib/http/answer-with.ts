import { newId } from '#lib/kernel/ids.ts'
import { log } from '#lib/kernel/log.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { problem } from './problem.ts'
import { unexpected } from './unexpected.ts'

/**
 * Runs `work` and turns whatever it throws into a response of the one shape (api.md "Refusals"). A refusal is an
 * answer; anything else is our fault: it is logged under the ID that the caller is told.
 */
export async function answerWith(
  request: Request,
  path: string,
  work: () => Promise<Response>
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) return problem(error)
    const id = newId('err')
    const { refusal, status } = unexpected(error, id)
    log('error', 'a request failed', { id, method: request.method, path, status, error })
    return problem(refusal, status)
  }
}
