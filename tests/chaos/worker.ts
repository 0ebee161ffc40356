/** A worker for tests to kill. It runs on the given database until SIGTERM or until its parent process is gone. */
import { flushCompileCache } from 'node:module'
import { composeServer } from '#lib/compose/compose.ts'
import { readEnv } from '#lib/kernel/settings/env.ts'

const server = await composeServer(readEnv())
const stop = async () => {
  await server.stop()
  process.exit()
}
process.once('SIGTERM', stop)
process.stdin.resume().once('end', stop)
console.log('ready')
// The test kills this process, so write the compile cache now.
flushCompileCache()
