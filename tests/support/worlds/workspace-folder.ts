import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder whose one file says what the default workspace has (docs/workspace-files.md), gone with the test. */
export function workspaceFolder(blocks: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'workspaces-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'default.hcl'), `workspace "default" {\n${blocks}\n}\n`)
  return folder
}
