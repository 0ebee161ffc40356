import { Code, ConnectError } from '@connectrpc/connect'

/**
 * Returns the signal of a call for the transport, which resets the stream with CANCEL only for this reason. For any
 * other, the plugin would see INTERNAL_ERROR. `release` ends the subscription to a signal that outlives the call.
 */
export function cancelSignal(signal: AbortSignal | undefined): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController()
  const cancel = () => controller.abort(new ConnectError('The call was stopped.', Code.Canceled))
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  return { signal: controller.signal, release: () => signal?.removeEventListener('abort', cancel) }
}
