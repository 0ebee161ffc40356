import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BadSettings } from '#lib/kernel/settings/env.ts'
import { HclError } from '#packages/hcl/src/index.ts'
import { readWorkspaces, type WorkspaceFile } from './read-workspace.ts'

/** The texts of the files that say what workspaces have, by their names: each `.hcl` of a folder. */
export async function textsIn(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.hcl')).sort()
  const texts = await Promise.all(names.map(name => readFile(join(folder, name), 'utf8')))
  return new Map(names.map((name, at) => [name, texts[at] ?? '']))
}

/**
 * The workspaces of all files together (003-18). Throws `BadSettings` with the file, the line and the column of the first
 * fault, and for a workspace that two files have.
 */
export function workspacesOf(texts: ReadonlyMap<string, string>): WorkspaceFile[] {
  const seen = new Map<string, string>()
  return [...texts].flatMap(([file, text]) => {
    const workspaces = read(file, text)
    for (const { name } of workspaces) {
      const other = seen.get(name)
      if (other !== undefined)
        throw fault(`the workspace "${name}" is in ${other} and in ${file}. Remove one of the two`)
      seen.set(name, file)
    }
    return workspaces
  })
}

function read(file: string, text: string): WorkspaceFile[] {
  try {
    return readWorkspaces(text)
  } catch (error) {
    if (error instanceof HclError) throw fault(`${file}:${error.message}`)
    throw error
  }
}

const fault = (what: string) => new BadSettings([`WAYSTATION_WORKSPACES: ${what}.`])
