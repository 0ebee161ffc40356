import { ConnectionName } from '@waystation/protocol/connection/connection.ts'
import { z } from 'zod'

export const HttpMethod = z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
export type HttpMethod = z.infer<typeof HttpMethod>

/** A host as in a URL: lowercase, with a port if it is not the default. */
const Host = z
  .string()
  .max(260)
  .regex(/^[a-z0-9.:[\]-]+$/, 'must be a host such as api.example.com, in lowercase')
  .refine(host => URL.parse(`https://${host}/`)?.host === host, 'must be a host such as api.example.com')

/** A service that `http-request` can reach with a connected account. */
export const HttpService = z.strictObject({
  integration: ConnectionName,
  /** The name of the connection. Default: the integration's name. */
  slug: ConnectionName.optional(),
  /** The hosts of the integration that requests can reach. Absent: all of its hosts. */
  hosts: z.array(Host).min(1).max(20).optional(),
  methods: z.array(HttpMethod).min(1).max(6).default(['GET'])
})
export type HttpService = z.infer<typeof HttpService>
