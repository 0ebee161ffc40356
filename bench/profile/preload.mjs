/**
 * Preload for the server (`node --import`): SIGUSR2 starts a CPU profile, and the next one stops it and writes it to
 * the file in `WAYSTATION_PROFILE`.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'

const file = process.env.WAYSTATION_PROFILE
let session

process.on('SIGUSR2', async () => {
  if (session === undefined) {
    session = new Session()
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.start')
    return
  }
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  session = undefined
  // A reader that finds the file finds all of it.
  writeFileSync(`${file}.part`, JSON.stringify(profile))
  renameSync(`${file}.part`, file)
})
