import { runtime } from '#lib/kernel/runtime.ts'

/** Returns the server's own URL (`WAYSTATION_URL`) without a path, the start of all absolute links. */
export const ownOrigin = (): string => runtime().ports.origin
