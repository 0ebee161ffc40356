import { house } from '#lib/kernel/house.ts'

/** How a person can sign in here. */
export const waysIn = (): { local: boolean } => ({ local: house().env.local })
