import { deleteSubject } from '#lib/features/data/delete-subject.ts'
import { exportSubject } from '#lib/features/data/export-subject.ts'
import { bind } from '#lib/http/endpoint.ts'
import { subjectOperations } from '#lib/http/operations/subjects.ts'
import { asLines } from '#lib/http/response/formats.ts'
import { route } from '#lib/http/route.ts'
import { stream } from '#lib/http/stream.ts'

export const subjectEndpoints = bind(subjectOperations, {
  export: operation =>
    stream(
      operation,
      exportSubject,
      asLines(({ subject }) => subject)
    ),
  delete: operation => route(operation, deleteSubject)
})
