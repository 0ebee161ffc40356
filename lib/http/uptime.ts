import { runtime } from '#lib/kernel/runtime.ts'

/** Returns how long this server has run, in seconds with one decimal. */
export const uptime = (): number => Math.round((performance.now() - runtime().openedAt) / 100) / 10
