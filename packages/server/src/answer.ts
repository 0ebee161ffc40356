/** The answer to a call: its output, or an error for the model. */
export type AnswerOptions = ({ output: unknown } | { error: string }) & {
  /** The `answerUrl` of the call. */
  answerUrl: string
  /** For how many seconds the function retries if the server cannot be reached. Default: one hour. */
  retrySeconds?: number
  /** Ends the retries. */
  signal?: AbortSignal
}

/**
 * The outcome of an answer:
 * - `accepted`: the call has this answer, also if it was sent before
 * - `settled`: the call already has another answer, was canceled, or its deadline has passed (409)
 * - `gone`: the call's session was deleted (404, 410)
 * - `rejected`: the server does not accept this answer, and the call is still open (401, 413, 422, …)
 * - `unreachable`: the server did not respond, or responded with 429 or 5xx, until the end of the retries
 *
 * `code` is the code of the server's error, such as `ALREADY_SETTLED`.
 */
export type AnswerResult =
  | { status: 'accepted' }
  | { status: 'settled' | 'gone' | 'rejected'; code?: string; message: string }
  | { status: 'unreachable'; message: string }

/** How long one attempt can take, and the first and the longest wait before a retry, in milliseconds. */
const times = { attempt: 30_000, first: 1_000, longest: 60_000 }

/**
 * Answers a call. Retries after network errors, 429 and 5xx, which is safe because the same answer counts once. It
 * does not reject for any response of the server.
 */
export async function answer(options: AnswerOptions): Promise<AnswerResult> {
  const { answerUrl, retrySeconds = 3600, signal } = options
  const body = JSON.stringify(
    'error' in options ? { error: options.error } : { output: options.output ?? null }
  )
  const end = Date.now() + retrySeconds * 1000
  for (let failures = 0; ; failures++) {
    const { result, waitMs = 0 } = await attempt(answerUrl, body)
    if (result.status !== 'unreachable' || signal?.aborted) return result
    const longest = Math.min(times.longest, times.first * 2 ** failures)
    const wait = Math.max(waitMs, longest * (0.5 + Math.random() / 2))
    if (Date.now() + wait > end) return result
    await sleep(wait, signal)
  }
}

/** Sends the answer once. `waitMs` is the wait that the server asks for. */
async function attempt(url: string, body: string): Promise<{ result: AnswerResult; waitMs?: number }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(times.attempt)
    })
    const { status } = response
    const { error = `The server responded with ${status}.`, code } = await problemIn(response)
    if (response.ok) return { result: { status: 'accepted' } }
    if (status === 429 || status >= 500) {
      const seconds = Number(response.headers.get('retry-after')) || 0
      return { result: { status: 'unreachable', message: error }, waitMs: seconds * 1000 }
    }
    const name = status === 409 ? 'settled' : status === 404 || status === 410 ? 'gone' : 'rejected'
    return { result: { status: name, ...(code === undefined ? {} : { code }), message: error } }
  } catch (error) {
    return { result: { status: 'unreachable', message: messageOf(error) } }
  }
}

/** The error in a response. A proxy's response can have any body. */
async function problemIn(response: Response): Promise<{ error?: string; code?: string }> {
  const text = await response.text()
  try {
    const { error, code } = Object(JSON.parse(text))
    return typeof error === 'string' && typeof code === 'string' ? { error, code } : {}
  } catch {
    return {}
  }
}

/** `fetch` hides the reason in `cause`. */
function messageOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined }
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    if (signal?.aborted) return done()
    signal?.addEventListener('abort', done)
  })
}
