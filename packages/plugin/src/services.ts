import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect'
import { PluginError, type PluginStatus } from './plugin-error.ts'

/** A handler of a call with one response. */
export type Unary<Request, Response> = (
  request: Request,
  call: HandlerContext
) => Response | Promise<Response>

const codes: Record<PluginStatus, Code> = {
  UNKNOWN: Code.Unknown,
  INVALID_ARGUMENT: Code.InvalidArgument,
  NOT_FOUND: Code.NotFound,
  ALREADY_EXISTS: Code.AlreadyExists,
  OUT_OF_RANGE: Code.OutOfRange,
  UNIMPLEMENTED: Code.Unimplemented,
  PERMISSION_DENIED: Code.PermissionDenied,
  UNAUTHENTICATED: Code.Unauthenticated,
  RESOURCE_EXHAUSTED: Code.ResourceExhausted,
  FAILED_PRECONDITION: Code.FailedPrecondition,
  ABORTED: Code.Aborted,
  DATA_LOSS: Code.DataLoss,
  UNAVAILABLE: Code.Unavailable,
  INTERNAL: Code.Internal
}

/**
 * Turns an error of the author's code into a status. An error that is not a `PluginError` is a defect, so its
 * stack is written to the plugin's log.
 */
export function toStatus(error: unknown, signal: AbortSignal): ConnectError {
  if (error instanceof ConnectError) return error
  if (error instanceof PluginError) return new ConnectError(error.message, codes[error.status])
  if (signal.aborted) return new ConnectError('The call was stopped.', Code.Canceled)
  console.error(error)
  return new ConnectError(error instanceof Error ? error.message : String(error), Code.Unknown)
}

/**
 * Gives the errors of a handler a status. The call ends when it is stopped, even if the handler never does. Otherwise,
 * its deadline would keep the process of a test running.
 */
export const answering =
  <Request, Response>(work: Unary<Request, Response>): Unary<Request, Response> =>
  async (request, call) => {
    const stopped = Promise.withResolvers<never>()
    const stop = () => stopped.reject(call.signal.reason)
    call.signal.addEventListener('abort', stop, { once: true })
    try {
      return await Promise.race([work(request, call), stopped.promise])
    } catch (error) {
      throw toStatus(error, call.signal)
    } finally {
      call.signal.removeEventListener('abort', stop)
    }
  }

/** The same for a handler that streams its responses. */
export const streaming = <Request, Response>(
  work: (request: Request, call: HandlerContext) => AsyncIterable<Response>
) =>
  async function* (request: Request, call: HandlerContext): AsyncGenerator<Response> {
    try {
      yield* work(request, call)
    } catch (error) {
      throw toStatus(error, call.signal)
    }
  }
