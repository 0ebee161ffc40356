import { runtime } from '#lib/kernel/runtime.ts'

/** Returns how users can sign in: with a link that the server printed, or with a provider. */
export function signInMethods(): { local: boolean; providers: { provider: string; name: string }[] } {
  const { local, signIn } = runtime().env
  return { local, providers: signIn.map(({ provider, name }) => ({ provider, name })) }
}
