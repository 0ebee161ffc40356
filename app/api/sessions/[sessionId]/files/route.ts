import { bytesRoute } from '#lib/http/bytes-route.ts'
import { preflight } from '#lib/http/cors.ts'
import { fileOperations } from '#lib/http/operations/files.ts'
import { mayUpload } from '#lib/sessions/keep-file.ts'
import { uploadFile } from '#lib/sessions/upload-file.ts'

export const POST = bytesRoute(fileOperations.upload, mayUpload, uploadFile)
export const OPTIONS = preflight
