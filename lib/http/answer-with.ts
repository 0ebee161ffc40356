import { problem } from './problem.ts'
import { refusalTo } from './refusal-to.ts'

/** Runs `work` and turns whatever it throws into a response of the one shape (api.md "Refusals"). */
export async function answerWith(
  request: Request,
  path: string,
  work: () => Promise<Response>
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    const { refusal, status } = await refusalTo(request, path, error)
    return problem(refusal, status)
  }
}
