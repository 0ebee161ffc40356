// A tool that reads from the internet without asking. Its requests follow the server's egress rules.
import { defineTool } from '@waystation/tools'
import { z } from 'zod'

export default defineTool({
  name: 'find-package',
  description: 'Finds the newest version and the license of an npm package.',
  inputSchema: z.object({ name: z.string().regex(/^[a-z0-9._-]+$/) }),
  approval: 'auto',
  timeout: 10,
  // Reading twice is harmless, so the server repeats a call whose process died.
  repeatable: true,
  async execute({ name }, { fetch }) {
    const registry = process.env.NPM_REGISTRY ?? 'https://registry.npmjs.org'
    const response = await fetch(`${registry}/${name}/latest`)
    if (response.status === 404) return { found: false }
    if (!response.ok) throw new Error(`The registry answered with status ${response.status}.`)
    const { version, license } = (await response.json()) as { version: string; license?: string }
    return { found: true, version, license: license ?? 'unknown' }
  }
})
