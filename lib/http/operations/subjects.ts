import { ExportLine, ExportSubject } from '@waystation/protocol/session/export.ts'
import { DeletedSubject, DeleteSubject } from '@waystation/protocol/workspace/subject.ts'
import { operation } from '#lib/http/operation.ts'

export const subjectOperations = {
  export: operation({
    id: 'exportSubject',
    method: 'GET',
    path: '/api/subjects/{subject}/export',
    summary: "Export an end user's sessions as JSON Lines; `events` adds their logs",
    actor: 'user',
    scope: 'edit',
    input: ExportSubject,
    answer: ExportLine,
    lines: true,
    errors: ['NOT_FOUND']
  }),
  delete: operation({
    id: 'deleteSubject',
    method: 'DELETE',
    path: '/api/subjects/{subject}',
    summary: "Delete an end user's data; repeat until `remaining` is 0",
    actor: 'user',
    scope: 'own',
    input: DeleteSubject,
    answer: DeletedSubject
  })
}
