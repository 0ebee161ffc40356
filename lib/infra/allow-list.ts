import { readFile } from 'node:fs/promises'
import type { Program } from '@waystation/sandbox'
import { z } from 'zod'
import { BadSettings } from '#lib/kernel/settings/env.ts'

const Path = z.string().regex(/^\//, 'must be an absolute path')

const Entry: z.ZodType<Program, unknown> = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a variable'), z.string())
    .default({}),
  description: z.string().min(1).max(500),
  network: z.boolean().default(false),
  readOnly: z.array(Path).default([]),
  readWrite: z.array(Path).default([]),
  sandbox: z.boolean().default(true)
})

const List = z.strictObject({
  servers: z.record(
    z
      .string()
      .max(40)
      .regex(/^[a-z0-9][a-z0-9_-]*$/, 'is not a valid name: use only lowercase letters, digits, - and _'),
    Entry
  )
})

/**
 * Reads the programs that the operator allows (WAYSTATION_MCP_STDIO). Throws `BadSettings` for an invalid file,
 * so that the server never starts with other permissions than configured.
 *
 * @param path an absolute path
 */
export async function readAllowList(path: string): Promise<ReadonlyMap<string, Program>> {
  const badSettings = (what: string) => new BadSettings([`WAYSTATION_MCP_STDIO ${what}`])
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw badSettings(`points to ${path}, which cannot be read: ${error.message}`)
  })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw badSettings(`points to ${path}, which is not valid JSON: ${(error as Error).message}`)
  }
  const list = List.safeParse(json)
  if (!list.success) {
    const [issue] = list.error.issues
    throw badSettings(
      `points to ${path}, which is not a valid list of programs: ${issue?.path.join('.') || 'it'} ${issue?.message ?? ''}. See docs/mcp.md.`
    )
  }
  return new Map(Object.entries(list.data.servers))
}
