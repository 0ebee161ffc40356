import { z } from 'zod'
import { InSession, Key } from './session.ts'

/** A file's bytes come as the body, what it says it is as `Content-Type`. */
export const UploadFile = InSession.extend({
  name: z.string().trim().min(1).max(255),
  key: Key.optional()
})
export type UploadFile = z.infer<typeof UploadFile>

/** What is kept of an upload. `mediaType` is the server's finding, `url` what a message's part names. */
export const KeptFile = z.object({
  id: z.string(),
  name: z.string(),
  mediaType: z.string(),
  size: z.int(),
  url: z.string()
})
export type KeptFile = z.infer<typeof KeptFile>

export const InFile = InSession.extend({ fileId: z.string().max(64) })
export type InFile = z.infer<typeof InFile>

/**
 * What a session's composer may attach now: files of at most so many bytes, so many to a message; and what its model is
 * given of them. Text files are always read to it.
 */
export const Attaching = z.object({
  images: z.boolean(),
  documents: z.boolean(),
  fileBytes: z.int(),
  perMessage: z.int()
})
export type Attaching = z.infer<typeof Attaching>
