/**
 * Returns a function that passes the newest of its values on, at most every `ms` milliseconds, even if they never stop
 * changing. `stop` drops the value that was not passed on yet.
 */
export function throttle<T>(pass: (value: T) => void, ms: number) {
  let latest: T
  let timer: ReturnType<typeof setTimeout> | undefined
  const put = (value: T) => {
    latest = value
    timer ??= setTimeout(() => {
      timer = undefined
      pass(latest)
    }, ms)
  }
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  return { put, stop }
}
