import { z } from 'zod'

/**
 * An origin exactly as browsers send it (RFC 6454, 6.2): scheme, host and port, nothing else. `https://shop.example/`,
 * a default port, upper case or a wildcard would never match, so they are refused with the form that does.
 */
const Origin = z
  .string()
  .max(300)
  .check(({ value, issues }) => {
    const fault = faultOf(value)
    if (fault !== undefined) issues.push({ code: 'custom', input: value, message: fault })
  })

function faultOf(written: string): string | undefined {
  if (written.includes('*')) return 'a wildcard is not possible: name each origin'
  const url = URL.canParse(written) ? new URL(written) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return 'an origin is a scheme and a host, like https://shop.example'
  return url.origin === written ? undefined : `write it as browsers do: ${url.origin}`
}

/** A workspace as its owner sees it. `allowedOrigins`: whose pages may use its session tokens. */
export const Workspace = z.object({ id: z.string(), name: z.string(), allowedOrigins: z.array(z.string()) })
export type Workspace = z.infer<typeof Workspace>

export const GetWorkspace = z.object({})
export type GetWorkspace = z.infer<typeof GetWorkspace>

export const UpdateWorkspace = z.strictObject({ allowedOrigins: z.array(Origin).max(50) })
export type UpdateWorkspace = z.infer<typeof UpdateWorkspace>
