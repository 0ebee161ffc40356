import { Health } from '@waystation/protocol/workspace/health.ts'
import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'

export const serverOperations = {
  health: operation({
    id: 'health',
    method: 'GET',
    path: '/api/health',
    summary: 'Check whether the server is healthy',
    actor: 'public',
    input: z.object({}),
    answer: Health,
    orStatus: 503
  }),
  metrics: operation({
    id: 'metrics',
    method: 'GET',
    path: '/metrics',
    summary: 'Get Prometheus metrics of the server and of this process',
    actor: 'user',
    scope: 'own',
    input: z.object({}),
    answer: z.string(),
    plain: true
  }),
  openapi: operation({
    id: 'openapi',
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'Get this OpenAPI document',
    actor: 'public',
    input: z.object({}),
    answer: z.looseObject({ openapi: z.literal('3.1.0'), paths: z.record(z.string(), z.unknown()) })
  })
}
