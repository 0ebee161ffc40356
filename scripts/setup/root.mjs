import { fileURLToPath } from 'node:url'

/** The project's folder, wherever we were called from. */
export const root = fileURLToPath(new URL('../../', import.meta.url))
