import type { TurnRef } from '@waystation/protocol/session/comparison.ts'

/** Returns the path of the page that compares a turn with turns of trial sessions. */
export function comparePath({ sessionId, messageId }: TurnRef, trials: readonly TurnRef[] = []): string {
  const query = new URLSearchParams({ message: messageId })
  for (const trial of trials) query.append('with', `${trial.sessionId}.${trial.messageId}`)
  return `/sessions/${encodeURIComponent(sessionId)}/compare?${query}`
}

/** Reads the trials of such a path. Parts that name no turn are left out. At most two. */
export const trialsIn = (values: readonly string[]): TurnRef[] =>
  values
    .flatMap(value => {
      const [sessionId = '', messageId = ''] = value.split('.')
      return sessionId === '' || messageId === '' ? [] : [{ sessionId, messageId }]
    })
    .slice(0, 2)
