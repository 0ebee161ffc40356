import { subjectOperations } from '#lib/http/operations/subjects.ts'
import { download } from '#lib/http/stream.ts'
import { exportSubject } from '#lib/sessions/export-subject.ts'

export const GET = download(subjectOperations.export, exportSubject, ({ subject }) => subject)
