import type { UploadFile } from '@waystation/protocol/session/file.ts'
import { readFile } from '#lib/features/attachments/read-file.ts'
import { uploadFile } from '#lib/features/attachments/upload-file.ts'
import { bind } from '#lib/http/endpoint.ts'
import { fileOperations } from '#lib/http/operations/files.ts'
import { type RequestContext, raw } from '#lib/http/raw.ts'
import { parseInput } from '#lib/http/request/parse-input.ts'
import { readBytes } from '#lib/http/request/read-bytes.ts'
import { readInput, readQuery } from '#lib/http/request/read-input.ts'
import { fileResponse } from '#lib/http/response/file-response.ts'
import { jsonResponse } from '#lib/http/response/json-response.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { mayUpload } from '#lib/sessions/files/store-file.ts'

export const fileEndpoints = bind(fileOperations, {
  upload: operation =>
    raw(operation, (context, input: UploadFile) => takeUpload(context, input, operation.status), {
      precheck: async ({ request, params, ctx }) => {
        const input = parseInput(operation.input, readQuery(request, params))
        await mayUpload(ctx, input)
        return { input }
      }
    }),
  get: operation =>
    raw(operation, async ({ request, params, ctx }) => {
      const input = await readInput(request, params, operation)
      const digest = /"([\da-f]{64})"/.exec(request.headers.get('if-none-match') ?? '')?.[1]
      return fileResponse(await readFile(ctx, { ...input, digest }), true)
    })
})

async function takeUpload(
  { request, ctx }: RequestContext,
  input: UploadFile,
  status?: number
): Promise<Response> {
  const declared = request.headers.get('content-type') ?? ''
  const bytes = await readBytes(request, runtime().env.files.bytes)
  return jsonResponse(await uploadFile(ctx, { ...input, declared, bytes }), status)
}
