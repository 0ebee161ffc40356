import { z } from 'zod'

/** The tool that runs a script of the agent. Each call needs approval of its exact text. */
export const scriptTool = 'zx-script'

/** `timeoutSeconds` is the maximum runtime. */
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

/**
 * The result of a script. `exitCode` is the shell's: 128 and higher for a signal. `note` says why the script was
 * stopped.
 */
export const ScriptResult = z.object({
  exitCode: z.int(),
  stdout: z.string(),
  stderr: z.string(),
  note: z.string().optional(),
  seconds: z.number()
})
export type ScriptResult = z.infer<typeof ScriptResult>

/** Returns the script of a `zx-script` call. Undefined for other tools and for invalid input. */
export const scriptOf = (toolName: string, input: unknown): ScriptInput | undefined =>
  toolName === scriptTool ? ScriptInput.safeParse(input).data : undefined
