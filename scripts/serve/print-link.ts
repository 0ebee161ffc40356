import { existsSync } from 'node:fs'
import { KnownError } from '@waystation/base/known-error.ts'
import { linkMinutes, localLink } from '#lib/auth/sign-in/local-link.ts'
import { readEnv } from '#lib/kernel/settings/env.ts'

/** Prints a link that the running server accepts. Throws an error with advice if there is no such server. */
async function main() {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const env = readEnv()
  if (!env.local)
    throw new Error(
      `${env.url} is not in local mode. Open it and sign in with your provider (docs/people.md).`
    )
  // Another program could listen at this URL and see the link, so it expires after 10 s. A GET of the link signs no
  // user in.
  const probe = localLink(env, Date.now() - (linkMinutes * 60 - 10) * 1000)
  const response = await fetch(probe).catch(() => undefined)
  if (response === undefined)
    throw new Error(
      `No server responds at ${env.url}. Run npm start, which prints a link. For another port, run PORT=3001 npm run link`
    )
  if (!response.ok)
    throw new Error(
      `The server at ${env.url} does not accept links from ${env.dataDir}. Run npm run link in the folder of that server and with its settings.`
    )
  console.log(localLink(env))
}

try {
  await main()
} catch (error) {
  if (!(error instanceof KnownError) && !(error instanceof Error && error.name === 'Error')) throw error
  console.error(error.message)
  process.exitCode = 1
}
