import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * Creates a folder with one file that configures the default workspace (docs/workspace-files.md). It is deleted
 * when the test ends.
 */
export function workspaceFolder(blocks: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'workspaces-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'default.hcl'), `workspace "default" {\n${blocks}\n}\n`)
  return folder
}
