import { metrics } from '#lib/http/metrics.ts'

export const GET = metrics
