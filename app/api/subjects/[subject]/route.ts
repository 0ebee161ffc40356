import { subjectOperations } from '#lib/http/operations/subjects.ts'
import { route } from '#lib/http/route.ts'
import { deleteSubject } from '#lib/sessions/delete-subject.ts'

export const DELETE = route(subjectOperations.delete, deleteSubject)
