import { problem } from './problem.ts'
import { refusalOf } from './refusal-of.ts'

/** Runs `work` and turns whatever it throws into a response of the one shape (api.md "Refusals"). */
export async function answerWith(
  request: Request,
  path: string,
  work: () => Promise<Response>
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    const { refusal, status } = refusalOf(error, { method: request.method, path })
    return problem(refusal, status)
  }
}
