import { bind } from '#lib/http/endpoint.ts'
import { asLines } from '#lib/http/formats.ts'
import { subjectOperations } from '#lib/http/operations/subjects.ts'
import { route } from '#lib/http/route.ts'
import { stream } from '#lib/http/stream.ts'
import { deleteSubject } from '#lib/sessions/delete-subject.ts'
import { exportSubject } from '#lib/sessions/export-subject.ts'

export const subjectEndpoints = bind(subjectOperations, {
  export: operation =>
    stream(
      operation,
      exportSubject,
      asLines(({ subject }) => subject)
    ),
  delete: operation => route(operation, deleteSubject)
})
