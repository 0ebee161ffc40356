/** A worker to be killed: runs the world on the database it is given, until SIGTERM or until its starter is gone. */
import { flushCompileCache } from 'node:module'
import { composeServer } from '#lib/compose/compose.ts'
import { readEnv } from '#lib/kernel/settings/env.ts'

const world = await composeServer(readEnv())
const stop = async () => {
  await world.stop()
  process.exit()
}
process.once('SIGTERM', stop)
process.stdin.resume().once('end', stop)
console.log('ready')
// Killed, it would leave nothing to the next process.
flushCompileCache()
