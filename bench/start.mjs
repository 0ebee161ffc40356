/** `npm run bench` installs and builds what is missing, then runs `run.ts` with the project's own Node. */
import { build, needsBuild } from '#scripts/setup/build.mjs'
import { install, needsInstall } from '#scripts/setup/install.mjs'
import { run } from '#scripts/setup/run.mjs'
import { findNode } from '#scripts/setup/runtime.mjs'

if (needsInstall()) await install()
const node = findNode()
if (needsBuild()) {
  console.error('Building…')
  await build(node)
}
const { code } = await run([node, 'bench/run.ts', ...process.argv.slice(2)], { loud: true })
process.exitCode = code
