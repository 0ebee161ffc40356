import { listModels, removeProvider, saveProvider } from '#lib/features/models/providers.ts'
import { testModel } from '#lib/features/models/test-model.ts'
import { bind } from '#lib/http/endpoint.ts'
import { modelOperations } from '#lib/http/operations/models.ts'
import { route } from '#lib/http/route.ts'

export const modelEndpoints = bind(modelOperations, {
  list: operation => route(operation, listModels),
  save: operation => route(operation, saveProvider),
  remove: operation => route(operation, removeProvider),
  test: operation => route(operation, testModel)
})
