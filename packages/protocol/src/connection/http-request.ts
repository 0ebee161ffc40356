import { HttpMethod } from '@waystation/protocol/agent/http-service.ts'
import { z } from 'zod'

/** The most bytes of a request's body. */
const maxBodyBytes = 256 * 1024

/** Headers that a model can set. They say how to read and write content, and never who sends it. */
const permittedHeader =
  /^(accept|accept-language|content-type|if-match|if-none-match|if-modified-since|if-unmodified-since|prefer|range|[a-z0-9-]{1,60}-version)$/i
const headerNames =
  'Accept, Accept-Language, Content-Type, Prefer, Range, If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, and headers that end with -Version'
const areHeadersPermitted = (headers: Record<string, string>): boolean =>
  Object.keys(headers).every(name => permittedHeader.test(name))
const isLine = (value: string): boolean => /^[\t\x20-\x7e]*$/.test(value)

const isWellFormed = (address: string): boolean => /^https?:$/.test(URL.parse(address)?.protocol ?? '')

/**
 * True if a URL leads where its text says. `URL` would drop tabs and line breaks, and resolve backslashes and
 * dots, so the approver would read another URL than the one that is requested.
 */
const isLiteral = (address: string): boolean => {
  const [path = ''] = address.split(/[?#]/)
  const { username, password } = URL.parse(address) ?? {}
  return !/[\t\r\n\\]/.test(address) && !/\/(\.|%2e){1,2}(\/|$)/i.test(path) && !username && !password
}

const bodyBytes = (body: unknown): number =>
  Buffer.byteLength(typeof body === 'string' ? body : JSON.stringify(body))

/** The arguments of `http-request`. Approvers read exactly these. */
export const HttpRequest = z
  .strictObject({
    method: HttpMethod.default('GET'),
    url: z
      .string()
      .max(8192)
      .refine(isWellFormed, {
        error: 'must be a complete URL, such as https://api.example.com/items',
        abort: true
      })
      .refine(isLiteral, 'must not contain . or .. as a part of the path, a backslash or a user name')
      .describe('A complete URL, including the query.'),
    headers: z
      .record(z.string(), z.string().max(1000).refine(isLine, 'must be one line of ASCII text'))
      .refine(areHeadersPermitted, `can only set ${headerNames}`)
      .optional()
      .describe(`Optional: ${headerNames}.`),
    body: z
      .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())])
      .refine(body => bodyBytes(body) <= maxBodyBytes, `must have at most ${maxBodyBytes / 1024} KiB`)
      .optional()
      .describe('Optional: an object or a list, which is sent as JSON, or text.')
  })
  .refine(({ method, body }) => body === undefined || !/^(GET|HEAD)$/.test(method), {
    path: ['body'],
    error: 'GET and HEAD have no body: put the values into the query'
  })
export type HttpRequest = z.infer<typeof HttpRequest>
