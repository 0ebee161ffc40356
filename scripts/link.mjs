/**
 * `npm run link` prints a link that signs in as the local owner of the running server. It is plain JavaScript
 * because the user's Node can be too old to run TypeScript.
 */
import { Fault } from './setup/fault.mjs'
import { needsInstall } from './setup/install.mjs'
import { run } from './setup/run.mjs'
import { findNode } from './setup/runtime.mjs'

try {
  if (needsInstall()) throw new Fault('Waystation is not installed yet. Run npm start, which prints a link.')
  const { code } = await run([findNode(), 'scripts/serve/print-link.ts'], { loud: true })
  process.exitCode = code
} catch (error) {
  console.error(error instanceof Fault ? error.message : error)
  process.exitCode = 1
}
