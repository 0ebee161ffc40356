import { house } from '#lib/kernel/house.ts'

/** For how long this server has run, in seconds, to a tenth. */
export const uptime = (): number => Math.round((performance.now() - house().openedAt) / 100) / 10
