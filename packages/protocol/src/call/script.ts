import * as z from 'zod/mini'
import { scriptTool } from './tool-names.ts'

/** `timeoutSeconds` is the maximum runtime. */
export const ScriptInput = z.object({
  script: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(50_000),
      z.regex(/^[^\0]*$/, 'contains a NUL character'),
      z.describe('The complete script: an ES module for zx 8 with its globals ($, cd, fs, glob, …).')
    ),
  timeoutSeconds: z
    .optional(z.number().check(z.minimum(1), z.maximum(120)))
    .check(z.describe('The time limit in seconds. Default: 30.'))
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
  note: z.optional(z.string()),
  seconds: z.number()
})
export type ScriptResult = z.infer<typeof ScriptResult>

/** Returns the script of a `zx-script` call. Undefined for other tools and for invalid input. */
export const scriptOf = (toolName: string, input: unknown): ScriptInput | undefined =>
  toolName === scriptTool ? ScriptInput.safeParse(input).data : undefined
