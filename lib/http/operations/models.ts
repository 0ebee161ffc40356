import {
  InProvider,
  ListModels,
  Models,
  ModelTest,
  SaveProvider,
  TestModel
} from '@waystation/protocol/workspace/models.ts'
import { operation } from '#lib/http/operation.ts'

export const modelOperations = {
  list: operation({
    id: 'listModels',
    method: 'GET',
    path: '/api/models',
    summary: 'List the model providers of the workspace, without their keys',
    actor: 'user',
    scope: 'read',
    input: ListModels,
    answer: Models
  }),
  save: operation({
    id: 'saveModelProvider',
    method: 'PUT',
    path: '/api/models/providers/{name}',
    summary: 'Save a model provider, in place of an earlier one with its name',
    actor: 'user',
    scope: 'own',
    input: SaveProvider,
    answer: InProvider
  }),
  remove: operation({
    id: 'removeModelProvider',
    method: 'DELETE',
    path: '/api/models/providers/{name}',
    summary: 'Remove a model provider and its keys',
    actor: 'user',
    scope: 'own',
    input: InProvider,
    answer: InProvider,
    errors: ['NOT_FOUND']
  }),
  test: operation({
    id: 'testModel',
    method: 'POST',
    path: '/api/models/test',
    summary: 'Ask a model for one word',
    actor: 'user',
    scope: 'edit',
    input: TestModel,
    answer: ModelTest
  })
}
