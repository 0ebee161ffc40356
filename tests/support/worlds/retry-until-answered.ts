import { setTimeout as pause } from 'node:timers/promises'

/** What a client does while its server is down: it asks again until it is answered. A refusal is an answer. */
export async function retryUntilAnswered<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if ((error as { name?: string }).name === 'Refusal') throw error
      await pause(100)
    }
  }
}
