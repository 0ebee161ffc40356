import { bytesAnswer } from '#lib/http/bytes-route.ts'
import { preflight } from '#lib/http/cors.ts'
import { fileOperations } from '#lib/http/operations/files.ts'
import { readFile } from '#lib/sessions/read-file.ts'

export const GET = bytesAnswer(fileOperations.get, readFile)
export const OPTIONS = preflight
