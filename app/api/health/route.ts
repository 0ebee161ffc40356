import { health } from '#lib/http/health.ts'

export const GET = health
