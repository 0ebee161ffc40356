/**
 * `npm start` takes a fresh checkout to a running server and skips the steps that are already done. It is plain
 * JavaScript without dependencies because it runs before the installation, on the user's Node.
 */
import { build, needsBuild } from './setup/build.mjs'
import { checkMachine } from './setup/check-machine.mjs'
import { endWith } from './setup/end-with.mjs'
import { install, needsInstall } from './setup/install.mjs'
import { findNode } from './setup/runtime.mjs'
import { serve } from './setup/serve.mjs'
import { countSteps } from './setup/steps.mjs'

const steps = countSteps(6)

await endWith(steps, async () => {
  steps.begin('Checking this machine')
  await checkMachine()
  steps.begin('Installing')
  if (needsInstall()) await install()
  else steps.end('nothing to do')
  const node = findNode()
  steps.begin('Building')
  if (needsBuild()) await build(node)
  else steps.end('nothing to do')
  return serve(node, 'production', steps)
})
