import { z } from 'zod'

/** The tool that runs a script of the agent's: asked about each time, on its exact text. */
export const scriptTool = 'zx-script'

/** A script, and how long it may run. */
export const ScriptInput = z.object({
  script: z
    .string()
    .min(1)
    .max(50_000)
    .regex(/^[^\0]*$/, 'contains a NUL character')
    .describe('The complete script: an ES module for zx 8 with its globals ($, cd, fs, glob, …).'),
  timeoutSeconds: z.number().min(1).max(120).optional().describe('The time limit in seconds. Default: 30.')
})
export type ScriptInput = z.infer<typeof ScriptInput>

/** The script of a call, when that is what it asks about. */
export const scriptOf = (toolName: string, input: unknown): ScriptInput | undefined =>
  toolName === scriptTool ? ScriptInput.safeParse(input).data : undefined
