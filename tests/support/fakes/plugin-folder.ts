import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * Creates a folder of plugins for WAYSTATION_PLUGINS, with modules by file name. It is deleted when the test ends.
 */
export async function pluginFolder(modules: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waystation-plugins-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [file, source] of Object.entries(modules)) await writeFile(join(folder, file), source)
  return folder
}
