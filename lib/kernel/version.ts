import { createRequire } from 'node:module'

/** The version of this server, from its package.json. */
export const version: string = (createRequire(import.meta.url)('#package') as { version: string }).version
