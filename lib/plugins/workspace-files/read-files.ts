import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HclError } from '@waystation/hcl'
import { BadSettings } from '#lib/kernel/settings/env.ts'
import { type Environment, readWorkspaces, type WorkspaceFile } from './read-workspace.ts'

/** Reads the `.hcl` files of a folder. Returns their texts by file name, in the order of the names. */
export async function readTexts(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.hcl')).sort()
  const texts = await Promise.all(names.map(name => readFile(join(folder, name), 'utf8')))
  return new Map(names.map((name, index) => [name, texts[index] ?? '']))
}

/**
 * Parses all files together (003-18). Throws `BadSettings` with file, line and column of the first error, or if
 * two files define the same workspace.
 */
export function parseWorkspaces(
  texts: ReadonlyMap<string, string>,
  environment: Environment,
  secrets: ReadonlyMap<string, Environment>
): WorkspaceFile[] {
  const seen = new Map<string, string>()
  return [...texts].flatMap(([file, text]) => {
    const workspaces = readFileText(file, text, environment, secrets)
    for (const { name } of workspaces) {
      const other = seen.get(name)
      if (other !== undefined)
        throw badSettings(`the workspace "${name}" is in ${other} and in ${file}. Remove one of the two`)
      seen.set(name, file)
    }
    return workspaces
  })
}

function readFileText(
  file: string,
  ...[text, environment, secrets]: Parameters<typeof readWorkspaces>
): WorkspaceFile[] {
  try {
    return readWorkspaces(text, environment, secrets)
  } catch (error) {
    if (error instanceof HclError) throw badSettings(`${file}:${error.message}`)
    throw error
  }
}

const badSettings = (what: string) => new BadSettings([`WAYSTATION_WORKSPACES: ${what}.`])
