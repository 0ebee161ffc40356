import {
  ArchiveCatalogueEntry,
  CatalogueEntry,
  CatalogueItem,
  CreateCatalogueEntry,
  InCatalogue,
  ListCatalogue,
  UpdateCatalogueEntry
} from '@waystation/protocol/agent/catalogue.ts'
import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'

/** The maximum size of an entry. */
const maxBytes = 128 * 1024

export const catalogueOperations = {
  list: operation({
    id: 'listCatalogue',
    method: 'GET',
    path: '/api/catalogue',
    summary: "List the catalog: tools, skills, the build kit and the workspace's own entries",
    actor: 'user',
    scope: 'read',
    input: ListCatalogue,
    answer: z.object({ entries: z.array(CatalogueItem) })
  }),
  get: operation({
    id: 'getCatalogueEntry',
    method: 'GET',
    path: '/api/catalogue/{slug}',
    summary: 'Get a catalog entry',
    actor: 'user',
    scope: 'read',
    input: InCatalogue,
    answer: CatalogueEntry,
    errors: ['NOT_FOUND']
  }),
  create: operation({
    id: 'createCatalogueEntry',
    method: 'POST',
    path: '/api/catalogue',
    summary: 'Add a tool or a skill of the workspace to the catalog',
    actor: 'user',
    scope: 'edit',
    input: CreateCatalogueEntry,
    answer: CatalogueEntry,
    status: 201,
    maxBytes,
    errors: ['CONFLICT']
  }),
  update: operation({
    id: 'updateCatalogueEntry',
    method: 'PUT',
    path: '/api/catalogue/{slug}',
    summary: "Save the next version of one of the workspace's own entries",
    actor: 'user',
    scope: 'edit',
    input: UpdateCatalogueEntry,
    answer: CatalogueEntry,
    maxBytes,
    errors: ['NOT_FOUND', 'CONFLICT']
  }),
  archive: operation({
    id: 'archiveCatalogueEntry',
    method: 'DELETE',
    path: '/api/catalogue/{slug}',
    summary: "Archive one of the workspace's own entries. Agents that use it keep it",
    actor: 'user',
    scope: 'edit',
    input: ArchiveCatalogueEntry,
    answer: CatalogueEntry,
    errors: ['NOT_FOUND']
  })
}
