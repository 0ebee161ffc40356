import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of plugins for WAYSTATION_PLUGINS: modules by the names of their files. It is gone with the test. */
export async function pluginFolder(modules: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waystation-plugins-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [file, source] of Object.entries(modules)) await writeFile(join(folder, file), source)
  return folder
}
