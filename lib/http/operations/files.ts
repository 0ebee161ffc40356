import { InFile, StoredFile, UploadFile } from '@waystation/protocol/session/file.ts'
import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'

export const fileOperations = {
  upload: operation({
    id: 'uploadFile',
    method: 'POST',
    path: '/api/sessions/{sessionId}/files',
    summary: 'Upload a file for a message; the body is the file',
    actor: 'user',
    scope: 'send',
    tokens: true,
    input: UploadFile,
    answer: StoredFile,
    status: 201,
    file: true,
    errors: ['NOT_FOUND', 'TOO_LARGE', 'UNSUPPORTED_TYPE', 'KEY_REUSED']
  }),
  get: operation({
    id: 'getFile',
    method: 'GET',
    path: '/api/sessions/{sessionId}/files/{fileId}',
    summary: 'Get an attached file',
    actor: 'user',
    scope: 'read',
    tokens: true,
    input: InFile,
    answer: z.string(),
    file: true,
    errors: ['NOT_FOUND']
  })
}
