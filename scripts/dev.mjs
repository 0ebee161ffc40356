/**
 * `npm run dev` works like `npm start`, but Next compiles pages on request and reloads them when you change the
 * code.
 */
import { checkMachine } from './setup/check-machine.mjs'
import { endWith } from './setup/end-with.mjs'
import { install, needsInstall } from './setup/install.mjs'
import { findNode } from './setup/runtime.mjs'
import { serve } from './setup/serve.mjs'
import { countSteps } from './setup/steps.mjs'

const steps = countSteps(5)

await endWith(steps, async () => {
  steps.begin('Checking this machine')
  await checkMachine()
  steps.begin('Installing')
  if (needsInstall()) await install()
  else steps.end('nothing to do')
  return serve(findNode(), 'development', steps)
})
