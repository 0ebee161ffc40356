import { Key } from '@waystation/protocol/idempotency-key.ts'
import { z } from 'zod'
import { InSession } from './session-id.ts'

/** The file's bytes are the body, and its declared type is `Content-Type`. */
export const UploadFile = InSession.extend({
  name: z.string().trim().min(1).max(255),
  key: Key.optional()
})
export type UploadFile = z.infer<typeof UploadFile>

/** A stored upload. The server determines `mediaType`. Message parts refer to the file by `url`. */
export const StoredFile = z.object({
  id: z.string(),
  name: z.string(),
  mediaType: z.string(),
  size: z.int(),
  url: z.string()
})
export type StoredFile = z.infer<typeof StoredFile>

export const InFile = InSession.extend({ fileId: z.string().max(64) })
export type InFile = z.infer<typeof InFile>

/**
 * The attachments that a session accepts now: maximum size and number of files, and the kinds that its model reads.
 * Text files are always included in the prompt. `all`: the agent is external, and receives every file.
 */
export const AttachmentLimits = z.object({
  images: z.boolean(),
  documents: z.boolean(),
  all: z.literal(true).optional(),
  fileBytes: z.int(),
  perMessage: z.int()
})
export type AttachmentLimits = z.infer<typeof AttachmentLimits>

/** The kinds of files that a model accepts: images, and documents (PDF). Every model receives text files as text. */
export type AcceptedFiles = Pick<AttachmentLimits, 'images' | 'documents'>
