import { runtime } from '#lib/kernel/runtime.ts'

/** For how long this server has run, in seconds, to a tenth. */
export const uptime = (): number => Math.round((performance.now() - runtime().openedAt) / 100) / 10
