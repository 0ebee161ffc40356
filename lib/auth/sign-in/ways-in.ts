import { house } from '#lib/kernel/house.ts'

/** How people can sign in here: with a link that the server printed, or with a provider. */
export function waysIn(): { local: boolean; providers: { provider: string; name: string }[] } {
  const { local, signIn } = house().env
  return { local, providers: signIn.map(({ provider, name }) => ({ provider, name })) }
}
