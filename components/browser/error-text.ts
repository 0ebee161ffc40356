import type { WaystationError } from '@waystation/client'

export const unreachable = "Can't reach the server."

type Failed = { error: WaystationError }

/** Returns why a request failed. `next` tells the user what to do if the server did not respond. */
export const errorText = ({ error }: Failed, next: string): string =>
  error.code === 'UNREACHABLE' ? `${unreachable} ${next}` : error.message

/** Returns why a change was not saved. */
export const changeError = (reply: Failed): string =>
  errorText(reply, "Your changes weren't saved. Try again.")

/** Returns why data could not be loaded. */
export const readError = (reply: Failed): string => errorText(reply, 'Try again.')
