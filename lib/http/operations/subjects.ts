import { operation } from '#lib/http/operation.ts'
import { ExportLine, ExportSubject } from '#lib/protocol/export.ts'
import { DeletedSubject, DeleteSubject } from '#lib/protocol/subject.ts'

export const subjectOperations = {
  export: operation({
    id: 'exportSubject',
    method: 'GET',
    path: '/api/subjects/{subject}/export',
    summary: 'Every session of an end user as a file of JSON lines; with `events` the logs themselves too',
    actor: 'user',
    scope: 'edit',
    input: ExportSubject,
    answer: ExportLine,
    lines: true,
    refusals: ['NOT_FOUND']
  }),
  delete: operation({
    id: 'deleteSubject',
    method: 'DELETE',
    path: '/api/subjects/{subject}',
    summary:
      "Deletes an end user's sessions and tokens, and their name elsewhere; repeat it while something is `remaining`",
    actor: 'user',
    scope: 'own',
    input: DeleteSubject,
    answer: DeletedSubject
  })
}
