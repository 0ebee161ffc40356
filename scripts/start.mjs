/**
 * `npm start`: from a fresh checkout to a running server. Plain JavaScript without dependencies, since it runs before
 * anything is installed, on whatever Node is there. What is done already is not done again.
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
