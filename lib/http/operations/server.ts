import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'

export const serverOperations = {
  health: operation({
    id: 'health',
    method: 'GET',
    path: '/api/health',
    summary: 'Whether the server can do its work',
    actor: 'public',
    input: z.object({})
  }),
  openapi: operation({
    id: 'openapi',
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This reference',
    actor: 'public',
    input: z.object({})
  })
}
