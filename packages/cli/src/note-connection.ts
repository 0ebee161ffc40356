import type { Io } from './io.ts'

/** Returns a function that reports on the standard error when the connection breaks, and when it is back. */
export function noteConnection({ err }: Io): (state: 'up' | 'down') => void {
  let isDown = false
  return state => {
    if (state === 'down' && !isDown) err('The connection broke. Reconnecting…\n')
    if (state === 'up' && isDown) err('Connected again.\n')
    isDown = state === 'down'
  }
}
