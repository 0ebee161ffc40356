/** The paths of pages that links outside the app lead to. `lib/api` serves them. */
export const publicPaths = {
  /** Answers a call without an account. */
  answer: '/answer/{token}',
  /** Signs in the local owner. */
  local: '/local/{token}',
  /** Connects an account. */
  connect: '/connect/{ticket}',
  connectDone: '/connect/done/{attemptId}',
  /** The OAuth redirect URI. */
  connectCallback: '/api/connections/callback',
  /** The metadata of this OAuth client (OAuth Client ID Metadata Document). */
  clientMetadata: '/client-metadata.json'
} as const

/** Replaces the placeholder of a public path. The value must be safe in a URL. */
export const withValue = (path: string, value: string): string => path.replace(/\{\w+\}/, () => value)
