import { setTimeout as pause } from 'node:timers/promises'

/** Retries like a client whose server is down, until the server responds. An `ApiError` is a response too. */
export async function retryUntilAnswered<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if ((error as { name?: string }).name === 'ApiError') throw error
      await pause(100)
    }
  }
}
