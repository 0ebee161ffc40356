import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { BadSettings } from '#lib/kernel/settings/env.ts'

const Path = z.string().regex(/^\//, 'must be an absolute path')

/** A program that may be run as an MCP server. `network`: whether it reaches any; `sandbox: false`: it runs without one. */
const Program = z.strictObject({
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
export type Program = z.infer<typeof Program>

const List = z.strictObject({
  servers: z.record(
    z
      .string()
      .max(40)
      .regex(/^[a-z0-9][a-z0-9_-]*$/, 'is not a valid name: use only lowercase letters, digits, - and _'),
    Program
  )
})

/**
 * The programs that whoever runs this server allows (WAYSTATION_MCP_STDIO). Throws `BadSettings` for a file that is not as it
 * should be, so that no server runs with less, or more, than it was told.
 *
 * @param path absolute
 */
export async function readAllowList(path: string): Promise<ReadonlyMap<string, Program>> {
  const fault = (what: string) => new BadSettings([`WAYSTATION_MCP_STDIO ${what}`])
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw fault(`points to ${path}, which cannot be read: ${error.message}`)
  })
  let told: unknown
  try {
    told = JSON.parse(text)
  } catch (error) {
    throw fault(`points to ${path}, which is not valid JSON: ${(error as Error).message}`)
  }
  const list = List.safeParse(told)
  if (!list.success) {
    const [issue] = list.error.issues
    throw fault(
      `points to ${path}, which is not a valid list of programs: ${issue?.path.join('.') || 'it'} ${issue?.message ?? ''}. See docs/mcp.md.`
    )
  }
  return new Map(Object.entries(list.data.servers))
}
