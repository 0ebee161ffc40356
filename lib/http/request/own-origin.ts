import { runtime } from '#lib/kernel/runtime.ts'

/** The server's own URL (`WAYSTATION_URL`) without a path: what a page's absolute links start with. */
export const ownOrigin = (): string => runtime().ports.origin
