import { sampleDispatcher } from '#lib/samples/dispatcher.ts'

export const POST = sampleDispatcher
