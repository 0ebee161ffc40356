import { samplePage } from '#lib/samples/page.ts'

export const GET = samplePage
